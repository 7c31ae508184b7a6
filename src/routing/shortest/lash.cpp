// SPDX-License-Identifier: BSD-3-Clause
// lash: shortest paths between switches, assigned to virtual lanes by pair.
//
// Problem: find one shortest path for each pair of switches, used by all terminals on them, and a
// lane for the pair, the same in both directions, such that no lane has a cycle of dependencies.
// Method: take trees with the fewest hops to each switch, balanced as in minhop (balance.hpp).
// Then, for the pairs in order of their numbers, add both routes of a pair to the first lane that
// can take both (layers.hpp). This suits trees. Switches that an adapter joins need one lane to a
// destination (source_groups.hpp): their routes to it are added together, and the routes back
// separately, as both directions of all their pairs would seldom fit one lane.
// On rings and tori it needs too many lanes: both routes of a far pair go round in the same
// direction and close the ring. Then one route of a pair becomes the reverse of the other: each
// cable has a weight, equal in both directions and different from all others, so the lightest of
// the shortest paths is the same from both ends. In a few rounds, cables with a high load become
// heavier.
// Result: the row of a terminal is that of its leaf, except for the leaf's own entry. Lanes: one
// row for each switch, shared by all terminals on it.
// Cost: O(hops) per pair, a search for each new dependency (layers.hpp), O(1) per table entry.
// Paper: [Skeie02], as in section 3 of [Bogdanski12].

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <utility>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "core/time_limit.hpp"
#include "routing/engine_list.hpp"
#include "routing/shortest/balance.hpp"
#include "routing/shortest/layers.hpp"
#include "routing/shortest/nearer_links.hpp"
#include "routing/tables/source_groups.hpp"

namespace fatwood {

namespace {

// Initial weights are between one and two units; they stop growing before sums could overflow.
constexpr std::uint64_t kUnit = std::uint64_t{1} << 24;
constexpr std::uint64_t kHeaviest = std::uint64_t{1} << 32;

// Weights with which the lightest shortest path between two switches is the same in both
// directions: equal for both directions of a cable, and random, so that no two paths have the same
// weight.
Table<Link, std::uint64_t> cable_weights(const LinkGraph& links, std::uint64_t seed) {
  Table<Link, std::uint64_t> weights(links.size());
  for (const Link l : ids<Link>(links.size())) {
    const std::uint32_t cable = index(std::min(l, links.reverse[l]));
    weights[l] = kWeightUnit * (kUnit + Random(seed, cable).next32() % kUnit);
  }
  return weights;
}

using NextLinks = std::vector<Link>;  // [destination][switch]

struct Trees {
  NextLinks next;
  Table<Link, std::uint64_t> load;  // routes between switches over each link
};

Trees lightest_trees(const LinkGraph& links, const std::vector<std::uint16_t>& hops,
                     const Table<Link, std::uint64_t>& weights) {
  const std::size_t n = links.switches;
  Trees trees{NextLinks(n * n, kNone<Link>), Table<Link, std::uint64_t>(links.size())};
  const LightestTree::Amounts each(n, 1);
  LightestTree tree(links);
  NearerLinks nearer;
  for (std::uint32_t d = 0; d < n; ++d) {
    find_nearer_links(links, std::span(hops).subspan(d * n, n), nearer);
    tree.choose(nearer, d, weights,
                [&](std::uint32_t s, Link link) { trees.next[d * n + s] = link; });
    tree.add_load(nearer, each, trees.load);
  }
  return trees;
}

// Trees after a few rounds in which cables become heavier with their load. The round with the
// lowest maximum load is returned.
Trees even_trees(const LinkGraph& links, const std::vector<std::uint16_t>& hops,
                 std::uint64_t seed) {
  constexpr int kRounds = 4;
  Table<Link, std::uint64_t> weights = cable_weights(links, seed);
  Trees best;
  for (int round = 0; round < kRounds; ++round) {
    Trees trees = lightest_trees(links, hops, weights);
    const auto most = [](const Trees& t) {
      return t.load.empty() ? 0 : *std::ranges::max_element(t.load);
    };
    const std::uint64_t sum = std::reduce(trees.load.begin(), trees.load.end());
    const std::uint64_t mean =
        std::max<std::uint64_t>(sum / std::max<std::size_t>(links.size(), 1), 1);
    for (const Link l : ids<Link>(links.size())) {
      const std::uint64_t load = (trees.load[l] + trees.load[links.reverse[l]]) / 2;
      const std::uint64_t weight = weights[l] / kWeightUnit;
      weights[l] += kWeightUnit * (std::min(weight, kHeaviest) * load / mean / 2);
    }
    if (round == 0 || most(trees) < most(best)) best = std::move(trees);
  }
  return best;
}

// Trees balanced as in minhop.
NextLinks balanced_trees(const LinkGraph& links, const ForwardingTables& tables) {
  const std::size_t n = links.switches;
  NextLinks next(n * n, kNone<Link>);
  for (std::uint32_t d = 0; d < n; ++d) {
    const auto row = tables.row(tables.destination(Switch{d}));
    for (std::uint32_t s = 0; s < n; ++s) {
      if (s != d && row[s] != kNoRoute) next[d * n + s] = links.link(s, row[s]);
    }
  }
  return next;
}

struct PairLanes {
  unsigned count = 1;
  std::vector<std::uint8_t> lane;  // [destination][switch]
};

// Adds routes between switches to lanes.
class PairLayers {
 public:
  PairLayers(const LinkGraph& links, const Heights& heights, const NextLinks& next,
             LaneSearch search, unsigned limit)
      : n_(links.switches),
        next_(next),
        layers_(links, heights, search),
        most_(limit + layers_.fixed()),
        lane_(n_ * n_) {}

  // Adds the routes from some switches to another, and back if asked, to the first lane that takes
  // them all. False: no lane does.
  bool add(std::span<const std::uint32_t> sources, std::uint32_t to, bool and_back) {
    for (unsigned lane = 0; lane < most_; ++lane) {
      if (lane == known_.size()) known_.emplace_back(n_ * n_, Fit::kUnknown);
      const auto fit = [&](std::span<const std::uint32_t> from, std::uint32_t d) {
        return layers_.add_routes(lane, from, {next_.data() + d * n_, n_},
                                  {known_[lane].data() + d * n_, n_});
      };
      if (!fit(sources, to) || (and_back && !fit({&to, 1}, sources[0]))) continue;
      layers_.commit(lane);
      for (const std::uint32_t s : sources) lane_[to * n_ + s] = static_cast<std::uint8_t>(lane);
      if (and_back) lane_[sources[0] * n_ + to] = static_cast<std::uint8_t>(lane);
      return true;
    }
    return false;
  }

  std::vector<std::uint8_t> lanes() && { return std::move(lane_); }

 private:
  std::size_t n_;
  const NextLinks& next_;
  Layers layers_;
  unsigned most_;
  std::vector<std::vector<Fit>> known_;  // by lane: [destination][switch]
  std::vector<std::uint8_t> lane_;       // [destination][switch]
};

std::optional<PairLanes> lay_pairs(const LinkGraph& links, const Heights& heights,
                                   const SourceGroups& groups, const NextLinks& next,
                                   LaneSearch search, unsigned limit) {
  const auto n = static_cast<std::uint32_t>(links.switches);
  PairLayers layers(links, heights, next, search, limit);
  // Whether the routes of the group of `from` were added with an earlier pair.
  const auto is_added = [&](std::uint32_t from, std::uint32_t to) {
    const auto group = groups.of(from);
    return from != (group[0] == to ? group[1] : group[0]);
  };
  for (std::uint32_t a = 0; a < n; ++a) {
    check_time();
    for (std::uint32_t b = a + 1; b < n; ++b) {
      if (next[std::size_t{b} * n + a] == kNone<Link>) continue;  // in different components
      if (groups.of(a).size() == 1 && groups.of(b).size() == 1) {
        if (!layers.add({&a, 1}, b, true)) return std::nullopt;
        continue;
      }
      if (!is_added(a, b) && !layers.add(groups.of(a), b, false)) return std::nullopt;
      if (!is_added(b, a) && !layers.add(groups.of(b), a, false)) return std::nullopt;
    }
  }
  PairLanes pairs{.lane = std::move(layers).lanes()};
  pairs.count = drop_empty_lanes(pairs.lane);
  if (pairs.count > limit) return std::nullopt;
  return pairs;
}

// The rows of the trees; the row of a terminal is that of its leaf, except for the leaf's own
// entry.
ForwardingTables fill_tables(const Fabric& fabric, const LinkGraph& links, const NextLinks& next,
                             int threads) {
  const std::size_t n = links.switches;
  ForwardingTables tables(fabric.num_terminals(), n, 0);
  for (std::uint32_t d = 0; d < n; ++d) {
    const auto row = tables.row(tables.destination(Switch{d}));
    for (std::uint32_t s = 0; s < n; ++s) {
      const Link link = next[d * n + s];
      if (link != kNone<Link>) row[s] = links.port[link];
    }
    row[d] = kOwnPort;
  }
  parallel_for(
      fabric.num_terminals(), threads,
      [&](std::size_t i, int) {
        const auto t = static_cast<Terminal>(i);
        if (fabric.leaf(t) == kNone<Switch>) return;
        const Destination destination = tables.destination(t);
        std::ranges::copy(tables.row(tables.destination(fabric.leaf(t))),
                          tables.row(destination).begin());
        tables.row(destination)[index(fabric.leaf(t))] = own_port(fabric, tables, destination);
      },
      256);
  return tables;
}

}  // namespace

Routing route_lash(const Model& model, const RouteOptions& options) {
  const Fabric& fabric = model.fabric();
  const PortGraph& graph = model.port_graph();
  const LinkGraph& links = model.link_graph();
  const std::vector<std::uint16_t> hops = hop_counts(graph, options.threads);
  const Heights heights = height_above_hosts(model);
  const SourceGroups groups(fabric, model.components());
  const NextLinks balanced = balanced_trees(links, balance_switches(fabric, graph, hops, options));
  NextLinks reversible;  // computed when needed
  const NextLinks* next = &balanced;
  PairLanes pairs{kMostLanes + 1, {}};
  const std::initializer_list<std::pair<LaneSearch, const NextLinks*>> tries = {
      {LaneSearch::kQuick, &balanced},
      {LaneSearch::kQuick, &reversible},
      {LaneSearch::kThorough, &reversible},
      {LaneSearch::kThorough, &balanced}};
  for (const auto& [search, trees] : tries) {
    if (!are_many(pairs.count, links, options)) break;
    // On a tree, balanced routes are preferred to fewer lanes.
    if (trees == &reversible && heights.is_tree && pairs.count <= options.max_lanes) continue;
    if (trees->empty()) reversible = even_trees(links, hops, options.seed).next;
    auto fewer = lay_pairs(links, heights, groups, *trees, search,
                           limit_of_try(search, pairs.count, options));
    if (!fewer) continue;
    pairs = *std::move(fewer);
    next = trees;
  }
  require_lanes("lash", pairs.count, options);
  ForwardingTables tables = fill_tables(fabric, links, *next, options.threads);
  std::vector<std::uint32_t> row_of(tables.num_destinations());
  for (const Destination destination : ids<Destination>(row_of.size())) {
    const Switch at = home_of(fabric, tables, destination);
    row_of[index(destination)] = at == kNone<Switch> ? 0 : index(at);
  }
  Lanes lanes = pack_lanes(pairs.count, links.switches, pairs.lane, row_of);
  return {.tables = std::move(tables), .lanes = std::move(lanes)};
}

}  // namespace fatwood
