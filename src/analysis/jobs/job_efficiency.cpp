// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/jobs/job_efficiency.hpp"

#include <algorithm>
#include <memory>

#include "analysis/jobs/job_bound.hpp"
#include "analysis/jobs/job_loads.hpp"
#include "core/parallel.hpp"
#include "routing/algebraic/tables.hpp"

namespace fatwood {
namespace {

JobShare share_of(double own, double load, double bound, bool lost) {
  JobShare share;
  if (own > 0) {
    share.efficiency = lost ? 0 : own / std::max(own, load);
    share.ideal = own / std::max(own, bound);
  }
  return share;
}

JobFigures figures_of(const JobFlows& flows, const JobPeaks& peaks, const JobBound& bound) {
  JobFigures figures;
  figures.lost = peaks.lost;
  const auto put = [&](JobTraffic traffic, double own, double load, double least) {
    figures.share[static_cast<std::size_t>(traffic)] = share_of(own, load, least, peaks.lost);
  };
  put(JobTraffic::kAtOnce, flows.own_at_once(), peaks.at_once.load, bound.at_once);
  if (flows.rails() > 1) {
    put(JobTraffic::kDirect, flows.own_direct(), peaks.direct.load, bound.direct);
  }
  double own = 0;
  double load = 0;
  double least = 0;
  for (std::uint32_t slot = 1; slot < flows.slots(); ++slot) {
    const double cables = flows.own_slots()[slot];
    own += cables;
    load += std::max(cables, peaks.slots[slot].load);
    least += std::max(cables, bound.slots[slot]);
  }
  put(JobTraffic::kPhases, own, load, least);
  put(JobTraffic::kRing, flows.own_slots()[0], peaks.slots[0].load, bound.slots[0]);
  if (peaks.at_once.load > flows.own_at_once()) figures.limited_by = peaks.at_once.channel;
  return figures;
}

std::vector<JobFigures> run_windows(const JobSetting& setting,
                                    const std::vector<JobWindow>& windows, const JobLoads& loads,
                                    FlowPaths paths, int threads) {
  const JobCuts cuts(setting);
  std::vector<std::unique_ptr<JobLoads>> own(static_cast<std::size_t>(thread_count(threads)));
  std::vector<JobFigures> figures(windows.size());
  // The largest jobs take longest: they come first.
  parallel_for(windows.size(), threads, [&](std::size_t item, int thread) {
    const std::size_t at = windows.size() - 1 - item;
    std::unique_ptr<JobLoads>& mine = own[static_cast<std::size_t>(thread)];
    if (mine == nullptr) mine = loads.copy();
    const JobFlows flows(setting, windows[at]);
    figures[at] = figures_of(flows, mine->peaks(flows), cuts.bound(flows, paths));
  });
  return figures;
}

std::vector<JobFigures> of_tables(const JobSetting& setting, const std::vector<JobWindow>& windows,
                                  const ForwardingTables& tables, int threads) {
  return run_windows(setting, windows, *table_loads(setting, tables),
                     tables.lmc() == 0 ? FlowPaths::kOne : FlowPaths::kSeveral, threads);
}

std::vector<JobFigures> of_adaptive(const JobSetting& setting,
                                    const std::vector<JobWindow>& windows, const Routing& routing,
                                    int threads) {
  return run_windows(setting, windows, *adaptive_loads(setting, routing, threads),
                     FlowPaths::kSeveral, threads);
}

// Algebraic routings with one path per destination, as tables: trees are faster than lists.
std::optional<ForwardingTables> tables_of(const Model& model, const PathSource& paths,
                                          int threads) {
  const AlgebraicRouting* routing = paths.algebraic();
  if (routing == nullptr || routing->depends_on() != DependsOn::kDestination ||
      routing->most() != 1 || routing->space().u(1) != 1) {
    return std::nullopt;
  }
  const std::shared_ptr<const AlgebraicRouting> borrowed(routing, [](const auto*) {});
  return make_tables(model, borrowed, threads).routing.tables;
}

// Adds jobs of one kind up.
JobSummaries summarise_jobs(std::span<const JobFigures> jobs) {
  JobSummaries result;
  for (const JobTraffic traffic : kJobTraffics) {
    JobSummary sum{0, 1, 0};
    double count = 0;
    for (const JobFigures& job : jobs) {
      const std::optional<JobShare>& share = job.of(traffic);
      if (!share) continue;
      sum.mean += share->efficiency;
      sum.ideal_mean += share->ideal;
      sum.worst = std::min(sum.worst, share->efficiency);
      ++count;
    }
    if (count == 0) continue;
    result[static_cast<std::size_t>(traffic)] =
        JobSummary{sum.mean / count, sum.worst, sum.ideal_mean / count};
  }
  return result;
}

JobSummaries summarise_cells(const std::vector<JobCell>& cells) {
  JobSummaries result;
  for (std::size_t traffic = 0; traffic < result.size(); ++traffic) {
    JobSummary sum{0, 1, 0};
    double count = 0;
    for (const JobCell& cell : cells) {
      if (!cell.by_traffic[traffic]) continue;
      sum.mean += cell.by_traffic[traffic]->mean;
      sum.ideal_mean += cell.by_traffic[traffic]->ideal_mean;
      sum.worst = std::min(sum.worst, cell.by_traffic[traffic]->worst);
      ++count;
    }
    if (count > 0) result[traffic] = {sum.mean / count, sum.worst, sum.ideal_mean / count};
  }
  return result;
}

// Hops of a shortest path between switches with hosts: the mean over all paths from a few of them.
double mean_hops(const Model& model) {
  constexpr std::size_t kSources = 4;
  const PortGraph& graph = model.port_graph();
  const std::vector<std::uint32_t> leaves = sending_switches(model);
  double hops = 0;
  double paths = 0;
  for (std::size_t i = 0; i < std::min(kSources, leaves.size()); ++i) {
    const Switch source{leaves[i * leaves.size() / kSources]};
    Table<Switch, std::uint32_t> distance(graph.size(), UINT32_MAX);
    distance[source] = 0;
    std::vector<Switch> reached{source};
    for (std::size_t at = 0; at < reached.size(); ++at) {
      for (const Switch next : graph.neighbours(reached[at])) {
        if (distance[next] != UINT32_MAX) continue;
        distance[next] = distance[reached[at]] + 1;
        reached.push_back(next);
      }
    }
    for (const std::uint32_t leaf : leaves) {
      if (distance[Switch{leaf}] == UINT32_MAX) continue;
      hops += distance[Switch{leaf}];
      ++paths;
    }
  }
  return paths == 0 ? 0 : hops / paths;
}

// Leaves out the largest sizes if all jobs would take more than kMostVisits per terminal.
void limit_visits(const Model& model, const HostOrder& order, std::vector<JobWindow>& windows) {
  const auto hosts = static_cast<double>(std::max<std::size_t>(1, order.size()));
  const double ports = std::max(1.0, static_cast<double>(model.fabric().num_terminals()) / hosts);
  const auto switches = static_cast<double>(model.fabric().num_switches());
  const double hops = mean_hops(model);
  double visits = 0;
  for (const JobWindow& window : windows) {
    const auto members = static_cast<double>(window.size());
    const double tree = std::min(switches, members * hops);  // of one destination
    visits += members * ports * (tree + (kMostPhases + 1) * hops);
    if (visits <= kMostVisits * hosts * ports || window.size() == windows.front().size()) continue;
    const std::size_t first_left_out = window.size();
    std::erase_if(windows, [&](const JobWindow& one) { return one.size() >= first_left_out; });
    return;
  }
}

template <class Routes>
std::optional<JobEfficiency> efficiency_of(const Model& model, const HostOrder& order,
                                           const Routes& routes, std::uint32_t most, int threads) {
  std::vector<JobWindow> windows = job_windows(order.size(), usual_hosts_of_leaf(model, order));
  std::erase_if(windows, [&](const JobWindow& window) { return window.size() > most; });
  if (windows.empty()) return std::nullopt;
  limit_visits(model, order, windows);
  const std::vector<JobFigures> figures = job_figures(model, order, windows, routes, threads);
  JobEfficiency result;
  result.order = order.source;
  result.ranked = static_cast<std::uint32_t>(order.size());
  std::size_t worst = 0;
  for (std::size_t begin = 0; begin < windows.size();) {
    std::size_t end = begin;
    while (end < windows.size() && windows[end].size() == windows[begin].size() &&
           windows[end].placed == windows[begin].placed) {
      const double found = figures[end].of(JobTraffic::kAtOnce)->efficiency;
      if (found < figures[worst].of(JobTraffic::kAtOnce)->efficiency) worst = end;
      ++end;
    }
    result.cells.push_back({static_cast<std::uint32_t>(windows[begin].size()),
                            windows[begin].placed, static_cast<std::uint32_t>(end - begin),
                            summarise_jobs(std::span(figures).subspan(begin, end - begin))});
    begin = end;
  }
  result.by_traffic = summarise_cells(result.cells);
  for (const std::uint32_t member : windows[worst].members) {
    result.worst_hosts.push_back(order.hosts[member]);
  }
  result.worst = figures[worst];
  return result;
}

}  // namespace

std::vector<JobFigures> job_figures(const Model& model, const HostOrder& order,
                                    const std::vector<JobWindow>& windows, const Routing& routing,
                                    int threads) {
  const JobSetting setting(model, order);
  if (!routing.source_routes.empty()) {
    return job_figures(model, order, windows, *path_source(model, Routing(routing)), threads);
  }
  if (!routing.sets.empty()) return of_adaptive(setting, windows, routing, threads);
  return of_tables(setting, windows, routing.tables, threads);
}

std::vector<JobFigures> job_figures(const Model& model, const HostOrder& order,
                                    const std::vector<JobWindow>& windows, const PathSource& paths,
                                    int threads) {
  const JobSetting setting(model, order);
  if (const Routing* adaptive = paths.adaptive()) {
    return of_adaptive(setting, windows, *adaptive, threads);
  }
  if (const ForwardingTables* tables = paths.tables()) {
    return of_tables(setting, windows, *tables, threads);
  }
  if (const auto made = tables_of(model, paths, threads)) {
    return of_tables(setting, windows, *made, threads);
  }
  return run_windows(setting, windows, *path_loads(setting, paths), FlowPaths::kSeveral, threads);
}

std::optional<JobEfficiency> job_efficiency(const Model& model, const HostOrder& order,
                                            const Routing& routing, int threads) {
  const std::uint32_t most = routing.source_routes.empty() ? UINT32_MAX : kMostListed;
  return efficiency_of(model, order, routing, most, threads);
}

std::optional<JobEfficiency> job_efficiency(const Model& model, const HostOrder& order,
                                            const PathSource& paths, int threads) {
  const bool trees = paths.adaptive() != nullptr || paths.tables() != nullptr ||
                     (paths.algebraic() != nullptr && paths.algebraic()->most() == 1 &&
                      paths.algebraic()->depends_on() == DependsOn::kDestination);
  return efficiency_of(model, order, paths, trees ? UINT32_MAX : kMostListed, threads);
}

}  // namespace fatwood
