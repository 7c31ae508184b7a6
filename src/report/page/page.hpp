// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The output of `fatwood report`: one HTML file that needs no network. Its front end is in web/;
// this makes its data, one JSON object (page_fabric.cpp, page_routes.cpp, page_adaptive.cpp,
// page_losses.cpp, page_pairs.cpp, page_check.cpp, page_ports.cpp).
//
// Arrays of numbers are little-endian bytes, deflated (zlib) and in base64; the browser inflates
// them on demand. The page has the forwarding tables, so the browser can compute loads, paths and
// differences for any traffic.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/faults/fault_cost.hpp"
#include "analysis/load/hashed_load.hpp"
#include "report/fabric/check_report.hpp"
#include "report/fabric/show_report.hpp"
#include "report/load/worst_report.hpp"
#include "tasks/compare.hpp"
#include "topology/run_data.hpp"
#include "verify/adaptive/choices.hpp"
#include "verify/adaptive/coverage.hpp"

namespace fatwood {

// The cost of losing each cable and switch, for the routes of one engine and PageContent::who.
struct PageLosses {
  std::string engine;
  double gigabits_now = 0;
  Fraction mload_now = 0;
  std::vector<Fault> faults;
  std::vector<FaultCost> costs;
};

// A job, and what its adapters send to each other, relative to the busiest adapter.
struct PageJob {
  std::string name;
  std::string what;  // "allreduce:ring"
  std::size_t hosts = 0;
  struct Flow {
    Adapter from, to;
    double amount;
  };
  std::vector<Flow> flows;
};

// Additional figures of adaptive tables.
struct PageAdaptive {
  std::string engine;
  Coverage coverage;
  std::uint64_t risky = 0;  // entries that lose packets when their good ports are masked
  std::optional<RiskyPort> first_risky;
  // A random permutation, its ports chosen by hash, for each number of queue pairs.
  unsigned seeds = 0;
  std::vector<HashedLoad> hashed;
  std::string why_no_hashed;  // the reason if it is empty
};

struct PageContent {
  std::string title;    // the fabric, as the user names it
  std::string command;  // that makes this page
  std::string version;
  ShowReport show;
  std::optional<CheckReport> check;  // of the tables given, or the recommended engine
  // Takes part in all figures. If others have hosts too, those of all hosts are on the page as
  // well.
  Participants who;
  std::vector<EvaluatedEngine> engines;  // files of tables among them
  std::vector<WorstReport> worst;        // of some of them
  std::optional<PageLosses> losses;
  std::vector<PageJob> jobs;
  std::vector<PageAdaptive> adaptive;  // of those with groups of ports
  const RunData* run = nullptr;        // what a run of ibdiagnet measured, if it is one
  // Limit of bytes of tables in the file. Tables above it are left out with a note; their engine is
  // still in the comparison.
  std::size_t most_table_bytes = 24'000'000;
};

// What the map needs, while the rest of the page is computed.
struct PageMap {
  std::string title, version;
  ShowReport show;
  Participants who;  // as PageContent has it
  std::string name;  // of the routing
  const Routing& routing;
};

// The keys "title", "version", "fingerprint", "show", "fabric", "populations", "put_back" and
// "routes" of the page's data; the routes have what channels carry, all to all, and no tables.
std::string map_json(const Model& model, const PageMap& map);

// Whether this program was built with the page.
bool has_page();

// The data of the page, safe inside an HTML script element.
std::string page_data(const Model& model, const PageContent& content);
// The page as one file. REQUIRES has_page().
std::string page_html(const Model& model, const PageContent& content);
// The page of a server that has style and script as /page.css and /page.js. `data`: page_data() of
// the state with this version. REQUIRES has_page().
std::string served_page(std::string_view data, std::uint64_t version);

}  // namespace fatwood
