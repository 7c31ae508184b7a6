// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/jobs/job_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/text/parse_bytes.hpp"
#include "topology/labels.hpp"
#include "traffic/collectives/collective_list.hpp"

namespace fatwood {
namespace {

bool has_root(const CollectiveRow& row) {
  return row.library == "NCCL" &&
         (row.name.starts_with("broadcast") || row.name.starts_with("reduce:"));
}

class JobPlacer {
 public:
  JobPlacer(const Model& model, const JobRequest& request)
      : model_(model),
        request_(request),
        collective_(request.collective.empty() ? "allreduce" : request.collective),
        bytes_(request.bytes == 0 ? kDefaultMessage : request.bytes) {}

  JobSetup run() {
    setup_.capacity = channel_capacity(model_.fabric());
    if (request_.rate != 0) std::ranges::fill(setup_.capacity, request_.rate);
    if (request_.recording) {
      add_recording(*request_.recording);
    } else {
      add_collective("job", hosts(), collective_, bytes_, request_.weight, request_.rank_groups);
      for (const GroupsRequest& kind : request_.further) add_groups(kind);
    }
    for (const NamedJob& other : request_.others) add_other(other);
    setup_.notes.insert(setup_.notes.end(), request_.notes.begin(), request_.notes.end());
    if (!request_.recording) check_nccl();
    note_narrow();
    for (std::size_t j = 0; j < setup_.placed.size(); ++j) {
      if (setup_.placed[j].program.total_bytes() > 0) continue;
      setup_.notes.push_back(fmt::format("{}: nothing leaves a host", setup_.jobs[j].name));
    }
    return std::move(setup_);
  }

 private:
  const std::vector<Host>& hosts() const {
    if (request_.hosts.empty()) {
      throw InputError(param("hosts") +
                       " is missing: expected a host list like 'n[01-64]', or all");
    }
    return request_.hosts;
  }

  JobShape shape_of(const PlacedHosts& placed) const {
    JobShape shape;
    shape.nodes = static_cast<std::uint32_t>(placed.hosts.size());
    shape.nics = placed.nics;
    shape.ranks = request_.ranks != 0 ? request_.ranks : placed.nics;
    if (placed.narrow.size() == placed.hosts.size()) {
      throw InputError(fmt::format("{}: no host of the job has so many",
                                   param("adapters", std::to_string(request_.nics))));
    }
    constexpr std::uint64_t kMost = 1 << 22;
    if (std::uint64_t{shape.nodes} * shape.ranks > kMost) {
      throw InputError(
          fmt::format("{} hosts of {} ranks: more than {} ranks", shape.nodes, shape.ranks, kMost));
    }
    return shape;
  }

  // The most hosts whose ranks make whole groups, where there are any.
  static std::string fewer_hosts(const JobShape& shape, std::uint64_t group) {
    if (group == 0) return "";
    std::uint64_t hosts = shape.nodes;
    while (hosts > 0 && hosts * shape.ranks % group != 0) --hosts;
    if (hosts == 0 || hosts == shape.nodes) return "";
    return fmt::format("; {} of its {} hosts would do", hosts, shape.nodes);
  }

  std::vector<RankList> groups(const JobShape& shape, RankGroups kind) const {
    ParallelSizes sizes = request_.sizes;
    if (kind == RankGroups::kAll) {
      if (sizes.tensor != 1 || sizes.pipeline != 1 || sizes.expert != 1 || sizes.data != 0) {
        throw InputError(fmt::format("{}, {}, {} and {} need {}", param("tensor"), param("data"),
                                     param("pipeline"), param("expert"), param("groups")));
      }
      return {all_ranks(shape)};
    }
    const std::uint64_t rest = std::uint64_t{sizes.tensor} * sizes.pipeline;
    if (sizes.data == 0 && rest > 0) sizes.data = static_cast<std::uint32_t>(shape.size() / rest);
    if (sizes.product() != shape.size()) {
      throw InputError(
          fmt::format("tensor {} times data {} times pipeline {} is {} ranks, and the job has {}{}",
                      sizes.tensor, sizes.data, sizes.pipeline, sizes.product(), shape.size(),
                      request_.sizes.data == 0 ? fewer_hosts(shape, rest * sizes.expert) : ""));
    }
    if (sizes.data % sizes.expert != 0) {
      throw InputError(fmt::format("expert groups of {} don't divide {} data-parallel ranks",
                                   sizes.expert, sizes.data));
    }
    return groups_of_ranks(sizes, kind);
  }

  static std::string_view grouping_name(RankGroups kind) {
    constexpr std::array<std::string_view, 5> kNames{"all", "data", "tensor", "pipeline", "expert"};
    return kNames[static_cast<std::size_t>(kind)];
  }

  // Another kind of groups of the job's ranks, as a job of its own.
  void add_groups(const GroupsRequest& kind) {
    constexpr std::array<std::string_view, 5> kUsual{"allreduce", "allreduce", "allreduce",
                                                     "sendrecv", "alltoall"};
    const std::string_view usual = kUsual[static_cast<std::size_t>(kind.groups)];
    add_collective(fmt::format("{} groups", grouping_name(kind.groups)), hosts(),
                   kind.collective.empty() ? std::string(usual) : kind.collective,
                   kind.bytes == 0 ? bytes_ : kind.bytes, request_.weight, kind.groups);
  }

  void add_collective(const std::string& name, const std::vector<Host>& hosts,
                      const std::string& collective, double bytes, std::uint32_t weight,
                      RankGroups kind) {
    const CollectiveRow& row = find_collective(collective);
    used_.push_back(&row);
    PlacedHosts placed = place_hosts(model_, hosts, request_.nics);
    const JobShape shape = shape_of(placed);
    const std::vector<RankList> parts = groups(shape, kind);
    if (request_.nccl.root >= parts.front().size() && has_root(row)) {
      throw InputError(fmt::format("{}: {} has {} ranks, counted from 0",
                                   param("root", std::to_string(request_.nccl.root)), name,
                                   parts.front().size()));
    }
    PlacedJob job;
    job.name = name;
    job.program = make_collective(row, shape, parts, bytes, request_.nccl);
    job.at = placed.at;
    job.weight = weight;
    // Rings and trees of NCCL: a connection for each channel.
    job.separate_channels = row.library == "NCCL" && row.latency != nullptr;
    if (request_.startup == Startup::kNccl && row.latency != nullptr) {
      job.added_seconds = row.latency(shape, parts.front());
    }
    std::string what = fmt::format("{} of {}", row.name, size_text(bytes));
    if (parts.size() > 1) {
      what += fmt::format(" in {} {}-parallel groups of {}", parts.size(), grouping_name(kind),
                          parts.front().size());
    }
    setup_.jobs.push_back({name, std::move(what), std::move(placed), shape.size(), bytes,
                           bus_factor(row.factor, parts.front().size())});
    setup_.placed.push_back(std::move(job));
  }

  // InputError for an option that asks for what the recording says otherwise.
  void refuse(bool asked, std::string_view option, std::string_view why) const {
    if (!asked) return;
    throw InputError({.file = request_.recording->file},
                     fmt::format("{}: leave out {}", why, param(option)));
  }

  void add_recording(const RecordedRun& recording) {
    refuse(request_.rank_groups != RankGroups::kAll, "groups", "a trace has its own groups");
    const auto* const log = std::get_if<NcclLog>(&recording.what);
    RequestedJob job{"job", {}, {}, 0, 0, 0};
    RepeatedRun run = log != nullptr ? repeat_nccl(*log, job) : repeat(recording);
    job.what = job.what.empty() ? run.what : fmt::format("{}, {}", job.what, run.what);
    job.ranks = run.ranks;
    setup_.notes = std::move(run.notes);
    PlacedJob placed;
    placed.name = "job";
    placed.program = std::move(run.program);
    placed.at = run.hosts.at;
    placed.weight = request_.weight;
    placed.separate_channels = log != nullptr;
    job.hosts = std::move(run.hosts);
    setup_.jobs.push_back(std::move(job));
    setup_.placed.push_back(std::move(placed));
  }

  RepeatedRun repeat(const RecordedRun& recording) const {
    constexpr std::string_view kMessages = "this trace has its own messages";
    refuse(!request_.collective.empty(), "collective", kMessages);
    refuse(request_.bytes != 0, "message_size", kMessages);
    if (const auto* const trace = std::get_if<LoadedTrace>(&recording.what)) {
      return repeat_trace(recording.file, *trace, place_hosts(model_, hosts(), request_.nics),
                          request_.ranks, request_.rank_file, request_.nccl);
    }
    constexpr std::string_view kHosts = "a list of messages names its hosts";
    refuse(!request_.hosts.empty(), "hosts", kHosts);
    refuse(request_.ranks != 0, "ranks_per_host", kHosts);
    refuse(request_.nics != 0, "adapters", kHosts);
    return repeat_messages(model_, recording.file,
                           std::get<std::vector<TimedMessage>>(recording.what));
  }

  RepeatedRun repeat_nccl(const NcclLog& log, RequestedJob& job) const {
    refuse(request_.nccl.channels != 0, "channels", "a log of NCCL has its own channels");
    refuse(request_.ranks != 0, "ranks_per_host", "a log of NCCL has its own ranks");
    const std::size_t nodes = log.host_names().size();
    if (hosts().size() != nodes) {
      throw InputError({.file = log.file}, fmt::format("{} hosts in the log, and {} in {}", nodes,
                                                       hosts().size(), param("hosts")));
    }
    const CollectiveRow& row = find_collective(collective_);
    const bool tree = row.name == "allreduce:tree";
    if (row.latency == nullptr) {  // neither rings nor trees
      throw InputError(
          fmt::format("{}: a log of NCCL shows rings and trees only; expected one of these, like "
                      "allreduce:ring",
                      param("collective", collective_)));
    }
    job.what = fmt::format("{} of {}", row.name, size_text(bytes_));
    job.message_bytes = bytes_;
    job.bus_factor = bus_factor(row.factor, log.host_of.size());
    return repeat_log(model_, log, place_hosts(model_, hosts(), request_.nics),
                      tree ? NcclParts::kTrees : NcclParts::kRings,
                      row.name.starts_with("broadcast") ? NcclEnds::kNotIntoRoot
                      : row.name.starts_with("reduce:") ? NcclEnds::kNotFromRoot
                                                        : NcclEnds::kAll,
                      request_.nccl.root, (tree ? 1 : job.bus_factor) * bytes_ / log.channels);
  }

  // One of Slurm's list on exactly the first job's hosts is that job.
  void add_other(const NamedJob& other) {
    if (taken_.empty()) {
      for (const Host m : setup_.jobs[0].hosts.hosts) taken_[m] = "job";
    }
    const std::vector<Host>& first = setup_.jobs[0].hosts.hosts;
    if (other.of_slurm && std::set<Host>(other.hosts.begin(), other.hosts.end()) ==
                              std::set<Host>(first.begin(), first.end())) {
      return;
    }
    for (const Host m : other.hosts) {
      const auto [at, added] = taken_.try_emplace(m, other.name);
      if (added) continue;
      throw InputError(other.where,
                       fmt::format("host {} is in {} and in {}",
                                   unique_name(model_.fabric(), model_.hosts().hosts, m),
                                   at->second, other.name));
    }
    try {
      add_collective(other.name, other.hosts,
                     other.collective.empty() ? collective_ : other.collective,
                     other.bytes == 0 ? bytes_ : other.bytes, other.weight, request_.rank_groups);
    } catch (const InputError& error) {
      throw error.at(other.where);
    }
  }

  // Options of NCCL that ask for what no collective here does.
  void check_nccl() const {
    const auto require = [&](bool asked, std::string_view option, std::string_view what,
                             bool (*does)(const CollectiveRow&)) {
      if (!asked || std::ranges::any_of(used_, [&](auto* row) { return does(*row); })) return;
      throw InputError(fmt::format("{} needs {} of NCCL", param(option), what));
    };
    const auto rings = [](const CollectiveRow& row) {
      return row.latency != nullptr && row.name.ends_with(":ring");
    };
    const auto rings_or_trees = [](const CollectiveRow& row) { return row.latency != nullptr; };
    const auto all_to_alls = [](const CollectiveRow& row) {
      return row.library == "NCCL" && row.name.starts_with("alltoall");
    };
    const auto send_receives = [](const CollectiveRow& row) {
      return row.library == "NCCL" && row.name.starts_with("sendrecv");
    };
    const NcclOptions& nccl = request_.nccl;
    require(nccl.channels != 0, "channels", "a collective in rings or trees", rings_or_trees);
    require(nccl.crossing == Crossing::kOn, "cross_nic", "a collective in rings", rings);
    require(nccl.window != 0, "window", "an all-to-all", all_to_alls);
    require(nccl.root != 0, "root", "a broadcast or reduce", has_root);
    require(nccl.forwarding == Forwarding::kOff, "no_pxn", "a send-receive", send_receives);
  }

  void note_narrow() {
    for (const RequestedJob& job : setup_.jobs) {
      if (job.hosts.narrow.empty()) continue;
      std::vector<std::string> names;
      for (const Host m : job.hosts.narrow) {
        names.push_back(unique_name(model_.fabric(), model_.hosts().hosts, m));
      }
      setup_.notes.push_back(
          fmt::format("fewer adapters than {}: {}", job.hosts.nics, listed(names, 6)));
    }
  }

  const Model& model_;
  const JobRequest& request_;
  const std::string collective_;
  const double bytes_;
  JobSetup setup_;
  std::vector<const CollectiveRow*> used_;
  std::map<Host, std::string> taken_;  // by which job
};

}  // namespace

JobSetup set_up_jobs(const Model& model, const JobRequest& request) {
  return JobPlacer(model, request).run();
}

}  // namespace fatwood
