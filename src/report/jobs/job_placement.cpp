// SPDX-License-Identifier: BSD-3-Clause
// Better orders of a job's hosts, other placements, and the files that start ranks on them.

#include <fmt/format.h>

#include <algorithm>

#include "core/text/hostlist.hpp"
#include "report/jobs/job_figures.hpp"
#include "report/jobs/job_report.hpp"
#include "topology/hosts/own_name.hpp"
#include "topology/labels.hpp"

namespace fatwood {
namespace {

bool meets_bound(const Improvement& better) { return better.seconds <= better.bound * (1 + 1e-9); }

// The best of each method, best first.
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
  for (const Host m : hosts) names.push_back(unique_name(model.fabric(), model.hosts().hosts, m));
  return hostlist_in_order(names);
}

std::vector<std::string> unnamed_hosts(const Model& model, const std::vector<Host>& hosts) {
  const Hosts& all = model.hosts().hosts;
  std::vector<std::string> names;
  for (const Host m : hosts) {
    if (!has_own_name(all, m)) names.emplace_back(all.name(m));
  }
  return names;
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

}  // namespace

std::string own_tables_text(const Model& model, const JobResult& result) {
  constexpr std::size_t kMostLetters = 400;
  const RequestedJob& job = result.jobs[0];
  std::string hosts = host_list(model, job.hosts.hosts);
  if (hosts.size() > kMostLetters || hosts.find_first_of(" '") != std::string::npos) {
    hosts = "HOSTS";
  }
  return fmt::format(
      "try        fatwood route FABRIC even --for job:<(echo 'job {} {}') -o job.lft\n", hosts,
      job.what.substr(0, job.what.find(" of ")));
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
  const std::vector<std::string> unnamed = unnamed_hosts(model, result.hosts());
  if (unnamed.empty()) return text + fmt::format("NCCL       {}\n", nccl_line(model, result));
  return text + fmt::format("NCCL       not known: {} no name of a host; see --node-name-map\n",
                            listed(unnamed, 3) + (unnamed.size() == 1 ? " is" : " are"));
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
  json["scores"] = Json::list(scored_once(better), [&](const Improvement::Candidate& one) -> Json {
    return {{"how", one.how}, {"seconds", one.seconds}};
  });
  json["order"] = host_list(model, better.hosts);
  const std::vector<std::string> unnamed = unnamed_hosts(model, result.hosts());
  json["nccl"] = unnamed.empty() ? Json(nccl_line(model, result)) : Json();
  json["unnamed"] = Json::list(unnamed, [](const std::string& name) { return name; });
  json["hosts"] = Json::list(better.hosts, [&](const Host m) {
    return unique_name(model.fabric(), model.hosts().hosts, m);
  });
  return json;
}

Json candidates_json(const Model& model, const JobResult& result) {
  return Json::list(result.candidates, [&](const JobResult::Scored& scored) -> Json {
    return {{"name", scored.name},
            {"seconds", scored.seconds},
            {"busbw", algbw(result.jobs[0], scored.seconds) * result.jobs[0].bus_factor},
            {"hosts", host_list(model, scored.hosts)}};
  });
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

}  // namespace fatwood
