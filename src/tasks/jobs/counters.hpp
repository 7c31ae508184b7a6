// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds hot, congested and error-prone links in the counters of a run of ibdiagnet.
//
// A link is one direction of a cable, host links included: what its port sends. Counters are
// cumulative; with an earlier run of the same fabric the differences count, divided by the seconds
// between the runs where these are known. A counter that fell was reset: the later value counts. A
// cable that the earlier run does not have is left out. Ports are matched by node GUID and number.
//
//   hot         bytes sent (PortXmitData is in words of four bytes)
//   congested   ticks in which data waited and could not be sent (PortXmitWait)
//   errors      symbol errors, link recoveries and downs, receive errors, discards, local integrity
//               errors and buffer overruns, added up
//
// Next to the bytes is the prediction of the routing for all-to-all traffic: the share of the
// fabric's bytes that the link carries. Cost: O(ports), and that of a load.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "routing/tables/path_source.hpp"
#include "topology/model.hpp"
#include "topology/run_data.hpp"

namespace fatwood {

struct LinkCounts {
  Channel link = kNone<Channel>;
  std::uint64_t bytes = 0, waits = 0, errors = 0;
  std::string_view worst_error = "";  // the counter with most of them
};

struct CounterOptions {
  const RunData* earlier = nullptr;    // of the same fabric's size and ids, or none
  std::optional<double> seconds = {};  // between the two runs
  const PathSource* paths = nullptr;   // for what is predicted; nullptr: nothing
  int threads = 0;
};

struct CounterResult {
  std::vector<LinkCounts> links;  // with counters, in order of channels
  std::vector<std::size_t> hottest, most_congested, most_errors;  // of links; the worst first
  std::vector<double> predicted;  // by link: its share of all bytes; empty: not asked for
  std::uint64_t total_bytes = 0;
  std::optional<double> seconds;
};

// InputError when the run has no counters.
CounterResult count_links(const Model& model, const RunData& run, const CounterOptions& options);

}  // namespace fatwood
