// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/job_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/parse_bytes.hpp"
#include "io/lists/host_list.hpp"
#include "io/lists/message_list.hpp"
#include "io/traces/load_trace.hpp"
#include "io/traces/nccl_log.hpp"
#include "traffic/collectives/collective_list.hpp"

namespace fatwood::cli {
namespace {

// InputError for an option that asks for what the trace says otherwise.
void refuse(bool asked, std::string_view option, const JobChoice& choice, std::string_view why) {
  if (!asked) return;
  throw InputError({.file = choice.trace}, fmt::format("{}: leave out {}", why, option));
}

// GOAL and Chakra: operations of ranks.
ChosenJob ranks_of_trace(const Model& model, const JobChoice& choice, const NcclOptions& options,
                         const std::vector<Host>& hosts, Input& input) {
  const LoadedTrace loaded = load_trace(input);
  ChosenJob job;
  job.notes = loaded.trace.notes;
  PlacedHosts placed = place_hosts(model, hosts, choice.nics);
  JobShape shape{static_cast<std::uint32_t>(placed.hosts.size()), choice.ranks, placed.nics};
  const std::uint32_t ranks = loaded.trace.ranks;
  if (choice.ranks == 0) {
    if (ranks % shape.nodes != 0) {
      throw InputError({.file = choice.trace},
                       fmt::format("{} ranks do not divide evenly over {} hosts: give other "
                                   "--hosts, or --ranks-per-host",
                                   ranks, shape.nodes));
    }
    shape.ranks = ranks / shape.nodes;
  }
  if (shape.size() != ranks && !choice.rank_file.empty()) {
    throw InputError({choice.rank_file, choice.rank_line, 0},
                     fmt::format("{} ranks, and {} has {}", shape.size(), choice.trace, ranks));
  }
  if (shape.size() != ranks) {
    throw InputError({.file = choice.trace},
                     fmt::format("{} ranks in the trace, and {} hosts of {} have {}", ranks,
                                 shape.nodes, shape.ranks, shape.size()));
  }
  job.placed.name = "job";
  job.placed.program = trace_program(loaded.trace, shape, options);
  job.placed.at = placed.at;
  job.reported = {"job",
                  fmt::format("{} ({})", choice.trace, loaded.format),
                  std::move(placed),
                  shape.size(),
                  0,
                  0};
  return job;
}

// Messages between hosts, each at its time.
ChosenJob messages_of_trace(const Model& model, const JobChoice& choice, Input& input) {
  const std::vector<TimedMessage> messages = read_message_list(input, AdapterNames(model));
  const Hosts& hosts = model.hosts().hosts;
  ChosenJob job;
  std::map<Adapter, EndPoint> number;
  PlacedHosts placed;
  const auto end_point = [&](Adapter host) {
    const auto [at, added] = number.try_emplace(host, static_cast<EndPoint>(placed.at.size()));
    if (added) placed.at.push_back(host);
    return at->second;
  };
  Program& program = job.placed.program;
  for (const TimedMessage& message : messages) {
    const EndPoint from = end_point(message.from);
    const EndPoint to = end_point(message.to);
    std::vector<Op> after;
    if (message.seconds > 0) after.push_back(program.add_delay(message.seconds, kNoWorker));
    program.add_message(from, to, message.bytes, after);
  }
  program.end_points = placed.at.size();
  std::map<Host, std::uint32_t> adapters;
  for (const Adapter host : placed.at) {
    const Host m = hosts.of(model.adapters().adapter(model.fabric(), host));
    if (m == kNone<Host>) continue;
    if (++adapters[m] == 1) placed.hosts.push_back(m);
    placed.nics = std::max(placed.nics, adapters[m]);
  }
  job.placed.name = "job";
  job.placed.at = placed.at;
  const std::size_t ranks = placed.at.size();
  job.reported = {"job",
                  fmt::format("{} ({})", choice.trace, counted(messages.size(), "message")),
                  std::move(placed),
                  ranks,
                  0,
                  0};
  return job;
}

// A log of NCCL: its rings or trees, over the adapters it names.
class LogJob {
 public:
  LogJob(const Model& model, const JobChoice& choice, const NcclOptions& options, NcclLog log)
      : model_(model), choice_(choice), options_(options), log_(std::move(log)) {}

  ChosenJob run(const std::function<std::vector<Host>()>& hosts) {
    number_nodes();
    find_hosts(hosts);
    const std::string asked = choice_.collective.empty() ? "allreduce" : choice_.collective;
    const CollectiveRow& row = find_collective(asked);
    const bool tree = row.name == "allreduce:tree";
    if (!tree && !row.name.ends_with(":ring")) {
      throw InputError(
          fmt::format("--collective {}: a log of NCCL shows rings and trees only; "
                      "expected one of these, like allreduce:ring",
                      asked));
    }
    ChosenJob job;
    const auto bytes = static_cast<double>(
        parse_bytes(choice_.message_size.empty() ? "1G" : choice_.message_size));
    const std::size_t ranks = log_.host_of.size();
    const double factor = bus_factor(row.factor, ranks);
    add_channels(job.placed.program, tree, row.name, (tree ? 1 : factor) * bytes / log_.channels);
    job.placed.name = "job";
    job.placed.at = placed_.at;
    job.placed.channels_apart = true;
    job.notes = log_.notes;
    if (left_out_ > 0) {
      job.notes.push_back(fmt::format(
          "{} left out, because the log lacks an end or an adapter: the time is a lower bound",
          counted(left_out_, "connection")));
    }
    job.reported = {"job",
                    fmt::format("{} of {}, as {} has it, {}", row.name, size_text(bytes),
                                choice_.trace, counted(log_.channels, "channel")),
                    std::move(placed_),
                    ranks,
                    bytes,
                    factor};
    return job;
  }

 private:
  // Nodes in the order of their first ranks.
  void number_nodes() {
    node_of_.assign(log_.host_of.size(), kUnknown);
    std::map<std::string, std::uint32_t> number;
    for (std::size_t r = 0; r < log_.host_of.size(); ++r) {
      if (log_.host_of[r].empty()) continue;
      const auto [at, added] =
          number.try_emplace(log_.host_of[r], static_cast<std::uint32_t>(names_.size()));
      if (added) names_.push_back(log_.host_of[r]);
      node_of_[r] = at->second;
    }
  }

  void find_hosts(const std::function<std::vector<Host>()>& given) {
    const Hosts& known = model_.hosts().hosts;
    std::vector<Host> found = choice_.hosts.empty()
                                  ? find_hosts_named(model_.fabric(), known, names_,
                                                     {.file = choice_.trace}, Repeats::kRefused)
                                  : given();
    if (found.size() != names_.size()) {
      throw InputError(
          {.file = choice_.trace},
          fmt::format("{} hosts in the log, and {} in --hosts", names_.size(), found.size()));
    }
    placed_ = place_hosts(model_, std::move(found), choice_.nics);
  }

  void add_channels(Program& program, bool tree, std::string_view name, double bytes) {
    const bool to_root = name.starts_with("broadcast");
    const bool from_root = name.starts_with("reduce:");
    if (options_.root >= log_.host_of.size()) {
      throw InputError(
          fmt::format("--root {}: the log has {} ranks", options_.root, log_.host_of.size()));
    }
    const std::uint32_t root = node_of_[options_.root];
    std::map<std::uint32_t, std::vector<Edge>> edges;
    for (const NcclEdge& edge : log_.edges) {
      const auto part = tree ? NcclEdge::Part::kTree : NcclEdge::Part::kRing;
      if (edge.part != part && edge.part != NcclEdge::Part::kUnclear) continue;
      const bool known = edge.part == part && edge.out != kUnknown && edge.into != kUnknown &&
                         node(edge.from) != kUnknown && node(edge.to) != kUnknown;
      if (!known) {
        ++left_out_;
        continue;
      }
      if ((to_root && node(edge.to) == root) || (from_root && node(edge.from) == root)) continue;
      edges[edge.channel].push_back({end_point(node(edge.from), edge.out, edge.line),
                                     end_point(node(edge.to), edge.into, edge.line)});
    }
    if (edges.empty()) {
      throw InputError({.file = choice_.trace},
                       fmt::format("no connection of a {} with both its adapters; with "
                                   "NCCL_DEBUG=INFO every rank prints them",
                                   tree ? "tree" : "ring"));
    }
    program.end_points = placed_.at.size();
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
  EndPoint end_point(std::uint32_t node, std::uint32_t number, std::size_t line) const {
    const std::vector<Adapter> adapters = job_adapters(model_, placed_.hosts[node]);
    std::size_t which = number;
    const auto devices = log_.devices.find(names_[node]);
    if (devices != log_.devices.end() && number < devices->second.size()) {
      const std::string& text = devices->second[number];
      const std::string_view device = std::string_view(text).substr(0, text.find(':'));
      const auto is_it = [&](Adapter host) {
        const Node adapter = model_.adapters().adapter(model_.fabric(), host);
        return described_adapter(model_.fabric().description(adapter)).device_text == device;
      };
      const auto at = std::find_if(adapters.begin(), adapters.end(), is_it);
      if (at != adapters.end()) which = static_cast<std::size_t>(at - adapters.begin());
    }
    if (which >= placed_.nics) {
      throw InputError({choice_.trace, line, 0},
                       fmt::format("adapter {} of {}, which has {} in this fabric", number,
                                   names_[node], adapters.size()));
    }
    return static_cast<EndPoint>(node * placed_.nics + which);
  }

  static constexpr std::uint32_t kUnknown = NcclEdge::kUnknown;
  const Model& model_;
  const JobChoice& choice_;
  const NcclOptions& options_;
  NcclLog log_;
  std::vector<std::string> names_;      // of nodes
  std::vector<std::uint32_t> node_of_;  // by rank
  PlacedHosts placed_;
  std::size_t left_out_ = 0;
};

}  // namespace

ChosenJob choose_trace(const Model& model, const JobChoice& choice, const NcclOptions& options,
                       const std::function<std::vector<Host>()>& hosts) {
  Input input(choice.trace);
  const std::string_view head = input.peek();
  refuse(choice.groups != "all", "--groups", choice, "a trace has its own groups");
  if (looks_like_nccl_log(head)) {
    refuse(choice.channels != 0, "--channels", choice, "a log of NCCL has its own channels");
    refuse(choice.ranks != 0, "--ranks-per-host", choice, "a log of NCCL has its own ranks");
    return LogJob(model, choice, options, read_nccl_log(input)).run(hosts);
  }
  constexpr std::string_view kMessages = "this trace has its own messages";
  refuse(!choice.collective.empty(), "--collective", choice, kMessages);
  refuse(!choice.message_size.empty(), "--message-size", choice, kMessages);
  if (looks_like_messages(head)) {
    constexpr std::string_view kHosts = "a list of messages names its hosts";
    refuse(!choice.hosts.empty(), "--hosts", choice, kHosts);
    refuse(choice.ranks != 0, "--ranks-per-host", choice, kHosts);
    refuse(choice.nics != 0, "--adapters", choice, kHosts);
    return messages_of_trace(model, choice, input);
  }
  return ranks_of_trace(model, choice, options, hosts(), input);
}

}  // namespace fatwood::cli
