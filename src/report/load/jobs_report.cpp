// SPDX-License-Identifier: BSD-3-Clause
#include "report/load/jobs_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text/hostlist.hpp"
#include "topology/hosts/rails.hpp"
#include "topology/labels.hpp"

namespace fatwood {

namespace {

std::string_view placed_name(Placed placed) {
  return placed == Placed::kNeighbours ? "neighbours" : "random";
}

std::string hosts_text(const Model& model, const std::vector<Host>& hosts) {
  std::vector<std::string> names;
  for (const Host h : hosts) names.emplace_back(model.hosts().hosts.name(h));
  return hostlist_in_order(names);
}

void add_summary(Json& json, const JobSummary& summary) {
  json["mean"] = summary.mean;
  json["worst"] = summary.worst;
  json["ideal_mean"] = summary.ideal_mean;
}

// The leading figures, and those of the other traffics under their names.
void add_summaries(Json& json, const JobSummaries& by_traffic) {
  for (const JobTraffic traffic : kJobTraffics) {
    const auto& summary = by_traffic[static_cast<std::size_t>(traffic)];
    if (traffic == JobTraffic::kAtOnce) {
      add_summary(json, *summary);
      continue;
    }
    Json& part = json[name_of(traffic)];
    if (summary) add_summary(part, *summary);
  }
}

// Rounded towards the worse, so that 100% means all. 0% means nothing: less than 1% has a decimal.
std::string share_text(double share) {
  if (share > 0 && share < 0.01) return fmt::format("{:.2g}%", 100 * share);
  return fmt::format("{}%", static_cast<int>(std::floor(100 * share + 1e-9)));
}

}  // namespace

std::string limit_of(const Model& model, const JobFigures& job) {
  if (job.lost) return "a route is missing";
  if (job.limited_by == kNone<Channel>) return "the hosts' own cables";
  return port_name(model.fabric(), job.limited_by);
}

std::string order_text(const JobEfficiency& jobs) {
  return jobs.order == GivenOrder{}.source ? jobs.order : "the order of " + jobs.order;
}

Json jobs_json(const Model& model, const std::optional<JobEfficiency>& jobs) {
  if (!jobs) return nullptr;
  Json json;
  add_summaries(json, jobs->by_traffic);
  json["sizes"] = Json::list(jobs->cells, [](const JobCell& cell) {
    Json row{{"hosts", cell.hosts}, {"placed", placed_name(cell.placed)}, {"jobs", cell.jobs}};
    add_summaries(row, cell.by_traffic);
    return row;
  });
  const JobShare& share = *jobs->worst.of(JobTraffic::kAtOnce);
  json["worst_job"] = {{"hosts", hosts_text(model, jobs->worst_hosts)},
                       {"size", jobs->worst_hosts.size()},
                       {"efficiency", share.efficiency},
                       {"ideal", share.ideal},
                       {"limited_by", limit_of(model, jobs->worst)}};
  json["host_order"] = jobs->order;
  return json;
}

std::string jobs_sentence(const JobEfficiency& jobs) {
  const auto kept = [](const JobCell& cell) {
    return cell.at_once().mean / std::max(cell.at_once().ideal_mean, 1e-9);
  };
  const JobCell& cell = *std::ranges::min_element(
      jobs.cells, [&](const JobCell& a, const JobCell& b) { return kept(a) < kept(b); });
  const JobSummary& found = cell.at_once();
  return fmt::format("{} {} hosts get {} on average, {} at worst; the cables allow {}", cell.hosts,
                     cell.placed == Placed::kNeighbours ? "neighbouring" : "random",
                     share_text(found.mean), share_text(found.worst), share_text(found.ideal_mean));
}

std::string jobs_text(const Model& model, const JobEfficiency& jobs) {
  const JobSummary& all = jobs.at_once();
  std::string text = fmt::format(
      "\njobs: {:.1f}% of what their own cables allow on average, {:.1f}% at worst; the cables of "
      "the fabric allow {:.1f}%\n(all-to-all at once; hosts in {})\n"
      "\n{:>6} {:<10} {:>7} {:>7} {:>7} {:>9} {:>9} {:>7} {:>7}\n",
      100 * all.mean, 100 * all.worst, 100 * all.ideal_mean, order_text(jobs), "hosts", "placed",
      "mean", "worst", "cables", "in phases", "cables", "ring", "cables");
  for (const JobCell& cell : jobs.cells) {
    const auto of = [&](JobTraffic traffic) {
      return cell.by_traffic[static_cast<std::size_t>(traffic)].value_or(JobSummary{});
    };
    text += fmt::format(
        "{:>6} {:<10} {:>6.1f}% {:>6.1f}% {:>6.1f}% {:>8.1f}% {:>8.1f}% {:>6.1f}% {:>6.1f}%\n",
        cell.hosts, placed_name(cell.placed), 100 * cell.at_once().mean, 100 * cell.at_once().worst,
        100 * cell.at_once().ideal_mean, 100 * of(JobTraffic::kPhases).mean,
        100 * of(JobTraffic::kPhases).ideal_mean, 100 * of(JobTraffic::kRing).mean,
        100 * of(JobTraffic::kRing).ideal_mean);
  }
  text += fmt::format(
      "worst job: {} ({:.1f}%), limited by {}\n", hosts_text(model, jobs.worst_hosts),
      100 * jobs.worst.of(JobTraffic::kAtOnce)->efficiency, limit_of(model, jobs.worst));
  return text;
}

}  // namespace fatwood
