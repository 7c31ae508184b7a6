// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/faults/put_back.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <tuple>

#include "analysis/faults/lost_pairs.hpp"
#include "analysis/load/all_to_all.hpp"
#include "analysis/permutations/standing_permutations.hpp"
#include "analysis/rates/bottleneck.hpp"
#include "core/share_out.hpp"
#include "routing/improve/standing_flows.hpp"

namespace fatwood {

namespace {

Fraction most_loaded_at(const Model& model, const ChannelUse& use, const NewCable& cable) {
  const Fabric& fabric = model.fabric();
  const MostLoaded most(model, use.units_in_one);
  const auto load = [&](Channel c) {
    return most.load(c, static_cast<std::int64_t>(use.flows[c]));
  };
  Fraction largest = 0;
  for (const Switch s : {cable.below, cable.above}) {
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

PutBackOrder find_put_back(const Model& model, const Participants& who, const Engine& engine,
                           const RouteOptions& options, const Progress& progress,
                           const WorkShare& share) {
  PutBackOrder result;
  const std::vector<NewCable> missing = missing_one_by_one(model);
  result.missing = missing.size();
  if (missing.empty()) return result;
  const Routing routing = route(engine, model, options);
  const Model now = measured_model(model, who);
  const ChannelUse use = find_channel_use(now, routing, options.threads);
  result.now = standing(now, routing, use, options.threads);
  RouteOptions alone = options;  // engines with one thread gain most from cables side by side
  alone.threads = threads_of_each(missing.size(), options.threads);
  alone.progress = {};
  const auto put_back = [&](const NewCable& cable) -> PutBack {
    const Model with(with_cables(model, std::span(&cable, 1)).fabric, model.hints());
    const Routing then = route(engine, with, alone);
    const Model measured = measured_model(with, who);
    const ChannelUse use_then = find_channel_use(measured, then, alone.threads);
    return {cable, standing(measured, then, use_then, alone.threads),
            most_loaded_at(now, use, cable), most_loaded_at(measured, use_then, cable)};
  };
  std::mutex mutex;
  std::size_t done = 0;
  result.cables = share_out(share, missing.size(), options.threads, [&](std::size_t i, int) {
    PutBack found = put_back(missing[i]);
    const std::lock_guard lock(mutex);
    report(progress, static_cast<double>(++done) / static_cast<double>(missing.size() + 1),
           "cables put back");
    return found;
  });
  std::erase_if(result.cables,
                [&](const PutBack& back) { return worth(back.then) >= worth(result.now); });
  result.all =
      standing_with(Model(with_cables(model, missing).fabric, model.hints()), who, engine, options);
  std::ranges::stable_sort(result.cables, {}, [](const PutBack& back) {
    const double relief =
        back.ends_before == 0 ? 1 : back.ends_after.value() / back.ends_before.value();
    return std::tuple(worth(back.then), relief);
  });
  return result;
}

}  // namespace fatwood
