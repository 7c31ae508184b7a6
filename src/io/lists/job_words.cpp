// SPDX-License-Identifier: BSD-3-Clause
#include "io/lists/job_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/parse_bytes.hpp"
#include "core/text/split.hpp"
#include "core/text/words.hpp"
#include "io/lists/host_list.hpp"
#include "io/lists/message_list.hpp"
#include "io/lists/rank_file.hpp"
#include "io/traces/chakra.hpp"
#include "io/traces/goal.hpp"
#include "io/traces/nccl_log.hpp"
#include "topology/hosts/own_name.hpp"
#include "topology/labels.hpp"
#include "topology/rate.hpp"

namespace fatwood {
namespace {

double bytes_of(const std::string& text, const Location& where) {
  return text.empty() ? 0 : static_cast<double>(read_word(where, {text, 0}, parse_bytes));
}

double bytes_per_second(const std::string& text) {
  if (text.empty()) return 0;
  const auto rate = parse_rate(text);
  if (!rate) throw InputError(fmt::format("{}: expected a rate like 4xHDR", param("rate", text)));
  return gigabits(*rate) * 1e9 / 8;
}

// The value of a word; the first for any other.
template <class Value>
Value value_of(const std::string& text,
               std::initializer_list<std::pair<const char*, Value>> words) {
  for (const auto& [word, value] : words) {
    if (text == word) return value;
  }
  return words.begin()->second;
}

// All that are in units of rails; where there are none, all that have an adapter.
std::vector<Host> all_job_hosts(const Model& model) {
  const HostMap& map = model.hosts();
  std::vector<Host> all;
  for (const RailUnit& unit : map.rails.units) {
    all.insert(all.end(), unit.members.begin(), unit.members.end());
  }
  if (map.rails.any()) return all;
  for (const Host m : ids<Host>(map.hosts.size())) {
    if (!job_adapters(model, m).empty()) all.push_back(m);
  }
  return all;
}

std::vector<Host> without(std::vector<Host> hosts, const std::set<Host>& taken) {
  std::erase_if(hosts, [&](Host m) { return taken.contains(m); });
  return hosts;
}

void add_note(std::vector<std::string>& notes, std::string_view where, const std::string& warning) {
  if (!warning.empty()) notes.push_back(fmt::format("{}: {}", where, warning));
}

// No scheduler can start a job on a host whose name is made up.
void leave_out_unnamed(const Model& model, JobRequest& job) {
  const Hosts& hosts = model.hosts().hosts;
  std::vector<std::string> unnamed;
  for (const Host m : job.free) {
    if (!has_own_name(hosts, m)) unnamed.emplace_back(hosts.name(m));
  }
  if (unnamed.empty() || unnamed.size() == job.free.size()) return;
  std::erase_if(job.free, [&](Host m) { return !has_own_name(hosts, m); });
  job.notes.push_back(fmt::format("not free: {} without a name of their own ({})",
                                  counted(unnamed.size(), "host"), listed(unnamed, 3)));
}

// --hosts @FILE: hosts, and how many ranks each has where the file has that.
void read_order(const Model& model, const std::string& path, JobRequest& job) {
  RankOrder order = read_rank_file(model.fabric(), model.hosts().hosts, path);
  job.hosts = std::move(order.hosts);
  add_note(job.notes, path, order.warning);
  if (order.ranks == 0) return;
  const Location last{path, order.last_line, 0};
  if (job.ranks != 0 && job.ranks != order.ranks) {
    throw InputError(last,
                     fmt::format("{} ranks ({} on each of {} hosts), and {} makes {}",
                                 job.hosts.size() * order.ranks, order.ranks, job.hosts.size(),
                                 param("ranks_per_host", std::to_string(job.ranks)),
                                 job.hosts.size() * job.ranks));
  }
  job.ranks = order.ranks;
  job.rank_file = last;
}

// The format is recognised by the name or the first bytes; of Chakra, all files of the set are
// read.
LoadedTrace load_trace(Input& input) {
  if (chakra_name(input.name())) return {"Chakra", read_chakra(input.name())};
  const std::string_view head = input.peek();
  if (looks_like_goal_binary(head)) return {"GOAL binary", read_goal_binary(input)};
  if (looks_like_goal(head)) return {"GOAL", read_goal(input)};
  throw InputError({.file = input.name()},
                   "no trace: expected GOAL (num_ranks ...), its binary form, Chakra files "
                   "NAME.RANK.et, a log of NCCL, or lines \"time source destination bytes\"");
}

// GOAL, Chakra, a log of NCCL or a list of messages.
void read_recording(const Model& model, const std::string& path, JobRequest& job) {
  Input input(path);
  const std::string_view head = input.peek();
  if (looks_like_messages(head)) {
    job.recording = {path, read_message_list(input, AdapterNames(model))};
    return;
  }
  if (!looks_like_nccl_log(head)) {
    job.recording = {path, load_trace(input)};
    return;
  }
  NcclLog log = read_nccl_log(input);
  if (job.hosts.empty() && job.pick == 0) {
    job.hosts = find_hosts_named(model.fabric(), model.hosts().hosts, log.host_names(),
                                 {.file = path}, Repeats::kRefused);
  }
  job.recording = {path, std::move(log)};
}

// "data=allreduce@1G": a kind of groups, what they do, how much. The first is the job's own.
void read_groups(const std::string& text, JobRequest& job) {
  constexpr std::pair<std::string_view, RankGroups> kKinds[] = {{"all", RankGroups::kAll},
                                                                {"data", RankGroups::kData},
                                                                {"tensor", RankGroups::kTensor},
                                                                {"pipeline", RankGroups::kPipeline},
                                                                {"expert", RankGroups::kExpert}};
  const Location where{.file = param("groups")};
  std::vector<GroupsRequest> all;
  for (const std::string_view word : split_at(text, ',')) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const auto kind = std::ranges::find(kKinds, word.substr(0, equals),
                                        &std::pair<std::string_view, RankGroups>::first);
    if (kind == std::end(kKinds)) {
      throw InputError(where, fmt::format("\"{}\": expected all, data, tensor, pipeline or expert, "
                                          "or several like tensor=allreduce@64M,data=allreduce@1G",
                                          word));
    }
    const std::string_view does = word.substr(std::min(equals + 1, word.size()));
    const std::size_t at = std::min(does.find('@'), does.size());
    all.push_back({kind->second, std::string(does.substr(0, at)),
                   bytes_of(std::string(does.substr(std::min(at + 1, does.size()))), where)});
    const auto same = std::ranges::count(all, kind->second, &GroupsRequest::groups);
    if (same > 1 || (all.size() > 1 && all.front().groups == RankGroups::kAll) ||
        (all.size() > 1 && kind->second == RankGroups::kAll)) {
      throw InputError(where, "expected each kind once, and all alone");
    }
  }
  job.rank_groups = all.front().groups;
  if (!all.front().collective.empty()) {
    if (!job.collective.empty())
      throw InputError(where, "names a collective: leave out " + param("collective"));
    job.collective = all.front().collective;
  }
  if (all.front().bytes != 0) {
    if (job.bytes != 0) throw InputError(where, "has a size: leave out " + param("message_size"));
    job.bytes = all.front().bytes;
  }
  job.further.assign(all.begin() + 1, all.end());
}

}  // namespace

JobRequest read_job(const Model& model, const JobWords& words, JobRequest job) {
  job.rate = bytes_per_second(words.rate);
  job.bytes = bytes_of(words.message_size, {.file = param("message_size")});
  read_groups(words.groups, job);
  job.improve = value_of<Improve>(words.improve, {{"", Improve::kNothing},
                                                  {"order", Improve::kOrder},
                                                  {"placement", Improve::kPlacement},
                                                  {"both", Improve::kBoth}});
  job.startup = words.latency == "nccl" ? Startup::kNccl : Startup::kNone;
  job.nccl.crossing = words.cross_nic == 1 ? Crossing::kOn : Crossing::kOff;
  job.nccl.forwarding = words.no_pxn ? Forwarding::kOff : Forwarding::kPxn;
  const auto hosts = [&](const std::string& text, const char* name) {
    if (text.empty()) return std::vector<Host>{};
    if (text == "all") {
      std::vector<Host> all = all_job_hosts(model);
      if (all.empty()) throw InputError({.file = param(name)}, "this fabric has no hosts");
      return all;
    }
    KnownHosts known =
        read_host_list(model.fabric(), model.hosts().hosts, text, {.file = param(name)});
    add_note(job.notes, name, known.warning());
    return std::move(known.hosts);
  };
  if (words.hosts.starts_with('@')) {
    read_order(model, words.hosts.substr(1), job);
  } else {
    job.hosts = hosts(words.hosts, "hosts");
  }
  if (!words.trace.empty()) read_recording(model, words.trace, job);
  std::set<Host> taken(job.hosts.begin(), job.hosts.end());
  if (!words.other_jobs.empty()) {
    JobsHere others = read_jobs(model, words.other_jobs, taken);
    job.others = std::move(others.jobs);
    job.notes.insert(job.notes.end(), others.notes.begin(), others.notes.end());
  }
  for (const NamedJob& other : job.others) taken.insert(other.hosts.begin(), other.hosts.end());
  const bool all_free = words.free == "all" || (words.free.empty() && job.pick != 0);
  job.free = hosts(all_free ? "all" : words.free, "free");
  if (all_free) {
    job.free = without(std::move(job.free), taken);
    leave_out_unnamed(model, job);
  }
  if (!words.candidates.empty()) {
    JobsHere candidates = read_jobs(model, words.candidates);
    if (!candidates.notes.empty()) throw InputError(candidates.notes.front());
    job.candidates = std::move(candidates.jobs);
  }
  return job;
}

JobsHere read_jobs(const Model& model, const std::string& path, std::set<Host> taken) {
  Input input(path);
  const Hosts& known = model.hosts().hosts;
  JobsHere result;
  std::size_t elsewhere = 0;
  for (const ListedJob& listed : read_job_list(input)) {
    const bool here = std::ranges::any_of(
        listed.hosts, [&](const std::string& name) { return !known.called(name).empty(); });
    if (listed.of_slurm && !here) {
      ++elsewhere;
      continue;
    }
    const std::string& first = listed.hosts.front();
    const bool all = listed.hosts.size() == 1 && first == "all" && !here;
    KnownHosts found;
    if (all) {
      found.hosts = without(all_job_hosts(model), taken);
    } else if (listed.hosts.size() == 1 && first.starts_with('@')) {
      found = read_host_list(model.fabric(), known, first, listed.where);
    } else {
      found =
          find_known_hosts(model.fabric(), known, listed.hosts, listed.where, Repeats::kRefused);
    }
    if (found.hosts.empty()) throw InputError(listed.where, "other jobs have all hosts");
    add_note(result.notes, listed.name, found.warning());
    taken.insert(found.hosts.begin(), found.hosts.end());
    result.jobs.push_back({listed.name, std::move(found.hosts), listed.collective,
                           bytes_of(listed.size, listed.where), listed.weight, listed.where,
                           listed.of_slurm});
  }
  if (elsewhere > 0) {
    result.notes.push_back(
        fmt::format("{} with no host in this fabric, left out", counted(elsewhere, "job")));
  }
  return result;
}

}  // namespace fatwood
