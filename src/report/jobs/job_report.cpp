// SPDX-License-Identifier: BSD-3-Clause
#include "report/jobs/job_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "report/jobs/job_figures.hpp"
#include "topology/labels.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kShownFlows = 8;

double per_adapter(const RequestedJob& job, const JobOutcome& outcome) {
  const auto adapters = static_cast<double>(job.hosts.hosts.size() * job.hosts.nics);
  return outcome.seconds > 0 && adapters > 0 ? outcome.bytes / adapters / outcome.seconds : 0;
}

double slowdown(const JobOutcome& outcome) {
  return outcome.alone_seconds > 0 ? outcome.seconds / outcome.alone_seconds : 1;
}

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

// The time of the job flit by flit, relative to fair rates.
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

std::vector<std::string> names_of(const Model& model, const std::vector<Host>& hosts) {
  std::vector<std::string> names;
  for (const Host host : hosts) {
    names.push_back(unique_name(model.fabric(), model.hosts().hosts, host));
  }
  return names;
}

std::string limits_text(const Model& model, const JobResult& result) {
  std::string text;
  for (const LimitingHosts& limit : result.limiting) {
    const std::string why =
        limit.behind == kNone<Switch>
            ? fmt::format("with adapters of {:.4g} GB/s{}, where {:.4g} are usual",
                          limit.bytes_per_second / kGiga,
                          &limit == &result.limiting.front() ? "" : " or less",
                          limit.usual_bytes_per_second / kGiga)
            : "behind " + model.labels()(limit.behind);
    text += fmt::format("limited by {} {}: {}\n", counted(limit.hosts.size(), "host"), why,
                        listed(names_of(model, limit.hosts), 6));
    text += fmt::format("           without them {} ({})", time_text(limit.seconds),
                        counted(limit.rest.hosts.hosts.size(), "host"));
    if (limit.rest.bus_factor > 0) {
      text += fmt::format(", busbw {:.2f} GB/s",
                          algbw(limit.rest, limit.seconds) * limit.rest.bus_factor);
    }
    text += "\n";
  }
  return text;
}

Json limits_json(const Model& model, const JobResult& result) {
  return Json::list(result.limiting, [&](const LimitingHosts& limit) {
    Json json;
    const bool slow = limit.behind == kNone<Switch>;
    json["why"] = slow ? "adapters" : "switch";
    json["hosts"] = names_of(model, limit.hosts);
    json["switch"] = slow ? Json() : Json(model.labels()(limit.behind));
    json["gigabytes_per_second"] = slow ? Json(limit.bytes_per_second / kGiga) : Json();
    json["usual_gigabytes_per_second"] = slow ? Json(limit.usual_bytes_per_second / kGiga) : Json();
    json["hosts_left"] = limit.rest.hosts.hosts.size();
    json["seconds"] = limit.seconds;
    put_bandwidth(json, limit.rest, limit.seconds);
    return json;
  });
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

Json unrouted_json(const Words& words, const JobStudy& study) {
  return Json::list(study.unrouted, [&](const JobStudy::Unrouted& pair) -> Json {
    return {words.port(pair.from), words.port(pair.to)};
  });
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
  json["flows"] = Json::list(hold.holders, [&](const Holder& holder) -> Json {
    return {{"job", result.jobs[holder.job].name},
            {"from", words.port(holder.from)},
            {"to", words.port(holder.to)},
            {"gigabytes_per_second", holder.rate / kGiga}};
  });
  return json;
}

Json one_job_json(const Words& words, const JobResult& result, std::size_t j) {
  const RequestedJob& job = result.jobs[j];
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
  json["disturbed_by"] =
      Json::list(disturbers(outcome.hold, j), [&](const std::size_t other) -> Json {
        return {{"job", result.jobs[other].name}, {"channel", words.channel(outcome.hold.channel)}};
      });
  return json;
}

// The first row that was not refused; nullptr when all were.
const JobResult* any_result(const std::vector<EngineJob>& rows) {
  const auto at = std::ranges::find_if(rows, [](const EngineJob& row) { return !!row.result; });
  return at == rows.end() ? nullptr : &*at->result;
}

std::string row_text(const EngineJob& row) {
  if (!row.result) return fmt::format("{:<12} {}\n", row.name, row.refused);
  const JobStudy& study = row.result->study;
  if (!study.unrouted.empty()) {
    return fmt::format("{:<12} {} without a route\n", row.name,
                       counted(study.unrouted.size(), "pair"));
  }
  const RequestedJob& job = row.result->jobs[0];
  const JobOutcome& outcome = study.jobs[0];
  std::string_view deadlock = "-";
  if (row.deadlock_free) deadlock = *row.deadlock_free ? "none" : "POSSIBLE";
  return fmt::format("{:<12} {:>12} {:>11.2f} {:>10.1f}%  {}{}\n", row.name,
                     time_text(outcome.seconds), algbw(job, outcome.seconds) * job.bus_factor,
                     100 * efficiency(outcome), deadlock, row.adaptive ? ", adaptive" : "");
}

Json row_json(const EngineJob& row) {
  Json json{{"name", row.name}};
  if (!row.result) {
    json["refused"] = row.refused;
    return json;
  }
  const JobStudy& study = row.result->study;
  json["adaptive"] = row.adaptive;
  json["deadlock_free"] = row.deadlock_free;
  json["unrouted"] = study.unrouted.size();
  if (!study.unrouted.empty()) return json;
  json["seconds"] = study.jobs[0].seconds;
  json["efficiency"] = efficiency(study.jobs[0]);
  put_bandwidth(json, row.result->jobs[0], study.jobs[0].seconds);
  return json;
}

}  // namespace

std::string time_text(double seconds) {
  for (const auto& [unit, name] : {std::pair{1.0, "s"}, std::pair{1e-3, "ms"}}) {
    if (seconds >= unit) return fmt::format("{:.4g} {}", seconds / unit, name);
  }
  return fmt::format("{:.4g} us", seconds * 1e6);
}

void put_bandwidth(Json& json, const RequestedJob& job, double seconds) {
  if (job.bus_factor == 0) {
    json["algbw"] = nullptr;
    json["busbw"] = nullptr;
    return;
  }
  json["algbw"] = algbw(job, seconds);
  json["busbw"] = algbw(job, seconds) * job.bus_factor;
}

std::string head_text(const JobResult& result) {
  const RequestedJob& job = result.jobs[0];
  std::string text = fmt::format("job        {}: {}, {}, {} each\n", job.what,
                                 counted(job.hosts.hosts.size(), "host"),
                                 counted(job.ranks, "rank"), counted(job.hosts.nics, "adapter"));
  for (const std::string& note : result.notes) text += fmt::format("note       {}\n", note);
  return text;
}

Json head_json(const JobResult& result) {
  const RequestedJob& job = result.jobs[0];
  return {
      {"what", job.what},           {"hosts", job.hosts.hosts.size()},    {"ranks", job.ranks},
      {"adapters", job.hosts.nics}, {"message_bytes", job.message_bytes}, {"notes", result.notes}};
}

std::string job_text(const Model& model, const std::string& routing, const JobResult& result) {
  const Words words(model);
  const RequestedJob& job = result.jobs[0];
  std::string text = head_text(result) + fmt::format("routing    {}\n", routing);
  if (!result.study.unrouted.empty()) {
    const JobStudy::Unrouted& first = result.study.unrouted.front();
    return text + fmt::format("no route   {} to {}, the first of {}\n", words.port(first.from),
                              words.port(first.to), counted(result.study.unrouted.size(), "pair"));
  }
  const JobOutcome& outcome = result.study.jobs[0];
  text += fmt::format("time       {}; {} if only the hosts' own cables limited it\n",
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
  text += hold_text(words, result) + limits_text(model, result);
  if (efficiency(outcome) < 0.99 && job.bus_factor > 0 && model.levels().is_tree()) {
    text += own_tables_text(model, result);
  }
  return text + jobs_table(words, result) + candidates_table(model, result) +
         improved_text(model, result);
}

std::string job_json(const Model& model, const std::string& routing, const JobResult& result) {
  const Words words(model);
  const RequestedJob& job = result.jobs[0];
  Json json = head_json(result);
  json["routing"] = routing;
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
    json["limiting_hosts"] = limits_json(model, result);
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

std::string job_engines_text(const std::vector<EngineJob>& rows) {
  const JobResult* const any = any_result(rows);
  std::string text = any == nullptr ? "" : head_text(*any);
  text += fmt::format("\n{:<12} {:>12} {:>11} {:>11}  {}\n", "engine", "time", "busbw GB/s",
                      "efficiency", "deadlock");
  for (const EngineJob& row : rows) text += row_text(row);
  return text;
}

std::string job_engines_json(const std::vector<EngineJob>& rows) {
  const JobResult* const any = any_result(rows);
  Json json = any == nullptr ? Json::object() : head_json(*any);
  json["engines"] = Json::list(rows, [&](const EngineJob& row) { return row_json(row); });
  return document(std::move(json));
}

}  // namespace fatwood
