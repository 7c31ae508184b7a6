// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/measured.hpp"

#include <algorithm>
#include <utility>

#include "routing/tables/path_source.hpp"

namespace fatwood {

Participants default_participants(const Model& model) {
  const Participants all = all_participants(model);
  return all.mixed() && all.with(Role::kCompute) > 1 ? participants_with(model, Role::kCompute)
                                                     : all;
}

Measured::Measured(const Model& model, Participants who) : model_(model), who_(std::move(who)) {
  if (who_.adapters.size() == model.adapters().size()) return;
  own_model_ = std::unique_ptr<const Model>(new Model(measured_model(model, who_)));
}

Measured::Measured(const Model& model, const PathSource& paths, Participants who)
    : Measured(model, std::move(who)) {
  paths_ = &paths;
  if (own_model_) own_paths_ = paths_among(*own_model_, model, paths);
}

std::optional<double> PairFigures::of_possible() const {
  if (bottlenecks.empty() || bottlenecks.front().rate > rates.worst) return 1;
  const Fraction& best = bottlenecks.front().best_possible;
  if (best == 0) return std::nullopt;
  return std::min(1.0, rates.worst.value() / best.value());
}

std::optional<std::uint64_t> lost_between_hosts(const Reachability& found,
                                                std::uint64_t unreachable) {
  if (found.lost().terminal_terminal == 0) return 0;
  if (found.disconnected.terminal_terminal > 0) return std::nullopt;
  return unreachable;
}

std::optional<JobEfficiency> measure_jobs(const Measured& measured, const GivenOrder& order,
                                          int threads) {
  return job_efficiency(measured.model(), host_order(measured.model(), order), measured.paths(),
                        threads);
}

std::optional<JobEfficiency> measure_jobs(const Measured& measured, const Routing& routing,
                                          const GivenOrder& order, int threads) {
  return job_efficiency(measured.model(), host_order(measured.model(), order), routing, threads);
}

PairFigures measure_pairs(const Measured& measured, int threads) {
  return measure_pairs(measured, measured.paths(), threads);
}

PairFigures measure_pairs(const Measured& measured, const PathSource& paths, int threads) {
  const Model& model = measured.model();
  PairFigures figures;
  figures.who = measured.who();
  const Table<Terminal, std::uint8_t> takes_part = ports_of_all(model);
  figures.rates = bottleneck_rates(model, paths, takes_part, threads);
  figures.evenness =
      find_evenness(model, figures.rates.loads, takes_part,
                    paths.addresses() == 0 || paths.adaptive() != nullptr ? Splitting::kAnything
                                                                          : Splitting::kBundles,
                    std::max(paths.addresses(), 1U));
  figures.bottlenecks = bottlenecks(model, figures.rates, figures.evenness);
  return figures;
}

}  // namespace fatwood
