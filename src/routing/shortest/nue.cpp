// SPDX-License-Identifier: BSD-3-Clause
// nue: routes to one destination after the other, laid so that none closes a cycle of dependencies
// in the lanes that are allowed, even if that is one.
//
// Problem: tables that reach every pair on any connected fabric, free of deadlock with no more
// lanes than given, on paths that are short and spread.
// Method: a lane is the graph of which link waits for which (layers.hpp), and starts with the waits
// of a spanning tree (escape_tree.hpp). Destinations in order, hosts that count first, then others,
// then switches: shortest paths, light links first, that the lane's waits allow (lane_tree.hpp). A
// destination goes into the first lane where all hosts reach it on shortest paths, else into the
// one with the least detours; lanes open as they are needed, for hosts that count alone. A link's
// weight is what it carries.
// Then all is laid again, a few rounds on small fabrics: each destination's routes are taken out of
// the weights and laid again, in lanes emptied but for the order of their links. Destinations laid
// first then know what the later ones load. The round whose fullest link carries least stays.
// Result: tables; the lane of a route is that of its destination, from wherever it comes.
// Cost: O(links one hop nearer) per destination and lane, and the search of each new wait
// (layers.hpp). Paper: [Domke16]. There the destinations are split over all lanes beforehand by a
// partition of the graph, and laid once.

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "routing/engine_list.hpp"
#include "routing/shortest/balance.hpp"
#include "routing/shortest/lane_tree.hpp"

namespace fatwood {

namespace {

using Weights = Table<Link, std::uint64_t>;
using Amounts = std::vector<std::uint64_t>;  // by switch

constexpr std::size_t kChannelClasses = 3;  // of Weight
// Links looked at in all rounds together, about, and how many rounds that may be.
constexpr std::size_t kMostSearches = std::size_t{1} << 25;
constexpr std::size_t kMostTries = 8;
// Links that the search of a new wait looks at where the fabric is like a tree. A wait whose search
// goes on is refused: that costs a few detours between switches, and saves minutes.
constexpr std::size_t kTreeEffort = 64;
constexpr std::size_t kMostFutile = 3;  // rounds in a row that are no better

struct Net {
  const LinkGraph& links;
  std::vector<std::uint16_t> hops;
  Heights heights;
  // The traffic of each switch to a destination of each class: hosts that count, all hosts, itself.
  std::array<Amounts, kChannelClasses> sources;

  std::span<const std::uint16_t> least(Switch destination) const {
    return {hops.data() + index(destination) * links.switches, links.switches};
  }
};

Net look_at(const Model& model, int threads) {
  const Fabric& fabric = model.fabric();
  Net net{
      model.link_graph(), hop_counts(model.port_graph(), threads), height_above_hosts(model), {}};
  net.sources.fill(Amounts(net.links.switches));
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) == kNone<Switch>) continue;
    net.sources[0][index(fabric.leaf(t))] += model.counted()[t];
    net.sources[1][index(fabric.leaf(t))] += 1;
  }
  std::ranges::fill(net.sources[2], 1U);
  return net;
}

enum class Opening : std::uint8_t { kNever, kForFewerDetours };

// The lanes, and the tree laid last in one of them.
class OpenLanes {
 public:
  OpenLanes(const Net& net, unsigned most)
      : links_(net.links),
        escape_(net.links, net.hops, net.heights, net.sources[1]),
        start_(positions_from_step(link_steps(net.links, net.heights), 0)),
        effort_(net.heights.is_tree ? kTreeEffort : std::numeric_limits<std::size_t>::max()),
        most_(most),
        tree_(net.links, escape_) {
    open();
  }

  // Lays the routes to a destination in the first lane without detours of hosts, else in that with
  // the least. Returns the lane.
  unsigned lay(const LaneTree::Task& task, const Amounts& sources, Opening opening) {
    std::optional<LaneTree::Detours> least;
    unsigned best = 0;
    for (unsigned lane = 0; lane < most_; ++lane) {
      if (lane == lanes_.size()) {
        if (opening == Opening::kNever) break;
        open();
      }
      tree_.grow(task, lanes_[lane]);
      const LaneTree::Detours detours = tree_.detours(task, sources);
      if (detours.first == 0) return keep(lane);
      if (!least || detours < *least) {
        least = detours;
        best = lane;
      }
      if (lane == best && lane + 1 == most_) return keep(lane);
      lanes_[lane].undo();
    }
    tree_.grow(task, lanes_[best]);
    return keep(best);
  }
  const LaneTree& tree() const { return tree_; }

  // Empties the lanes; each keeps the order of its links.
  void clear() {
    for (Layer& lane : lanes_) lane = fresh(lane.positions());
  }

 private:
  void open() { lanes_.push_back(fresh(start_)); }
  Layer fresh(Table<Link, std::uint32_t> positions) const {
    Layer lane(links_, std::move(positions), std::numeric_limits<std::size_t>::max());
    escape_.add_dependencies(lane);
    lane.limit_effort(effort_);
    return lane;
  }
  unsigned keep(unsigned lane) {
    lanes_[lane].commit();
    return lane;
  }

  const LinkGraph& links_;
  EscapeTree escape_;
  Table<Link, std::uint32_t> start_;  // positions of the links in a lane that opens
  std::size_t effort_;
  unsigned most_;
  std::vector<Layer> lanes_;
  LaneTree tree_;
};

struct Result {
  ForwardingTables tables;
  std::vector<std::uint8_t> lane_of;  // by destination
};

// The load of the most loaded link, and of all links together, for each class of destinations.
using Score = std::array<std::uint64_t, 2 * kChannelClasses>;

class Rounds {
 public:
  Rounds(const Model& model, const Net& net, const RouteOptions& options)
      : fabric_(model.fabric()),
        net_(net),
        lanes_(net, options.max_lanes),
        load_(net.links.switches),
        branches_(net.links.switches) {
    result_.tables = ForwardingTables(fabric_.num_terminals(), net.links.switches, options.lmc);
    result_.lane_of.resize(result_.tables.num_destinations());
    runs_ = destination_runs(model, result_.tables, options);
    // Hosts that count first: what is laid first has the choice.
    std::ranges::stable_sort(runs_.runs, {}, &Run::weight);
    weights_.fill(Weights(net.links.size()));
  }

  std::size_t most() const {
    const std::size_t work =
        std::max<std::size_t>(runs_.destinations.size() * net_.links.size(), 1);
    return std::clamp<std::size_t>(kMostSearches / work, 1, kMostTries);
  }

  // Lays every destination, in place of the routes it has from the round before.
  void lay_all() {
    if (is_laid_) lanes_.clear();
    Switch at = kNone<Switch>;
    for (const Run& run : runs_.runs) {
      if (run.at != at) find_nearer_links(net_.links, net_.least(run.at), nearer_);
      at = run.at;
      lay_run(run);
    }
    is_laid_ = true;
  }

  const Result& result() const { return result_; }
  Score score() const {
    Score score{};
    for (std::size_t i = 0; i < kChannelClasses; ++i) {
      for (const std::uint64_t weight : weights_[i]) {
        score[2 * i] = std::max(score[2 * i], weight);
        score[2 * i + 1] += weight;
      }
    }
    return score;
  }

 private:
  // Links of a terminal's earlier addresses are shunned until its last.
  void lay_run(const Run& run) {
    Weights& weights = weights_[static_cast<std::size_t>(run.weight)];
    const std::uint32_t addresses = run.weight == Weight::kSwitch ? 1 : 1U << result_.tables.lmc();
    std::vector<Link> shunned;
    for (std::uint32_t i = 0; i < run.count; ++i) {
      lay(run, runs_.destinations[run.first + i]);
      if ((i + 1) % addresses == 0) {
        for (const Link link : shunned) weights[link] -= kReused;
        shunned.clear();
        continue;
      }
      for (const std::uint32_t s : lanes_.tree().order().subspan(1)) {
        shunned.push_back(lanes_.tree().next()[s]);
        weights[shunned.back()] += kReused;
      }
    }
  }

  void lay(const Run& run, Destination destination) {
    const auto kind = static_cast<std::size_t>(run.weight);
    const auto row = result_.tables.row(destination);
    if (is_laid_) change_load(run, row, ~std::uint64_t{0});
    const LaneTree::Task task{index(run.at), net_.least(run.at), nearer_, weights_[kind]};
    const Opening opening =
        run.weight == runs_.runs.front().weight ? Opening::kForFewerDetours : Opening::kNever;
    result_.lane_of[index(destination)] =
        static_cast<std::uint8_t>(lanes_.lay(task, net_.sources[kind], opening));
    const LaneTree& tree = lanes_.tree();
    for (const std::uint32_t s : tree.order().subspan(1)) row[s] = net_.links.port[tree.next()[s]];
    row[index(run.at)] = own_port(fabric_, result_.tables, destination);
    change_load(run, row, 1);
  }

  // Adds to the weight of each link `times` what the switches behind it send, from the ends of the
  // branches inwards. All ones takes it away: amounts are modulo 2^64.
  void change_load(const Run& run, std::span<const Port> row, std::uint64_t times) {
    constexpr std::uint32_t kDone = 0xffffffffU;
    Weights& weights = weights_[static_cast<std::size_t>(run.weight)];
    load_ = net_.sources[static_cast<std::size_t>(run.weight)];
    std::ranges::fill(branches_, 0U);
    const auto next = [&](std::uint32_t s) { return net_.links.link(s, row[s]); };
    for (const NearerLinks::Entry& entry : nearer_.entries) {
      ++branches_[net_.links.to[next(entry.at)]];
    }
    for (const NearerLinks::Entry& entry : nearer_.entries) {
      for (std::uint32_t s = entry.at; s != index(run.at) && branches_[s] == 0;) {
        const Link link = next(s);
        const std::uint32_t beyond = net_.links.to[link];
        weights[link] += times * load_[s];
        load_[beyond] += load_[s];
        branches_[s] = kDone;
        --branches_[beyond];
        s = beyond;
      }
    }
  }

  const Fabric& fabric_;
  const Net& net_;
  OpenLanes lanes_;
  Runs runs_;
  NearerLinks nearer_;  // of the run that is being laid
  std::array<Weights, kChannelClasses> weights_;
  Result result_;
  bool is_laid_ = false;
  Amounts load_;                         // by switch
  std::vector<std::uint32_t> branches_;  // by switch: those not yet added up
};

Result best_round(Rounds& rounds) {
  rounds.lay_all();
  Result best = rounds.result();
  Score least = rounds.score();
  for (std::size_t round = 1, worse = 0; round < rounds.most() && worse < kMostFutile; ++round) {
    rounds.lay_all();
    ++worse;
    if (rounds.score() >= least) continue;
    least = rounds.score();
    best = rounds.result();
    worse = 0;
  }
  return best;
}

}  // namespace

Routing route_nue(const Model& model, const RouteOptions& options) {
  const Net net = look_at(model, options.threads);
  Rounds rounds(model, net, options);
  Result result = best_round(rounds);
  const unsigned count = drop_empty_lanes(result.lane_of);
  const std::size_t switches = net.links.switches;
  std::vector<std::uint8_t> rows;  // one for each lane
  for (std::uint8_t lane = 0; lane < count; ++lane) rows.insert(rows.end(), switches, lane);
  return {
      .tables = std::move(result.tables),
      .lanes = pack_lanes(count, switches, rows, {result.lane_of.begin(), result.lane_of.end()})};
}

}  // namespace fatwood
