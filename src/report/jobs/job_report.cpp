// SPDX-License-Identifier: BSD-3-Clause
#include "report/jobs/job_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/hostlist.hpp"
#include "report/json.hpp"
#include "topology/labels.hpp"

namespace fatwood {
namespace {

constexpr double kGiga = 1e9;
constexpr std::size_t kShownFlows = 8;

double per_adapter(const PlannedJob& job, const JobOutcome& outcome) {
  const auto adapters = static_cast<double>(job.hosts.hosts.size() * job.hosts.nics);
  return outcome.seconds > 0 && adapters > 0 ? outcome.bytes / adapters / outcome.seconds : 0;
}

double algbw(const PlannedJob& job, double seconds) {
  return seconds > 0 ? job.message_bytes / seconds / kGiga : 0;
}

double slowdown(const JobOutcome& outcome) {
  return outcome.alone_seconds > 0 ? outcome.seconds / outcome.alone_seconds : 1;
}

double efficiency(const JobOutcome& outcome) {
  return outcome.seconds > 0 ? outcome.own_seconds / outcome.seconds : 1;
}

bool meets_bound(const Improvement& better) { return better.seconds <= better.bound * (1 + 1e-9); }

class Words {
 public:
  explicit Words(const Model& model) : model_(model) {}

  // "luna-0129 mlx5_3"
  std::string port(Adapter adapter) const {
    const Fabric& fabric = model_.fabric();
    const Node node = model_.adapters().node(fabric, adapter);
    const Host m = model_.hosts().hosts.of(node);
    if (m == kNone<Host>) return model_.labels()(node);
    const std::string_view device = described_adapter(fabric.description(node)).device_text;
    std::string text(model_.hosts().hosts.name(m));
    if (!device.empty()) return text.append(" ").append(device);
    const Rail rail =
        model_.hosts().rails.rail(fabric, model_.adapters().terminals(adapter).front());
    return rail == kNone<Rail> ? text : fmt::format("{} rail {}", text, index(rail) + 1);
  }
  std::string channel(Channel c) const { return model_.labels().cable(c); }

 private:
  const Model& model_;
};

std::string stage_name(const JobOutcome& outcome) {
  const std::uint32_t stage = outcome.hold.stage;
  const std::vector<std::string>& names = outcome.stage_names;
  return stage < names.size() && !names[stage].empty() ? names[stage]
                                                       : fmt::format("stage {}", stage + 1);
}

// Other jobs on the channel that holds this one back.
std::vector<std::size_t> disturbers(const JobHold& hold, std::size_t job) {
  std::set<std::size_t> others;
  for (const Holder& holder : hold.holders) {
    if (holder.job != job) others.insert(holder.job);
  }
  return {others.begin(), others.end()};
}

// How much longer the job takes flit by flit than by fair rates.
double flit_difference(const JobResult& result) {
  const double fair = result.study.jobs[0].seconds;
  return fair > 0 ? result.flits->seconds[0] / fair - 1 : 0;
}

std::string flits_text(const JobResult& result) {
  if (!result.flits) return "";
  if (result.flits->deadlock) return "flits      a deadlock: packets wait for each other\n";
  const double percent = 100 * flit_difference(result);
  return fmt::format("flits      {} flit by flit, {:.1f}% {} than by fair rates\n",
                     time_text(result.flits->seconds[0]), std::abs(percent),
                     percent < 0 ? "less" : "more");
}

Json flits_json(const JobResult& result) {
  return {{"seconds", result.flits->seconds[0]},
          {"difference", flit_difference(result)},
          {"deadlock", result.flits->deadlock},
          {"flit_hops", result.flits->flit_hops}};
}

// Nothing but the hosts' own cables holds it back.
bool unhindered(const JobHold& hold) { return hold.rate >= hold.own_rate * (1 - 1e-9); }

// Flows between the same ports as one, in the order of the first of them.
std::vector<Holder> joined(const std::vector<Holder>& holders) {
  std::vector<Holder> list;
  std::map<std::tuple<std::size_t, Adapter, Adapter>, std::size_t> known;
  for (const Holder& holder : holders) {
    const auto [at, added] = known.try_emplace({holder.job, holder.from, holder.to}, list.size());
    if (added) {
      list.push_back(holder);
    } else {
      list[at->second].rate += holder.rate;
    }
  }
  return list;
}

std::string hold_text(const Words& words, const JobResult& result) {
  const JobHold& hold = result.study.jobs[0].hold;
  if (hold.channel == kNone<Channel>) return "";
  std::string text =
      fmt::format("slowest    {}: {:.2f} GB/s from {} to {}", stage_name(result.study.jobs[0]),
                  hold.rate / kGiga, time_text(hold.start), time_text(hold.end));
  if (unhindered(hold)) return text + ", all that its own cables give\n";
  text += fmt::format(", where its own cables would give {:.2f}\n", hold.own_rate / kGiga);
  text += fmt::format("           held by {} ({:.2f} GB/s), with\n", words.channel(hold.channel),
                      hold.capacity / kGiga);
  const std::vector<Holder> holders = joined(hold.holders);
  for (std::size_t i = 0; i < holders.size() && i < kShownFlows; ++i) {
    const Holder& holder = holders[i];
    text +=
        fmt::format("             {} to {}, {:.2f} GB/s{}\n", words.port(holder.from),
                    words.port(holder.to), holder.rate / kGiga,
                    holder.job == 0 ? "" : fmt::format(" (job {})", result.jobs[holder.job].name));
  }
  if (holders.size() > kShownFlows) {
    text += fmt::format("             and {} more\n", holders.size() - kShownFlows);
  }
  return text;
}

std::string jobs_table(const Words& words, const JobResult& result) {
  if (result.jobs.size() < 2) return "";
  std::string text = fmt::format("\n{:<16} {:>6} {:>12} {:>12} {:>9}  {}\n", "job", "hosts", "time",
                                 "alone", "slowdown", "disturbed by");
  for (std::size_t j = 0; j < result.jobs.size(); ++j) {
    const JobOutcome& outcome = result.study.jobs[j];
    std::vector<std::string> others;
    for (const std::size_t other : disturbers(outcome.hold, j)) {
      others.push_back(result.jobs[other].name);
    }
    const std::string where = others.empty() ? "-"
                                             : fmt::format("{} on {}", listed(others, 4),
                                                           words.channel(outcome.hold.channel));
    text += fmt::format("{:<16} {:>6} {:>12} {:>12} {:>9.3f}  {}\n", result.jobs[j].name,
                        result.jobs[j].hosts.hosts.size(), time_text(outcome.seconds),
                        time_text(outcome.alone_seconds), slowdown(outcome), where);
  }
  return text;
}

// The best of each way to find one, best first.
std::vector<Improvement::Candidate> scored_once(const Improvement& better) {
  std::vector<Improvement::Candidate> best;
  for (const Improvement::Candidate& one : better.candidates) {
    const bool known = std::any_of(best.begin(), best.end(),
                                   [&](const auto& other) { return other.how == one.how; });
    if (!known) best.push_back(one);
  }
  return best;
}

std::string host_list(const Model& model, const std::vector<Host>& hosts) {
  std::vector<std::string> names;
  for (const Host m : hosts) names.emplace_back(model.hosts().hosts.name(m));
  return hostlist_in_order(names);
}

// "mpirun -np 16 --host hostA:8,hostB:8": NCCL goes by the order of ranks.
std::string nccl_line(const Model& model, const JobResult& result) {
  const std::uint32_t ranks = result.ranks_per_host();
  std::string list;
  for (const Host m : result.hosts()) {
    list += fmt::format("{}{}:{}", list.empty() ? "" : ",", model.hosts().hosts.name(m), ranks);
  }
  return fmt::format("mpirun -np {} --host {}", result.hosts().size() * ranks, list);
}

std::string improved_text(const Model& model, const JobResult& result) {
  if (!result.improved) return "";
  const Improvement& better = *result.improved;
  std::string text = fmt::format("\nbetter     {} ({})", time_text(better.seconds), better.how);
  if (better.given_seconds < 1e300) {
    text += fmt::format("; as given {}, {:.3f} times as long", time_text(better.given_seconds),
                        better.seconds > 0 ? better.given_seconds / better.seconds : 1);
  }
  text += fmt::format("\nbound      {}: {}\n", time_text(better.bound),
                      meets_bound(better) ? "nothing is faster"
                                          : fmt::format("at most {:.3f} times faster",
                                                        better.seconds / better.bound));
  std::vector<std::string> scores;
  for (const Improvement::Candidate& one : scored_once(better)) {
    scores.push_back(fmt::format("{} {}", one.how, time_text(one.seconds)));
  }
  text += fmt::format("tried      {}: {}\n", counted(better.tried, "time"), listed(scores, 6));
  text += fmt::format("order      {}\n", host_list(model, better.hosts));
  return text + fmt::format("NCCL       {}\n", nccl_line(model, result));
}

std::string candidates_table(const Model& model, const JobResult& result) {
  if (result.candidates.empty()) return "";
  std::string text =
      fmt::format("\n{:<16} {:>12} {:>12}  {}\n", "candidate", "time", "busbw GB/s", "hosts");
  for (const JobResult::Scored& scored : result.candidates) {
    text += fmt::format("{:<16} {:>12} {:>12.2f}  {}\n", scored.name, time_text(scored.seconds),
                        algbw(result.jobs[0], scored.seconds) * result.jobs[0].bus_factor,
                        host_list(model, scored.hosts));
  }
  return text;
}

Json improved_json(const Model& model, const JobResult& result) {
  const Improvement& better = *result.improved;
  Json json;
  json["seconds"] = better.seconds;
  json["given_seconds"] = better.given_seconds < 1e300 ? Json(better.given_seconds) : Json(nullptr);
  json["bound_seconds"] = better.bound;
  json["best_possible"] = meets_bound(better);
  json["how"] = better.how;
  json["tried"] = better.tried;
  json["scores"] = Json::array();
  for (const Improvement::Candidate& one : scored_once(better)) {
    json["scores"].push_back({{"how", one.how}, {"seconds", one.seconds}});
  }
  json["order"] = host_list(model, better.hosts);
  json["nccl"] = nccl_line(model, result);
  json["hosts"] = Json::array();
  for (const Host m : better.hosts) {
    json["hosts"].push_back(model.hosts().hosts.name(m));
  }
  return json;
}

Json candidates_json(const Model& model, const JobResult& result) {
  Json list = Json::array();
  for (const JobResult::Scored& scored : result.candidates) {
    list.push_back({{"name", scored.name},
                    {"seconds", scored.seconds},
                    {"busbw", algbw(result.jobs[0], scored.seconds) * result.jobs[0].bus_factor},
                    {"hosts", host_list(model, scored.hosts)}});
  }
  return list;
}

Json unrouted_json(const Words& words, const JobStudy& study) {
  Json list = Json::array();
  for (const JobStudy::Unrouted& pair : study.unrouted) {
    list.push_back({words.port(pair.from), words.port(pair.to)});
  }
  return list;
}

Json hold_json(const Words& words, const JobResult& result, std::size_t j) {
  const JobHold& hold = result.study.jobs[j].hold;
  if (hold.channel == kNone<Channel>) return nullptr;
  Json json;
  json["stage"] = stage_name(result.study.jobs[j]);
  json["start_seconds"] = hold.start;
  json["seconds"] = hold.end - hold.start;
  json["gigabytes_per_second"] = hold.rate / kGiga;
  json["own_gigabytes_per_second"] = hold.own_rate / kGiga;
  json["own_cables"] = unhindered(hold);
  json["channel"] = words.channel(hold.channel);
  json["capacity_gigabytes_per_second"] = hold.capacity / kGiga;
  json["flows"] = Json::array();
  for (const Holder& holder : hold.holders) {
    json["flows"].push_back({{"job", result.jobs[holder.job].name},
                             {"from", words.port(holder.from)},
                             {"to", words.port(holder.to)},
                             {"gigabytes_per_second", holder.rate / kGiga}});
  }
  return json;
}

void put_bandwidth(Json& json, const PlannedJob& job, double seconds) {
  if (job.bus_factor == 0) {
    json["algbw"] = nullptr;
    json["busbw"] = nullptr;
    return;
  }
  json["algbw"] = algbw(job, seconds);
  json["busbw"] = algbw(job, seconds) * job.bus_factor;
}

Json one_job_json(const Words& words, const JobResult& result, std::size_t j) {
  const PlannedJob& job = result.jobs[j];
  const JobOutcome& outcome = result.study.jobs[j];
  Json json;
  json["name"] = job.name;
  json["what"] = job.what;
  json["hosts"] = job.hosts.hosts.size();
  json["seconds"] = outcome.seconds;
  json["alone_seconds"] = outcome.alone_seconds;
  json["own_cables_seconds"] = outcome.own_seconds;
  json["slowdown"] = slowdown(outcome);
  if (result.flits) json["flit_seconds"] = result.flits->seconds[j];
  put_bandwidth(json, job, outcome.seconds);
  json["disturbed_by"] = Json::array();
  for (const std::size_t other : disturbers(outcome.hold, j)) {
    json["disturbed_by"].push_back(
        {{"job", result.jobs[other].name}, {"channel", words.channel(outcome.hold.channel)}});
  }
  return json;
}

}  // namespace

std::string time_text(double seconds) {
  for (const auto& [unit, name] : {std::pair{1.0, "s"}, std::pair{1e-3, "ms"}}) {
    if (seconds >= unit) return fmt::format("{:.4g} {}", seconds / unit, name);
  }
  return fmt::format("{:.4g} us", seconds * 1e6);
}

std::string job_text(const Model& model, const std::string& routing, const JobResult& result) {
  const Words words(model);
  const PlannedJob& job = result.jobs[0];
  std::string text = fmt::format("job        {}: {}, {}, {} each\n", job.what,
                                 counted(job.hosts.hosts.size(), "host"),
                                 counted(job.ranks, "rank"), counted(job.hosts.nics, "adapter"));
  text += fmt::format("routing    {}\n", routing);
  for (const std::string& note : result.notes) text += fmt::format("note       {}\n", note);
  if (!result.study.unrouted.empty()) {
    const JobStudy::Unrouted& first = result.study.unrouted.front();
    return text + fmt::format("no route   {} to {}, the first of {}\n", words.port(first.from),
                              words.port(first.to), counted(result.study.unrouted.size(), "pair"));
  }
  const JobOutcome& outcome = result.study.jobs[0];
  text += fmt::format("time       {}; {} if nothing but the hosts' own cables were in the way\n",
                      time_text(outcome.seconds), time_text(outcome.own_seconds));
  if (job.bus_factor > 0) {
    const double alg = algbw(job, outcome.seconds);
    text +=
        fmt::format("bandwidth  algbw {:.2f} GB/s, busbw {:.2f} GB/s\n", alg, alg * job.bus_factor);
  }
  text +=
      fmt::format("adapters   {:.2f} GB/s each in the mean\n", per_adapter(job, outcome) / kGiga);
  text += fmt::format("efficiency {:.1f}% of what the hosts could do\n", 100 * efficiency(outcome));
  text += flits_text(result);
  text += hold_text(words, result);
  return text + jobs_table(words, result) + candidates_table(model, result) +
         improved_text(model, result);
}

std::string order_file(const Model& model, const std::vector<Host>& hosts, std::uint32_t ranks,
                       OrderFile kind) {
  std::string text;
  std::uint32_t rank = 0;
  for (const Host m : hosts) {
    const std::string_view host = model.hosts().hosts.name(m);
    if (kind == OrderFile::kHostfile) text += fmt::format("{} slots={}\n", host, ranks);
    if (kind == OrderFile::kMachinefile) text += fmt::format("{}:{}\n", host, ranks);
    if (kind == OrderFile::kHostfile || kind == OrderFile::kMachinefile) continue;
    for (std::uint32_t slot = 0; slot < ranks; ++slot) {
      text += kind == OrderFile::kRankfile ? fmt::format("rank {}={} slot={}\n", rank++, host, slot)
                                           : fmt::format("{}\n", host);
    }
  }
  return text;
}

std::string job_json(const Model& model, const std::string& routing, const JobResult& result) {
  const Words words(model);
  const PlannedJob& job = result.jobs[0];
  Json json;
  json["what"] = job.what;
  json["routing"] = routing;
  json["hosts"] = job.hosts.hosts.size();
  json["ranks"] = job.ranks;
  json["adapters"] = job.hosts.nics;
  json["message_bytes"] = job.message_bytes;
  json["notes"] = result.notes;
  json["unrouted"] = unrouted_json(words, result.study);
  if (result.study.unrouted.empty()) {
    const JobOutcome& outcome = result.study.jobs[0];
    json["seconds"] = outcome.seconds;
    json["alone_seconds"] = outcome.alone_seconds;
    json["own_cables_seconds"] = outcome.own_seconds;
    json["efficiency"] = efficiency(outcome);
    put_bandwidth(json, job, outcome.seconds);
    json["gigabytes_per_second_an_adapter"] = per_adapter(job, outcome) / kGiga;
    json["slowest"] = hold_json(words, result, 0);
    json["jobs"] = Json::array();
    for (std::size_t j = 0; j < result.jobs.size(); ++j) {
      json["jobs"].push_back(one_job_json(words, result, j));
    }
    if (result.flits) json["flits"] = flits_json(result);
    if (result.improved) json["improved"] = improved_json(model, result);
    if (!result.candidates.empty()) json["candidates"] = candidates_json(model, result);
  }
  return document(std::move(json));
}

}  // namespace fatwood
