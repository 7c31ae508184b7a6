// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/job_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "cli/options/job_trace.hpp"
#include "core/parse_bytes.hpp"
#include "io/lists/host_list.hpp"
#include "io/lists/job_list.hpp"
#include "io/lists/rank_file.hpp"
#include "traffic/collectives/collective_list.hpp"

namespace fatwood::cli {
namespace {

class Chooser {
 public:
  Chooser(const Model& model, JobChoice choice)
      : model_(model), fabric_(model.fabric()), map_(model.hosts()), choice_(std::move(choice)) {}

  ChosenJobs run() {
    chosen_.capacity = capacity();
    if (choice_.hosts.starts_with('@')) read_order();
    if (choice_.trace.empty()) {
      add_collective("job", hosts(), default_collective(), default_size(), choice_.weight);
    } else {
      add_trace();
    }
    if (!choice_.beside.empty()) add_others();
    if (choice_.trace.empty()) check_nccl();
    note_narrow();
    for (std::size_t j = 0; j < chosen_.placed.size(); ++j) {
      if (chosen_.placed[j].program.total_bytes() > 0) continue;
      chosen_.notes.push_back(fmt::format("{}: nothing leaves a host", chosen_.reported[j].name));
    }
    return std::move(chosen_);
  }

 private:
  std::vector<double> capacity() const {
    std::vector<double> result = channel_capacity(fabric_);
    if (choice_.rate.empty()) return result;
    const auto rate = parse_rate(choice_.rate);
    if (!rate) {
      throw InputError(fmt::format("--rate {}: expected a rate like 4xHDR", choice_.rate));
    }
    std::fill(result.begin(), result.end(), gigabits(*rate) * 1e9 / 8);
    return result;
  }

  std::vector<Host> hosts() const {
    if (choice_.hosts.empty()) {
      throw InputError("--hosts is missing: expected a host list like 'n[01-64]', or all");
    }
    if (!ordered_.empty()) return ordered_;
    if (choice_.hosts != "all") {
      return read_host_list(fabric_, map_.hosts, choice_.hosts, {.file = "--hosts"});
    }
    std::vector<Host> all;
    if (map_.rails.any()) {
      for (const RailUnit& unit : map_.rails.units) {
        all.insert(all.end(), unit.members.begin(), unit.members.end());
      }
    } else {
      for (const Host m : ids<Host>(map_.hosts.size())) {
        if (!job_adapters(model_, m).empty()) all.push_back(m);
      }
    }
    return all;
  }

  // --hosts @FILE: hosts, and how many ranks each has where the file has that.
  void read_order() {
    const std::string path = choice_.hosts.substr(1);
    RankOrder order = read_rank_file(fabric_, map_.hosts, path);
    ordered_ = std::move(order.hosts);
    if (order.ranks == 0) return;
    if (choice_.ranks != 0 && choice_.ranks != order.ranks) {
      throw InputError({path, order.last_line, 0},
                       fmt::format("{} ranks ({} on each of {} hosts), and --ranks-per-host {} "
                                   "makes {}",
                                   ordered_.size() * order.ranks, order.ranks, ordered_.size(),
                                   choice_.ranks, ordered_.size() * choice_.ranks));
    }
    choice_.ranks = order.ranks;
    choice_.rank_file = path;
    choice_.rank_line = order.last_line;
  }

  NcclOptions options() const {
    NcclOptions result;
    result.channels = choice_.channels;
    result.crossing = choice_.cross_nic == 1 ? Crossing::kOn : Crossing::kOff;
    result.forwarding = choice_.no_pxn ? Forwarding::kOff : Forwarding::kPxn;
    result.window = choice_.window;
    result.root = choice_.root;
    return result;
  }

  JobShape shape_of(const PlacedHosts& placed) const {
    JobShape shape;
    shape.nodes = static_cast<std::uint32_t>(placed.hosts.size());
    shape.nics = placed.nics;
    shape.ranks = choice_.ranks != 0 ? choice_.ranks : placed.nics;
    if (placed.narrow.size() == placed.hosts.size()) {
      throw InputError(fmt::format("--adapters {}: no host of the job has so many", choice_.nics));
    }
    constexpr std::uint64_t kMostRanks = 1 << 22;
    if (std::uint64_t{shape.nodes} * shape.ranks > kMostRanks) {
      throw InputError(fmt::format("{} hosts of {} ranks: more than {} ranks", shape.nodes,
                                   shape.ranks, kMostRanks));
    }
    return shape;
  }

  std::vector<RankList> groups(const JobShape& shape) const {
    ParallelSizes sizes{choice_.tensor, choice_.data, choice_.pipeline, choice_.expert};
    if (choice_.groups == "all") {
      if (sizes.tensor != 1 || sizes.pipeline != 1 || sizes.expert != 1 || sizes.data != 0) {
        throw InputError("--tensor, --data, --pipeline and --expert need --groups");
      }
      return {all_ranks(shape)};
    }
    const std::uint64_t rest = std::uint64_t{sizes.tensor} * sizes.pipeline;
    if (sizes.data == 0 && rest > 0) sizes.data = static_cast<std::uint32_t>(shape.size() / rest);
    if (sizes.product() != shape.size()) {
      throw InputError(
          fmt::format("tensor {} times data {} times pipeline {} is {} ranks, and the job has {}",
                      sizes.tensor, sizes.data, sizes.pipeline, sizes.product(), shape.size()));
    }
    if (sizes.data % sizes.expert != 0) {
      throw InputError(fmt::format("expert groups of {} don't divide {} data-parallel ranks",
                                   sizes.expert, sizes.data));
    }
    if (choice_.groups == "data") return data_groups(sizes);
    if (choice_.groups == "tensor") return tensor_groups(sizes);
    if (choice_.groups == "pipeline") return pipeline_groups(sizes);
    return expert_groups(sizes);
  }

  void add_collective(const std::string& name, std::vector<Host> hosts,
                      const std::string& collective, const std::string& size,
                      std::uint32_t weight) {
    const CollectiveRow& row = find_collective(collective);
    used_.push_back(&row);
    const auto bytes = static_cast<double>(parse_bytes(size));
    PlacedHosts placed = place_hosts(model_, std::move(hosts), choice_.nics);
    const JobShape shape = shape_of(placed);
    const std::vector<RankList> parts = groups(shape);
    if (choice_.root >= parts.front().size() && has_root(row)) {
      throw InputError(fmt::format("--root {}: {} has {} ranks, counted from 0", choice_.root, name,
                                   parts.front().size()));
    }
    PlacedJob job;
    job.name = name;
    job.program = make_collective(row, shape, parts, bytes, options());
    job.at = placed.at;
    job.weight = weight;
    // Rings and trees of NCCL: a connection for each channel.
    job.channels_apart = row.library == "NCCL" && row.latency != nullptr;
    if (choice_.latency == "nccl" && row.latency != nullptr) {
      job.added_seconds = row.latency(shape, parts.front());
    }
    std::string what = fmt::format("{} of {}", row.name, size_text(bytes));
    if (parts.size() > 1) {
      what += fmt::format(" in {} {}-parallel groups of {}", parts.size(), choice_.groups,
                          parts.front().size());
    }
    chosen_.reported.push_back({name, std::move(what), std::move(placed), shape.size(), bytes,
                                bus_factor(row.factor, parts.front().size())});
    chosen_.placed.push_back(std::move(job));
  }

  void add_trace() {
    ChosenJob job = choose_trace(model_, choice_, options(), [&] { return hosts(); });
    chosen_.notes = std::move(job.notes);
    chosen_.reported.push_back(std::move(job.reported));
    chosen_.placed.push_back(std::move(job.placed));
    chosen_.placed.back().weight = choice_.weight;
  }

  // Other jobs; one on exactly the first job's hosts is that job in Slurm's list.
  void add_others() {
    Input input(choice_.beside);
    std::set<Host> first(chosen_.reported[0].hosts.hosts.begin(),
                         chosen_.reported[0].hosts.hosts.end());
    std::map<Host, std::string> taken;
    for (const Host m : first) taken[m] = "job";
    std::size_t elsewhere = 0;
    for (const ListedJob& listed : read_job_list(input)) {
      if (listed.of_slurm && none_here(listed)) {
        ++elsewhere;
        continue;
      }
      std::vector<Host> hosts =
          find_hosts_named(fabric_, map_.hosts, listed.hosts, listed.where, Repeats::kRefused);
      if (listed.of_slurm && std::set<Host>(hosts.begin(), hosts.end()) == first) continue;
      for (const Host m : hosts) {
        const auto [at, added] = taken.try_emplace(m, listed.name);
        if (!added) {
          throw InputError(listed.where, fmt::format("host {} is in {} and in {}",
                                                     map_.hosts.name(m), at->second, listed.name));
        }
      }
      const std::string collective =
          listed.collective.empty() ? default_collective() : listed.collective;
      const std::string size = listed.size.empty() ? default_size() : listed.size;
      try {
        add_collective(listed.name, std::move(hosts), collective, size, listed.weight);
      } catch (const InputError& error) {
        throw InputError(listed.where, error.what());
      }
    }
    if (elsewhere > 0) {
      chosen_.notes.push_back(
          fmt::format("{} with no host in this fabric, left out", counted(elsewhere, "job")));
    }
  }

  std::string default_collective() const {
    return choice_.collective.empty() ? "allreduce" : choice_.collective;
  }
  std::string default_size() const {
    return choice_.message_size.empty() ? "1G" : choice_.message_size;
  }

  static bool has_root(const CollectiveRow& row) {
    return row.library == "NCCL" &&
           (row.name.starts_with("broadcast") || row.name.starts_with("reduce:"));
  }

  // Options of NCCL that ask for what no collective here does.
  void check_nccl() const {
    const auto require = [&](bool asked, std::string_view option, std::string_view what,
                             bool (*does)(const CollectiveRow&)) {
      if (!asked || std::ranges::any_of(used_, [&](auto* row) { return does(*row); })) return;
      throw InputError(fmt::format("{} needs {} of NCCL", option, what));
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
    require(choice_.channels != 0, "--channels", "a collective in rings or trees", rings_or_trees);
    require(choice_.cross_nic != 0, "--cross-nic", "a collective in rings", rings);
    require(choice_.window != 0, "--window", "an all-to-all", all_to_alls);
    require(choice_.root != 0, "--root", "a broadcast or reduce", has_root);
    require(choice_.no_pxn, "--no-pxn", "a send-receive", send_receives);
  }

  bool none_here(const ListedJob& listed) const {
    return std::none_of(listed.hosts.begin(), listed.hosts.end(),
                        [&](const std::string& name) { return !map_.hosts.called(name).empty(); });
  }

  void note_narrow() {
    for (const ReportedJob& job : chosen_.reported) {
      if (job.hosts.narrow.empty()) continue;
      std::vector<std::string> names;
      for (const Host m : job.hosts.narrow) names.emplace_back(map_.hosts.name(m));
      chosen_.notes.push_back(
          fmt::format("fewer adapters than {}: {}", job.hosts.nics, listed(names, 6)));
    }
  }

  const Model& model_;
  const Fabric& fabric_;
  const HostMap& map_;
  JobChoice choice_;
  std::vector<Host> ordered_;  // of a rank file
  ChosenJobs chosen_;
  std::vector<const CollectiveRow*> used_;
};

}  // namespace

ChosenJobs choose_jobs(const Model& model, const JobChoice& choice) {
  return Chooser(model, choice).run();
}

}  // namespace fatwood::cli
