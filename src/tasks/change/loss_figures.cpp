// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/change/loss_figures.hpp"

#include "analysis/faults/lost_pairs.hpp"
#include "analysis/rates/rates_by_loads.hpp"

namespace fatwood {

LossFigures rate_figures(const Model& model, const Routing& routing, const Participants& who,
                         int threads, MeasureJobs jobs, const GivenOrder& order) {
  if (who.adapters.size() < 2) return {};
  const Measured measured(model, who);
  std::optional<JobSummary> of_jobs;
  if (jobs == MeasureJobs::kYes) {
    if (const auto found = measure_jobs(measured, routing, order, threads))
      of_jobs = found->at_once();
  }
  const double usual = model.speeds().usual_gigabits();
  const auto figures = [&](const auto& rates) {
    return LossFigures{.worst_gbps = rates.worst.value() * usual,
                       .p1_gbps = rates.p1.value() * usual,
                       .median_gbps = rates.median.value() * usual,
                       .jobs = of_jobs};
  };
  if (!routing.sets.empty() || !routing.source_routes.empty()) {
    return figures(bottleneck_rates(measured.model(), routing, threads));
  }
  const ChannelUse use = find_channel_use(measured.model(), routing, threads);
  if (const auto rates = rates_by_loads(measured.model(), use)) return figures(*rates);
  return figures(bottleneck_rates(measured.model(), routing, use, threads));
}

LossFigures figures_before(const Model& model, const Routing& routing, const Participants& who,
                           int threads, MeasureJobs jobs, const GivenOrder& order) {
  LossFigures figures = rate_figures(model, routing, who, threads, jobs, order);
  const Measured measured(model, who);
  const PortPairs pairs(measured.model());
  figures.pairs_lost = pairs.connected() - pairs.intact(model, routing, threads);
  return figures;
}

}  // namespace fatwood
