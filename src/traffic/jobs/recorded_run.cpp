// SPDX-License-Identifier: BSD-3-Clause
#include "traffic/jobs/recorded_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "topology/labels.hpp"

namespace fatwood {
namespace {

// The rings or trees of a log of NCCL.
class LogProgram {
 public:
  LogProgram(const Model& model, const NcclLog& log, PlacedHosts hosts)
      : model_(model), log_(log), names_(log.host_names()), placed_(std::move(hosts)) {
    std::map<std::string, std::uint32_t> number{{"", kUnknown}};
    for (std::uint32_t i = 0; i < names_.size(); ++i) number[names_[i]] = i;
    for (const std::string& host : log_.host_of) node_of_.push_back(number.at(host));
  }

  RepeatedRun run(NcclParts parts, NcclEnds ends, std::uint32_t root, double bytes) {
    RepeatedRun repeated;
    add_channels(repeated.program, parts, ends, root, bytes);
    repeated.ranks = log_.host_of.size();
    repeated.what = fmt::format("as {} has it, {}", log_.file, counted(log_.channels, "channel"));
    repeated.notes = log_.notes;
    if (left_out_ > 0) {
      repeated.notes.push_back(fmt::format(
          "{} left out, because the log lacks an end or an adapter: the time is a lower bound",
          counted(left_out_, "connection")));
    }
    repeated.hosts = std::move(placed_);
    return repeated;
  }

 private:
  void add_channels(Program& program, NcclParts parts, NcclEnds ends, std::uint32_t root_rank,
                    double bytes) {
    if (root_rank >= log_.host_of.size()) {
      throw InputError(fmt::format("{}: the log has {} ranks",
                                   param("root", std::to_string(root_rank)), log_.host_of.size()));
    }
    const std::uint32_t root = node_of_[root_rank];
    const auto part = parts == NcclParts::kTrees ? NcclEdge::Part::kTree : NcclEdge::Part::kRing;
    std::map<std::uint32_t, std::vector<Edge>> edges;
    for (const NcclEdge& edge : log_.edges) {
      if (edge.part != part && edge.part != NcclEdge::Part::kUnclear) continue;
      const bool known = edge.part == part && edge.out != kUnknown && edge.into != kUnknown &&
                         node(edge.from) != kUnknown && node(edge.to) != kUnknown;
      if (!known) {
        ++left_out_;
        continue;
      }
      if (ends == NcclEnds::kNotIntoRoot && node(edge.to) == root) continue;
      if (ends == NcclEnds::kNotFromRoot && node(edge.from) == root) continue;
      edges[edge.channel].push_back({endpoint(node(edge.from), edge.out, edge.line),
                                     endpoint(node(edge.to), edge.into, edge.line)});
    }
    if (edges.empty()) {
      throw InputError({.file = log_.file},
                       fmt::format("no connection of a {} with both its adapters; with "
                                   "NCCL_DEBUG=INFO every rank prints them",
                                   parts == NcclParts::kTrees ? "tree" : "ring"));
    }
    program.endpoints = placed_.at.size();
    for (std::uint32_t c = 0; c < log_.channels; ++c) {
      program.stage_names.push_back(fmt::format("channel {}", c));
      if (const auto at = edges.find(c); at != edges.end()) {
        program.add_transfer(bytes, at->second, {}, c);
      }
    }
  }

  std::uint32_t node(std::uint32_t rank) const {
    return rank < node_of_.size() ? node_of_[rank] : kUnknown;
  }

  // NCCL's adapter `number` of a node: by the name of its device, where the log has it.
  ProgramEndpoint endpoint(std::uint32_t node, std::uint32_t number, std::size_t line) const {
    const std::vector<Adapter> adapters = job_adapters(model_, placed_.hosts[node]);
    std::size_t which = number;
    const auto devices = log_.devices.find(names_[node]);
    if (devices != log_.devices.end() && number < devices->second.size()) {
      const std::string& text = devices->second[number];
      const std::string_view device = std::string_view(text).substr(0, text.find(':'));
      const auto is_it = [&](Adapter adapter) {
        const Node at = model_.adapters().node(model_.fabric(), adapter);
        return described_adapter(model_.fabric().description(at)).device_text == device;
      };
      const auto at = std::find_if(adapters.begin(), adapters.end(), is_it);
      if (at != adapters.end()) which = static_cast<std::size_t>(at - adapters.begin());
    }
    if (which >= placed_.nics) {
      throw InputError({log_.file, line, 0},
                       fmt::format("adapter {} of {}, which has {} in this fabric", number,
                                   names_[node], adapters.size()));
    }
    return static_cast<ProgramEndpoint>(node * placed_.nics + which);
  }

  static constexpr std::uint32_t kUnknown = NcclEdge::kUnknown;
  const Model& model_;
  const NcclLog& log_;
  std::vector<std::string> names_;      // of nodes
  std::vector<std::uint32_t> node_of_;  // by rank
  PlacedHosts placed_;
  std::size_t left_out_ = 0;
};

}  // namespace

std::vector<std::string> NcclLog::host_names() const {
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const std::string& host : host_of) {
    if (!host.empty() && known.insert(host).second) names.push_back(host);
  }
  return names;
}

RepeatedRun repeat_trace(const std::string& file, const LoadedTrace& loaded, PlacedHosts hosts,
                         std::uint32_t ranks, const Location& rank_file,
                         const NcclOptions& options) {
  JobShape shape{static_cast<std::uint32_t>(hosts.hosts.size()), ranks, hosts.nics};
  const std::uint32_t needed = loaded.trace.ranks;
  if (ranks == 0) {
    if (needed % shape.nodes != 0) {
      throw InputError(
          {.file = file},
          fmt::format("{} ranks do not divide evenly over {} hosts: give other {}, or {}", needed,
                      shape.nodes, param("hosts"), param("ranks_per_host")));
    }
    shape.ranks = needed / shape.nodes;
  }
  if (shape.size() != needed && !rank_file.file.empty()) {
    throw InputError(rank_file, fmt::format("{} ranks, and {} has {}", shape.size(), file, needed));
  }
  if (shape.size() != needed) {
    throw InputError({.file = file},
                     fmt::format("{} ranks in the trace, and {} hosts of {} have {}", needed,
                                 shape.nodes, shape.ranks, shape.size()));
  }
  return {trace_program(loaded.trace, shape, options), std::move(hosts), shape.size(),
          fmt::format("{} ({})", file, loaded.format), loaded.trace.notes};
}

RepeatedRun repeat_messages(const Model& model, const std::string& file,
                            const std::vector<TimedMessage>& messages) {
  RepeatedRun repeated;
  PlacedHosts& placed = repeated.hosts;
  std::map<Adapter, ProgramEndpoint> number;
  const auto endpoint = [&](Adapter adapter) {
    const auto [at, added] =
        number.try_emplace(adapter, static_cast<ProgramEndpoint>(placed.at.size()));
    if (added) placed.at.push_back(adapter);
    return at->second;
  };
  Program& program = repeated.program;
  for (const TimedMessage& message : messages) {
    const ProgramEndpoint from = endpoint(message.from);
    const ProgramEndpoint to = endpoint(message.to);
    std::vector<Op> after;
    if (message.seconds > 0) after.push_back(program.add_delay(message.seconds, kNoWorker));
    program.add_message(from, to, message.bytes, after);
  }
  program.endpoints = placed.at.size();
  std::map<Host, std::uint32_t> adapters;
  for (const Adapter adapter : placed.at) {
    const Host m = model.hosts().hosts.of(model.adapters().node(model.fabric(), adapter));
    if (m == kNone<Host>) continue;
    if (++adapters[m] == 1) placed.hosts.push_back(m);
    placed.nics = std::max(placed.nics, adapters[m]);
  }
  repeated.ranks = placed.at.size();
  repeated.what = fmt::format("{} ({})", file, counted(messages.size(), "message"));
  return repeated;
}

RepeatedRun repeat_log(const Model& model, const NcclLog& log, PlacedHosts hosts, NcclParts parts,
                       NcclEnds ends, std::uint32_t root, double bytes) {
  return LogProgram(model, log, std::move(hosts)).run(parts, ends, root, bytes);
}

}  // namespace fatwood
