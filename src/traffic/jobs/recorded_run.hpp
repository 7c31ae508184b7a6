// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A recorded run of a job, as readers in io/ make it, and the program that repeats it:
//   a trace          operations of ranks (GOAL, Chakra)
//   a log of NCCL    the rings or trees of its connections, over the adapters that it names
//   messages         between adapters, each at its time

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "topology/model.hpp"
#include "traffic/jobs/place_job.hpp"
#include "traffic/jobs/trace.hpp"

namespace fatwood {

struct LoadedTrace {
  std::string format;  // "GOAL", "GOAL binary", "Chakra"
  Trace trace;
};

struct NcclEdge {
  static constexpr std::uint32_t kUnknown = 0xffffffffU;
  enum class Part : std::uint8_t { kRing, kTree, kUnclear };

  std::uint32_t channel = 0;
  std::uint32_t from = 0, to = 0;                 // ranks
  std::uint32_t out = kUnknown, into = kUnknown;  // adapter numbers
  Part part = Part::kUnclear;
  std::size_t line = 0;
};

struct NcclLog {
  std::string file;
  std::uint32_t ranks = 0;                                  // 0: not in the log
  std::uint32_t channels = 0;                               // the highest one + 1
  std::vector<std::string> host_of;                         // by rank; "": not in the log
  std::map<std::string, std::vector<std::string>> devices;  // by host, then number: "mlx5_0:1"
  std::vector<NcclEdge> edges;  // between nodes, sorted by channel and ranks
  std::vector<std::string> notes;

  // Its hosts in the order of their first ranks.
  std::vector<std::string> host_names() const;
};

struct TimedMessage {
  double seconds = 0;
  Adapter from = kNone<Adapter>;
  Adapter to = kNone<Adapter>;
  double bytes = 0;
};

struct RecordedRun {
  std::string file;
  std::variant<LoadedTrace, NcclLog, std::vector<TimedMessage>> what;
};

// The program that repeats a run, and where it runs.
struct RepeatedRun {
  Program program;
  PlacedHosts hosts;
  std::size_t ranks = 0;
  std::string what;  // "ring.goal (GOAL)"
  std::vector<std::string> notes;
};

// `ranks` per host; 0: as many as the trace needs. InputError if they do not fit the trace, with
// `rank_file` if the number came from there.
RepeatedRun repeat_trace(const std::string& file, const LoadedTrace& trace, PlacedHosts hosts,
                         std::uint32_t ranks, const Location& rank_file,
                         const NcclOptions& options);

RepeatedRun repeat_messages(const Model& model, const std::string& file,
                            const std::vector<TimedMessage>& messages);

// Sends `bytes` over each edge of every channel. `hosts`: in the order of log.host_names().
// InputError if the log has no connection of that kind, or an adapter that its host does not have.
enum class NcclParts : std::uint8_t { kRings, kTrees };
enum class NcclEnds : std::uint8_t { kAll, kNotIntoRoot, kNotFromRoot };  // edges in use
RepeatedRun repeat_log(const Model& model, const NcclLog& log, PlacedHosts hosts, NcclParts parts,
                       NcclEnds ends, std::uint32_t root, double bytes);

}  // namespace fatwood
