// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/change/improve_cabling.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <numeric>
#include <tuple>

#include "core/error.hpp"
#include "core/share_out.hpp"
#include "tasks/quick_engine.hpp"
#include "topology/change/cabling_candidates.hpp"

namespace fatwood {
namespace {

// The better figures are greater. A port of `usual` Gb/s is 1; 0: speeds are unknown.
auto worth_of(const LossFigures& figures, double usual) {
  const double jobs = figures.jobs ? figures.jobs->mean : 0;
  const double worst = usual > 0 ? figures.worst_gbps / usual : jobs;
  return std::tuple((jobs + worst) / 2, jobs, figures.p1_gbps, figures.median_gbps);
}

class Advisor {
 public:
  Advisor(const Model& model, const AdviceOptions& options)
      : first_(model), options_(options), engine_(find_engine(quick_engine(model).name)) {
    result_.engine = engine_.name;
    result_.who = default_participants(model);
  }

  CablingAdvice run() {
    const double usual = first_.speeds().usual_gigabits();
    result_.now = figures(first_, options_.route);
    std::vector<Recabling> candidates = cabling_candidates(first_);
    result_.candidates = candidates.size();
    if (candidates.size() > kMostCandidates) candidates.resize(kMostCandidates);
    result_.tried = candidates.size();
    LossFigures now = result_.now;
    while (result_.steps.size() < options_.steps && !candidates.empty()) {
      const std::vector<LossFigures> then = try_all(candidates);
      std::vector<std::size_t> order(candidates.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::ranges::stable_sort(order, std::ranges::greater(),
                               [&](std::size_t i) { return worth_of(then[i], usual); });
      const std::size_t best = order.front();
      const double gain = get<0>(worth_of(then[best], usual)) - get<0>(worth_of(now, usual));
      if (gain < kLeastGain) break;
      now = then[best];
      result_.steps.push_back({candidates[best], now});
      own_ = std::make_unique<const Model>(recabled(current().fabric(), candidates[best]),
                                           first_.hints());
      candidates = next(candidates, order);
    }
    return std::move(result_);
  }

 private:
  const Model& current() const { return own_ ? *own_ : first_; }

  LossFigures figures(const Model& model, const RouteOptions& route_options) const {
    const Routing routing = route(engine_, model, route_options);
    return figures_before(model, routing, result_.who, route_options.threads, MeasureJobs::kYes);
  }

  std::vector<LossFigures> try_all(const std::vector<Recabling>& candidates) {
    RouteOptions alone = options_.route;
    alone.threads = threads_of_each(candidates.size(), options_.route.threads);
    std::vector<LossFigures> found(candidates.size());
    std::mutex mutex;
    std::size_t done = 0;
    parallel_for(candidates.size(), options_.route.threads, [&](std::size_t i, int) {
      const Model with(recabled(current().fabric(), candidates[i]), first_.hints());
      try {
        found[i] = figures(with, alone);
      } catch (const PromiseError&) {
        found[i] = {};  // the engine does not route this fabric
      }
      const std::lock_guard lock(mutex);
      report(options_.progress,
             static_cast<double>(++done) / static_cast<double>(candidates.size()), "changes tried");
    });
    return found;
  }

  // Those of the changed fabric that were among the best before, or are new.
  std::vector<Recabling> next(const std::vector<Recabling>& tried,
                              const std::vector<std::size_t>& order) const {
    const auto key = [](const Recabling& change) {
      std::vector<Channel> ends = change.out;
      for (const Recabling::Cable& cable : change.in) {
        ends.push_back(cable.from);
        ends.push_back(cable.to);
      }
      return ends;
    };
    std::vector<std::vector<Channel>> poor;
    for (std::size_t k = kAgain; k < order.size(); ++k) poor.push_back(key(tried[order[k]]));
    std::ranges::sort(poor);
    std::vector<Recabling> candidates = cabling_candidates(current());
    std::erase_if(candidates, [&](const Recabling& change) {
      return std::ranges::binary_search(poor, key(change));
    });
    if (candidates.size() > kMostCandidates) candidates.resize(kMostCandidates);
    return candidates;
  }

  const Model& first_;
  const AdviceOptions& options_;
  const Engine& engine_;
  std::unique_ptr<const Model> own_;  // after the steps
  CablingAdvice result_;
};

}  // namespace

CablingAdvice improve_cabling(const Model& model, const AdviceOptions& options) {
  return Advisor(model, options).run();
}

}  // namespace fatwood
