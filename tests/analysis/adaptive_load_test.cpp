// SPDX-License-Identifier: BSD-3-Clause
// Loads of adaptive tables: even splits against every path walked with fractions, hashed choices
// against balls in bins and against a second way that keeps every path.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "analysis/load/channel_use.hpp"
#include "analysis/load/even_split.hpp"
#include "analysis/load/hashed_load.hpp"
#include "core/random.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "support/small_fabrics.hpp"

namespace fatwood {
namespace {

Traffic all_to_all(const Model& model) {
  Traffic traffic{.adapters = model.adapters().size()};
  for (const Adapter s : ids<Adapter>(model.adapters().size())) {
    for (const Adapter d : ids<Adapter>(model.adapters().size())) {
      if (s != d) traffic.flows.push_back({s, d, 1});
    }
  }
  return traffic;
}

using Loads = std::map<Channel, Fraction>;

// The slow way: from switch to switch, each port its part.
void walk(const Fabric& fabric, const Routing& routing, Switch s, Destination destination,
          Fraction amount, Loads& loads) {
  const auto ports = routing.ports(s, destination);
  for (const Port port : ports) {
    const Fraction part = amount / Fraction(static_cast<std::int64_t>(ports.size()));
    const Channel c = fabric.channel(fabric.node(s), port);
    auto [at, fresh] = loads.try_emplace(c, Fraction(0));
    at->second = at->second + part;
    if (!fabric.is_switch(fabric.neighbour(c))) continue;
    walk(fabric, routing, fabric.as_switch(fabric.neighbour(c)), destination, part, loads);
  }
}

Loads slow_loads(const Model& model, const Routing& routing, const Traffic& traffic) {
  Loads loads;
  const Fabric& fabric = model.fabric();
  for (const Flow& flow : traffic.flows) {
    const std::vector<PortPath> paths = port_paths(model, routing, flow);
    for (const PortPath& path : paths) {
      const Fraction amount(flow.units, static_cast<std::int64_t>(paths.size()));
      const Channel out = fabric.terminal_channel(path.from);
      auto [at, fresh] = loads.try_emplace(out, Fraction(0));
      at->second = at->second + amount;
      walk(fabric, routing, fabric.leaf(path.from), path.to, amount, loads);
    }
  }
  return loads;
}

TEST(EvenSplit, IsWhatEveryPathCarries) {
  for (const char* const spec :
       {"ft(4,3)", "xgft(2;3,4;1,3)", "pgft(2;2,4;1,2;1,2)", "pgft(3;2,2,2;1,2,2;1,2,1)"}) {
    SCOPED_TRACE(spec);
    const Model model(make_fabric(spec));
    for (const unsigned lmc : {0U, 1U}) {
      const Routing routing = route(find_engine("ar_updn"), model, {.lmc = lmc});
      const Traffic traffic = all_to_all(model);
      const LinkLoads found = even_split_loads(model, routing, traffic, 1);
      EXPECT_TRUE(found.exact);
      const Loads slow = slow_loads(model, routing, traffic);
      for (const Channel c : ids<Channel>(model.fabric().num_channels())) {
        const auto at = slow.find(c);
        EXPECT_EQ(found.load(c), at == slow.end() ? Fraction(0) : at->second);
      }
      EXPECT_EQ(found.units, even_split_loads(model, routing, traffic, 3).units);
      const ChannelUse use = find_channel_use(model, routing);
      for (const Channel c : ids<Channel>(model.fabric().num_channels())) {
        if (!model.fabric().is_switch(model.fabric().owner(c))) continue;
        EXPECT_EQ(Fraction(static_cast<std::int64_t>(use.flows[c]),
                           static_cast<std::int64_t>(use.units_in_one)),
                  found.load(c));
      }
    }
  }
}

// P(no bin has more than `most` of k balls in k bins), by the coefficient of a power series.
double none_above(unsigned k, unsigned most) {
  std::vector<double> product(k + 1);  // of the bins so far; [i]: i balls, times 1/i!
  product[0] = 1;
  for (unsigned bin = 0; bin < k; ++bin) {
    std::vector<double> next(k + 1);
    for (unsigned i = 0; i <= k; ++i) {
      double factorial = 1;
      for (unsigned j = 0; j <= most && i + j <= k; ++j) {
        if (j > 0) factorial *= j;
        next[i + j] += product[i] / factorial;
      }
    }
    product = next;
  }
  return product[k] * std::exp(std::lgamma(k + 1.0) - k * std::log(k));
}

// k hosts of one leaf send to k hosts of the other, by k spines.
Traffic across(const Model& model, std::uint32_t k) {
  Traffic traffic{.adapters = model.adapters().size()};
  for (std::uint32_t i = 0; i < k; ++i) traffic.flows.push_back({Adapter{i}, Adapter{k + i}, 1});
  return traffic;
}

TEST(HashedLoad, OneSwitchIsBallsInBins) {
  for (const std::uint32_t k : {4U, 16U}) {
    const Model model(
        make_fabric("xgft(2;" + std::to_string(k) + ",2;1," + std::to_string(k) + ")"));
    const Routing routing = route(find_engine("ar_ftree"), model);
    const HashedLoad found =
        hashed_load(model, routing, across(model, k), {.queue_pairs = 1, .seeds = 20000});
    double mean = 0;
    for (unsigned most = 0; most < k; ++most) mean += 1 - none_above(k, most);
    EXPECT_NEAR(found.max_load.mean, mean, 0.01 * mean);
    const double used = 1 - std::pow(1 - 1.0 / k, k);
    EXPECT_NEAR(found.used, used, 0.01 * used);
    // The median and p99 are where the exact distribution passes a half and 0.99, or next to it.
    const auto passes = [&](double share) {
      unsigned most = 0;
      while (none_above(k, most) < share) ++most;
      return static_cast<double>(most);
    };
    EXPECT_EQ(found.max_load.median, passes(0.5));
    EXPECT_NEAR(found.max_load.p99, passes(0.99), 1.0);
    EXPECT_NEAR(found.slowest.worst, 1 / found.max_load.worst, 1e-12);
    // The seed that is named is that of the most loaded channel.
    const HashedLoad again =
        hashed_load(model, routing, across(model, k), {.seeds = 1, .seed = 1 + found.worst_seed});
    EXPECT_EQ(again.max_load.worst, found.max_load.worst);
  }
}

// The same draws, path by path, kept in maps.
TEST(HashedLoad, IsEqualToASlowSecondWay) {
  const Model model(make_fabric("ft(8,3)"));
  const Fabric& fabric = model.fabric();
  const Routing routing = route(find_engine("ar_updn"), model);
  const Traffic traffic = random_permutation(model.adapters().size(), 7);
  for (const Hashing hashing : {Hashing::kIndependent, Hashing::kAlike}) {
    const unsigned pairs = 3;
    const HashedLoad found = hashed_load(
        model, routing, traffic,
        {.queue_pairs = pairs, .seeds = 5, .hashing = hashing, .seed = 11, .threads = 2});
    std::vector<double> max_load;
    std::vector<double> slowest;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      std::map<Channel, std::uint32_t> count;
      std::vector<std::vector<std::vector<Channel>>> paths(traffic.flows.size());
      for (std::size_t f = 0; f < traffic.flows.size(); ++f) {
        const Destination to = routing.tables.destination(
            model.adapters().terminals(traffic.flows[f].destination).front());
        for (std::uint64_t q = 0; q < pairs; ++q) {
          std::vector<Channel>& path = paths[f].emplace_back();
          Switch s = fabric.leaf(model.adapters().terminals(traffic.flows[f].source).front());
          while (true) {
            const auto ports = routing.ports(s, to);
            Random random(11 + seed, f * pairs + q, hashing == Hashing::kAlike ? 0 : index(s) + 1);
            const std::uint64_t number = std::uint64_t{random.next32()} * ports.size() >> 32U;
            const Channel c = fabric.channel(fabric.node(s), ports[number]);
            if (!fabric.is_switch(fabric.neighbour(c))) break;
            path.push_back(c);
            ++count[c];
            s = fabric.as_switch(fabric.neighbour(c));
          }
        }
      }
      std::uint32_t most = 0;
      for (const auto& [c, n] : count) most = std::max(most, n);
      max_load.push_back(static_cast<double>(most) / pairs);
      double least = 1;
      for (const auto& of_flow : paths) {
        double gets = 0;
        for (const std::vector<Channel>& path : of_flow) {
          double load = 1;
          for (const Channel c : path) load = std::max(load, static_cast<double>(count[c]) / pairs);
          gets += 1.0 / pairs / load;
        }
        least = std::min(least, gets);
      }
      slowest.push_back(least);
    }
    std::ranges::sort(max_load);
    std::ranges::sort(slowest, std::greater{});
    EXPECT_NEAR(found.max_load.worst, max_load.back(), 1e-9);
    EXPECT_NEAR(found.max_load.median, max_load[2], 1e-9);
    EXPECT_NEAR(found.slowest.worst, slowest.back(), 1e-9);
  }
}

TEST(HashedLoad, MoreQueuePairsEvenOutAndOneHashForAllPolarises) {
  const Model model(make_fabric("ft(16,3)"));
  const Routing routing = route(find_engine("ar_updn"), model);
  const Traffic traffic = random_permutation(model.adapters().size(), 3);
  const auto found = [&](unsigned pairs, Hashing hashing) {
    return hashed_load(model, routing, traffic,
                       {.queue_pairs = pairs, .seeds = 20, .hashing = hashing});
  };
  EXPECT_LT(found(16, Hashing::kIndependent).max_load.p99,
            found(1, Hashing::kIndependent).max_load.median);
  EXPECT_GT(found(4, Hashing::kAlike).max_load.median,
            found(4, Hashing::kIndependent).max_load.p99);
  const QueuePairsNeeded needed = queue_pairs_for(model, routing, traffic, {.seeds = 20}, 2.0);
  ASSERT_GT(needed.queue_pairs, 1U);
  EXPECT_LE(needed.tried.back().max_load.p99, 2.0);
  EXPECT_GT(needed.tried[needed.tried.size() - 2].max_load.p99, 2.0);
}

}  // namespace
}  // namespace fatwood
