// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds hot, congested and error-prone links in the counters of a run of ibdiagnet.
//
// A link is one direction of a cable, host links included; its counters are those of what its port
// sent. Counters are cumulative. With an earlier run of the same fabric, differences are used,
// divided by the seconds between the runs if known. If a counter decreased, it was reset, and the
// later value is used. Ports without counters in the earlier run are left out and counted, and so
// are counters that it does not have. Ports are matched by node GUID and number.
//
//   hot         bytes sent (PortXmitData is in words of four bytes)
//   congested   ticks in which data waited and could not be sent (PortXmitWait)
//   errors      symbol errors, link recoveries and downs, receive errors, discards, local integrity
//               errors and buffer overruns, added up
//
// Next to the bytes sent, the result can have the prediction of a routing for all-to-all traffic:
// the fraction of all bytes on the link. Cost: O(ports), and that of a load.

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
  std::string_view worst_error = "";  // the counter with the most errors
};

struct CounterOptions {
  const RunData* earlier = nullptr;    // with the same size and ids, or none
  std::optional<double> seconds = {};  // between the two runs
  const PathSource* paths = nullptr;   // for the prediction; nullptr: none
  int threads = 0;
};

struct CounterResult {
  std::vector<LinkCounts> links;  // with counters, in order of channels
  std::vector<std::size_t> hottest, most_congested, most_errors;  // indices in links; worst first
  std::vector<double> predicted;  // by link: fraction of all bytes; empty: not requested
  std::uint64_t total_bytes = 0;
  std::optional<double> seconds;
  std::size_t not_earlier = 0;  // links without counters in the earlier run, left out
  std::vector<std::string_view> missing_earlier;  // counters that the earlier run does not have
};

// Whether the run counts what ports sent.
bool has_counters(const RunData& run);
inline constexpr std::string_view kNoCounters =
    "has no counters: ibdiagnet2 writes them to db_csv and pm by itself, ibnetdiscover does not";

// What all-to-all traffic of all adapters puts on each channel, in an arbitrary unit.
// REQUIRES paths of plain tables.
Table<Channel, double> all_to_all_bytes(const Model& model, const PathSource& paths, int threads);

// InputError if one of the runs has no counters.
CounterResult count_links(const Model& model, const RunData& run, const CounterOptions& options);

}  // namespace fatwood
