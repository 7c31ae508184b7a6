// SPDX-License-Identifier: BSD-3-Clause
#include "io/lists/job_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/parse_bytes.hpp"
#include "io/lists/host_list.hpp"
#include "io/lists/message_list.hpp"
#include "io/lists/rank_file.hpp"
#include "io/traces/load_trace.hpp"
#include "io/traces/nccl_log.hpp"
#include "topology/labels.hpp"
#include "topology/rate.hpp"

namespace fatwood {
namespace {

double bytes_of(const std::string& text) {
  return text.empty() ? 0 : static_cast<double>(parse_bytes(text));
}

double bytes_per_second(const std::string& text) {
  if (text.empty()) return 0;
  const auto rate = parse_rate(text);
  if (!rate) throw InputError(fmt::format("--rate {}: expected a rate like 4xHDR", text));
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

std::vector<Host> read_job_hosts(const Model& model, const std::string& text,
                                 const Location& where) {
  if (text == "all") return all_job_hosts(model);
  return read_host_list(model.fabric(), model.hosts().hosts, text, where);
}

// --hosts @FILE: hosts, and how many ranks each has where the file has that.
void read_order(const Model& model, const std::string& path, JobRequest& job) {
  RankOrder order = read_rank_file(model.fabric(), model.hosts().hosts, path);
  job.hosts = std::move(order.hosts);
  if (order.ranks == 0) return;
  const Location last{path, order.last_line, 0};
  if (job.ranks != 0 && job.ranks != order.ranks) {
    throw InputError(last, fmt::format("{} ranks ({} on each of {} hosts), and --ranks-per-host {} "
                                       "makes {}",
                                       job.hosts.size() * order.ranks, order.ranks,
                                       job.hosts.size(), job.ranks, job.hosts.size() * job.ranks));
  }
  job.ranks = order.ranks;
  job.rank_file = last;
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
  if (job.hosts.empty()) {
    job.hosts = find_hosts_named(model.fabric(), model.hosts().hosts, log.host_names(),
                                 {.file = path}, Repeats::kRefused);
  }
  job.recording = {path, std::move(log)};
}

}  // namespace

JobRequest read_job(const Model& model, const JobWords& words, JobRequest job) {
  job.rate = bytes_per_second(words.rate);
  job.bytes = bytes_of(words.message_size);
  job.grouping = value_of<Grouping>(words.groups, {{"all", Grouping::kAll},
                                                   {"data", Grouping::kData},
                                                   {"tensor", Grouping::kTensor},
                                                   {"pipeline", Grouping::kPipeline},
                                                   {"expert", Grouping::kExpert}});
  job.improve = value_of<Improve>(words.improve, {{"", Improve::kNothing},
                                                  {"order", Improve::kOrder},
                                                  {"placement", Improve::kPlacement},
                                                  {"both", Improve::kBoth}});
  job.startup = words.latency == "nccl" ? Startup::kNccl : Startup::kNone;
  job.nccl.crossing = words.cross_nic == 1 ? Crossing::kOn : Crossing::kOff;
  job.nccl.forwarding = words.no_pxn ? Forwarding::kOff : Forwarding::kPxn;
  if (words.hosts.starts_with('@')) {
    read_order(model, words.hosts.substr(1), job);
  } else if (!words.hosts.empty()) {
    job.hosts = read_job_hosts(model, words.hosts, {.file = "--hosts"});
  }
  if (!words.trace.empty()) read_recording(model, words.trace, job);
  if (!words.free.empty()) job.free = read_job_hosts(model, words.free, {.file = "--free"});
  if (!words.candidates.empty()) job.candidates = read_jobs(model, words.candidates).jobs;
  if (words.beside.empty()) return job;
  JobsHere others = read_jobs(model, words.beside);
  job.others = std::move(others.jobs);
  if (others.elsewhere > 0) {
    job.notes.push_back(
        fmt::format("{} with no host in this fabric, left out", counted(others.elsewhere, "job")));
  }
  return job;
}

JobsHere read_jobs(const Model& model, const std::string& path) {
  Input input(path);
  const Hosts& known = model.hosts().hosts;
  JobsHere result;
  for (const ListedJob& listed : read_job_list(input)) {
    const bool here = std::ranges::any_of(
        listed.hosts, [&](const std::string& name) { return !known.called(name).empty(); });
    if (listed.of_slurm && !here) {
      ++result.elsewhere;
      continue;
    }
    result.jobs.push_back(
        {listed.name,
         find_hosts_named(model.fabric(), known, listed.hosts, listed.where, Repeats::kRefused),
         listed.collective, bytes_of(listed.size), listed.weight, listed.where, listed.of_slurm});
  }
  return result;
}

}  // namespace fatwood
