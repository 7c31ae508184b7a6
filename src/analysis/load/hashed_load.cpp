// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/load/hashed_load.hpp"

#include <algorithm>

#include "analysis/load/even_split.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"

namespace fatwood {

namespace {

// A queue pair's way, before ports are chosen.
struct Sender {
  std::uint32_t flow;
  Switch leaf;
  Destination to;
  double amount;  // of all its queue pairs
};

// Ways whose packets hosts exchange over a switch. REQUIRES that all arrive.
std::vector<Sender> senders_of(const Model& model, const Routing& routing, const Traffic& traffic) {
  std::vector<Sender> senders;
  for (std::uint32_t i = 0; i < traffic.flows.size(); ++i) {
    const Flow& flow = traffic.flows[i];
    const std::vector<PortPath> paths = port_paths(model, routing, flow);
    const double amount = static_cast<double>(flow.units) /
                          static_cast<double>(traffic.units_in_one) /
                          static_cast<double>(paths.size());
    for (const PortPath& path : paths) {
      const Switch leaf = model.fabric().leaf(path.from);
      if (leaf != kNone<Switch>) senders.push_back({i, leaf, path.to, amount});
    }
  }
  return senders;
}

struct Drawn {
  double max_load = 0;
  double slowest = 1;
  std::uint64_t used = 0;
  std::vector<std::uint64_t> used_up = {};  // by level
};

// Channels between switches that even splitting uses.
struct Met {
  std::uint64_t channels = 0;
  std::vector<std::uint64_t> up = {};      // number by level of their switch
  std::vector<std::uint8_t> up_from = {};  // by channel: that level, of those that lead up; or 0
};

class Draw {
 public:
  Draw(const Model& model, const Routing& routing, const std::vector<Sender>& senders,
       std::size_t flows, const Met& met, const HashedOptions& options)
      : fabric_(model.fabric()),
        met_(met),
        map_(model.hop_map()),
        routing_(routing),
        senders_(senders),
        options_(options),
        load_(fabric_.num_channels()),
        gets_(flows),
        amount_(flows) {
    for (const Sender& sender : senders) amount_[sender.flow] += sender.amount;
  }

  Drawn run(std::uint32_t number) {
    std::ranges::fill(load_, 0.0);
    std::ranges::fill(gets_, 0.0);
    each_queue_pair(number, [&](std::size_t i, const std::vector<Channel>& path) {
      for (const Channel c : path) load_[index(c)] += senders_[i].amount / options_.queue_pairs;
    });
    each_queue_pair(number, [&](std::size_t i, const std::vector<Channel>& path) {
      double max_load = 1;
      for (const Channel c : path) max_load = std::max(max_load, load_[index(c)]);
      gets_[senders_[i].flow] += senders_[i].amount / options_.queue_pairs / max_load;
    });
    Drawn drawn;
    drawn.used_up.resize(met_.up.size());
    for (std::size_t c = 0; c < load_.size(); ++c) {
      drawn.max_load = std::max(drawn.max_load, load_[c]);
      if (load_[c] <= 0) continue;
      ++drawn.used;
      if (!met_.up_from.empty() && met_.up_from[c] != 0) ++drawn.used_up[met_.up_from[c]];
    }
    for (std::size_t f = 0; f < gets_.size(); ++f) {
      if (amount_[f] > 0) drawn.slowest = std::min(drawn.slowest, gets_[f] / amount_[f]);
    }
    return drawn;
  }

 private:
  template <class Visit>
  void each_queue_pair(std::uint32_t number, const Visit& visit) {
    for (std::size_t i = 0; i < senders_.size(); ++i) {
      for (unsigned q = 0; q < options_.queue_pairs; ++q) {
        path_.clear();
        const std::uint64_t pair = i * options_.queue_pairs + q;
        for (std::uint32_t s = index(senders_[i].leaf);;) {
          const auto ports = routing_.ports(static_cast<Switch>(s), senders_[i].to);
          const Port port = ports.size() == 1 ? ports.front() : choose(number, i, pair, s, ports);
          const Hop hop = map_.at(s, port);
          if (!hop.to_switch()) break;  // there
          path_.push_back(fabric_.channel(fabric_.node(static_cast<Switch>(s)), port));
          s = hop.next();
        }
        visit(i, path_);
      }
    }
  }
  Port choose(std::uint32_t number, std::uint64_t sender, std::uint64_t pair, std::uint32_t s,
              std::span<const Port> ports) const {
    std::uint32_t where = options_.hashing == Hashing::kAlike ? 0 : s + 1;
    if (!options_.hash.empty()) {
      where = options_.hash[s].stream + 1;
      if (!options_.hash[s].tells_pairs) pair = sender * options_.queue_pairs;
    }
    Random random(options_.seed + number, pair, where);
    const std::uint64_t hash = random.next32();
    return ports[static_cast<std::size_t>(hash * ports.size() >> 32U)];
  }

  const Fabric& fabric_;
  const Met& met_;
  const HopMap& map_;
  const Routing& routing_;
  const std::vector<Sender>& senders_;
  HashedOptions options_;
  std::vector<double> load_;           // by channel
  std::vector<double> gets_, amount_;  // by flow
  std::vector<Channel> path_;
};

Spread spread_of(std::vector<double> values, bool large_is_bad) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  if (!large_is_bad) std::ranges::reverse(values);
  Spread spread;
  for (const double value : values) spread.mean += value / static_cast<double>(values.size());
  const auto at = [&](double share) {
    const auto place =
        static_cast<std::size_t>(share * static_cast<double>(values.size()) + 0.999999);
    return values[std::min(values.size(), std::max<std::size_t>(place, 1)) - 1];
  };
  spread.median = at(0.5);
  spread.p99 = at(0.99);
  spread.worst = values.back();
  return spread;
}

Met channels_met(const Model& model, const Routing& routing, const Traffic& traffic, int threads) {
  const LinkLoads even = even_split_loads(model, routing, traffic, threads);
  const Fabric& fabric = model.fabric();
  const Levels& levels = model.levels();
  Met met;
  if (levels.is_tree()) {
    met.up.resize(std::size_t{levels.height} + 1);
    met.up_from.resize(fabric.num_channels());
  }
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (even.units[c] <= 0 || !fabric.between_switches(c)) continue;
    ++met.channels;
    if (met.up.empty() || step(fabric, levels, c) <= 0) continue;
    const Level level = levels.level[fabric.as_switch(fabric.owner(c))];
    met.up_from[index(c)] = static_cast<std::uint8_t>(level);
    ++met.up[level];
  }
  return met;
}

// Of each level that has up-links.
std::vector<UnusedUpLinks> unused_up_links(const std::vector<Drawn>& drawn, const Met& met) {
  std::vector<UnusedUpLinks> all;
  for (std::size_t level = 0; level < met.up.size(); ++level) {
    if (met.up[level] == 0) continue;
    UnusedUpLinks one{.level = static_cast<Level>(level), .links = met.up[level]};
    for (const Drawn& draw : drawn) {
      const double unused =
          1 - static_cast<double>(draw.used_up[level]) / static_cast<double>(met.up[level]);
      one.mean += unused / static_cast<double>(drawn.size());
      one.worst = std::max(one.worst, unused);
    }
    all.push_back(one);
  }
  return all;
}

HashedLoad summary(const std::vector<Drawn>& drawn, unsigned queue_pairs, const Met& found) {
  const std::uint64_t met = found.channels;
  HashedLoad result;
  result.queue_pairs = queue_pairs;
  std::vector<double> max_load;
  std::vector<double> slowest;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    max_load.push_back(drawn[i].max_load);
    slowest.push_back(drawn[i].slowest);
    result.used += met == 0 ? 0.0
                            : static_cast<double>(drawn[i].used) / static_cast<double>(met) /
                                  static_cast<double>(drawn.size());
    if (drawn[i].max_load > drawn[result.worst_seed].max_load) result.worst_seed = i;
  }
  result.max_load = spread_of(std::move(max_load), true);
  result.slowest = spread_of(std::move(slowest), false);
  result.unused = unused_up_links(drawn, found);
  return result;
}

}  // namespace

HashedLoad hashed_load(const Model& model, const Routing& routing, const Traffic& traffic,
                       const HashedOptions& options) {
  return hashed_loads(model, routing, traffic, {{options.queue_pairs}}, options).front();
}

std::vector<HashedLoad> hashed_loads(const Model& model, const Routing& routing,
                                     const Traffic& traffic, std::span<const unsigned> queue_pairs,
                                     HashedOptions options) {
  // Even splitting also finds pairs that have no path, or lose packets.
  const Met met = channels_met(model, routing, traffic, options.threads);
  const std::vector<Sender> senders = senders_of(model, routing, traffic);
  std::vector<HashedLoad> results;
  for (const unsigned count : queue_pairs) {
    options.queue_pairs = count;
    std::vector<Drawn> drawn(options.seeds);
    parallel_with(Draw(model, routing, senders, traffic.flows.size(), met, options), options.seeds,
                  options.threads, [&](std::size_t number, Draw& draw) {
                    drawn[number] = draw.run(static_cast<std::uint32_t>(number));
                  });
    results.push_back(summary(drawn, count, met));
  }
  return results;
}

QueuePairsNeeded queue_pairs_for(const Model& model, const Routing& routing, const Traffic& traffic,
                                 HashedOptions options, double limit, unsigned most) {
  QueuePairsNeeded needed;
  for (unsigned pairs = 1; pairs <= most; pairs *= 2) {
    options.queue_pairs = pairs;
    needed.tried.push_back(hashed_load(model, routing, traffic, options));
    if (needed.tried.back().max_load.p99 > limit) continue;
    needed.queue_pairs = pairs;
    break;
  }
  return needed;
}

}  // namespace fatwood
