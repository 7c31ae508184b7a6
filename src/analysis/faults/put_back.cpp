// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/faults/put_back.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <tuple>

#include "analysis/faults/lost_pairs.hpp"
#include "analysis/load/all_to_all.hpp"
#include "analysis/permutations/standing_permutations.hpp"
#include "analysis/rates/bottleneck.hpp"
#include "core/share_out.hpp"
#include "routing/improve/standing_flows.hpp"
#include "topology/change/recabling.hpp"

namespace fatwood {

namespace {

Fraction most_loaded_at(const Model& model, const ChannelUse& use, Switch below, Switch above) {
  const Fabric& fabric = model.fabric();
  const MostLoaded most(model, use.units_in_one);
  const auto load = [&](Channel c) {
    return most.load(c, static_cast<std::int64_t>(use.flows[c]));
  };
  Fraction largest = 0;
  for (const Switch s : {below, above}) {
    for (const SwitchLink& link : fabric.links(s)) {
      largest = std::max({largest, load(link.channel), load(fabric.peer(link.channel))});
    }
  }
  return largest;
}

// The missing cables one by one, with their ports where these are known.
std::vector<NewCable> missing_one_by_one(const Model& model) {
  const Recognition& known = model.recognition();
  std::vector<NewCable> cables;
  for (const CableGap& gap : known.missing) {
    const FreePorts ports = where_missing(model.fabric(), known.blocks, gap);
    for (std::uint32_t i = gap.there; i < gap.usual; ++i) {
      const std::size_t k = i - gap.there;
      const auto port = [&](const std::vector<Channel>& known_ports) {
        return k < known_ports.size() ? known_ports[k] : kNone<Channel>;
      };
      cables.push_back({gap.below, gap.above, port(ports.below), port(ports.above)});
    }
  }
  return cables;
}

// The better standing compares less. Rates are compared to 1% of a port: smaller differences are
// noise of the engine.
auto worth(const Standing& standing) {
  const auto percent = [](double share) { return -std::lround(100 * share); };
  return std::tuple(-static_cast<std::int64_t>(standing.pairs), percent(standing.worst),
                    percent(standing.p1), percent(standing.median));
}

}  // namespace

Standing standing(const Model& model, const Routing& routing, const ChannelUse& use, int threads) {
  Standing result;
  const PortPairs pairs(model);
  result.pairs = pairs.intact(model, routing, threads);
  result.pairs_lost = pairs.connected() - result.pairs;
  const AllToAllLoad load = all_to_all_load(model, use);
  result.mload = load.mload;
  result.gigabits = load.gigabits;
  const BottleneckRates rates = bottleneck_rates(model, routing, use, threads);
  result.worst = rates.worst.value();
  result.p1 = rates.p1.value();
  result.median = rates.median.value();
  result.usual_gigabits = model.speeds().usual_gigabits();
  return result;
}

Standing standing_with(const Model& model, const Participants& who, const Engine& engine,
                       const RouteOptions& options, std::size_t permutations, std::uint64_t seed) {
  const Routing routing = route(engine, model, options);
  const Model measured = measured_model(model, who);
  const ChannelUse use = find_channel_use(measured, routing, options.threads);
  Standing result = standing(measured, routing, use, options.threads);
  if (permutations == 0 || !routing.sets.empty()) return result;
  const StandingFlows flows(measured, routing.tables, options.threads);
  result.permutation_gigabits =
      StandingPermutations(measured, routing.tables, flows, permutations, seed).gigabits();
  return result;
}

namespace {

// A cable that is tried: the switches at its ends, and the fabric with it.
struct Trial {
  Switch below, above;
  std::function<Fabric()> fabric;
};
struct Tried {
  Standing then;
  Fraction ends_before = 0, ends_after = 0;
};
// What each cable gives, by number; and the numbers of those that gain something, best first.
struct Trials {
  std::vector<Tried> each;
  std::vector<std::size_t> best_first;
  Standing now;
};

Trials try_cables(const Model& model, const Participants& who, const Engine& engine,
                  const RouteOptions& options, const std::vector<Trial>& trials,
                  const Progress& progress, const WorkShare& share, std::string_view what) {
  Trials result;
  const Routing routing = route(engine, model, options);
  const Model now = measured_model(model, who);
  const ChannelUse use = find_channel_use(now, routing, options.threads);
  result.now = standing(now, routing, use, options.threads);
  RouteOptions alone = options;  // engines with one thread gain most from cables side by side
  alone.threads = threads_of_each(trials.size(), options.threads);
  alone.progress = {};
  std::mutex mutex;
  std::size_t done = 0;
  result.each = share_out(share, trials.size(), options.threads, [&](std::size_t i, int) {
    const Trial& trial = trials[i];
    const Model with(trial.fabric(), model.hints());
    const Routing then = route(engine, with, alone);
    const Model measured = measured_model(with, who);
    const ChannelUse use_then = find_channel_use(measured, then, alone.threads);
    Tried tried{standing(measured, then, use_then, alone.threads),
                most_loaded_at(now, use, trial.below, trial.above),
                most_loaded_at(measured, use_then, trial.below, trial.above)};
    const std::lock_guard lock(mutex);
    report(progress, static_cast<double>(++done) / static_cast<double>(trials.size() + 1),
           std::string(what));
    return tried;
  });
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (worth(result.each[i].then) < worth(result.now)) result.best_first.push_back(i);
  }
  std::ranges::stable_sort(result.best_first, {}, [&](std::size_t i) {
    const Tried& tried = result.each[i];
    const double relief =
        tried.ends_before == 0 ? 1 : tried.ends_after.value() / tried.ends_before.value();
    return std::tuple(worth(tried.then), relief);
  });
  return result;
}

// Slow cables, from their lower switches.
std::vector<std::pair<Channel, Rate>> slow_cables(const Model& model) {
  std::vector<std::pair<Channel, Rate>> slow;
  for (const Finding& finding : model.recognition().findings) {
    if (finding.kind != FindingKind::kSlowCable) continue;
    slow.emplace_back(finding.ports.front(), std::get<UsualRate>(finding.facts).usual);
  }
  return slow;
}

}  // namespace

PutBackOrder find_put_back(const Model& model, const Participants& who, const Engine& engine,
                           const RouteOptions& options, const Progress& progress,
                           const WorkShare& share) {
  PutBackOrder result;
  const std::vector<NewCable> missing = missing_one_by_one(model);
  result.missing = missing.size();
  if (missing.empty()) return result;
  std::vector<Trial> trials;
  for (const NewCable& cable : missing) {
    trials.push_back({cable.below, cable.above, [&model, &cable] {
                        return with_cables(model, std::span(&cable, 1)).fabric;
                      }});
  }
  const Trials tried =
      try_cables(model, who, engine, options, trials, progress, share, "cables put back");
  result.now = tried.now;
  for (const std::size_t i : tried.best_first) {
    const Tried& one = tried.each[i];
    result.cables.push_back({missing[i], one.then, one.ends_before, one.ends_after});
  }
  result.all =
      standing_with(Model(with_cables(model, missing).fabric, model.hints()), who, engine, options);
  return result;
}

ReplaceOrder find_replace(const Model& model, const Participants& who, const Engine& engine,
                          const RouteOptions& options, const Progress& progress,
                          const WorkShare& share) {
  ReplaceOrder result;
  const Fabric& fabric = model.fabric();
  const std::vector<std::pair<Channel, Rate>> slow = slow_cables(model);
  result.slow = slow.size();
  if (slow.empty()) return result;
  std::vector<Trial> trials;
  Recabling all{"replace", {}, {}};
  for (const auto& [cable, rate] : slow) {
    const Recabling change = replaced_cable(fabric, cable, rate);
    all.out.push_back(cable);
    all.in.push_back(change.in.front());
    trials.push_back({fabric.as_switch(fabric.owner(cable)), fabric.next_switch(cable),
                      [&fabric, change] { return recabled(fabric, change); }});
  }
  const Trials tried =
      try_cables(model, who, engine, options, trials, progress, share, "cables replaced");
  for (const std::size_t i : tried.best_first) {
    const Tried& one = tried.each[i];
    result.cables.push_back(
        {slow[i].first, slow[i].second, one.then, one.ends_before, one.ends_after});
  }
  result.all = standing_with(Model(recabled(fabric, all), model.hints()), who, engine, options);
  return result;
}

}  // namespace fatwood
