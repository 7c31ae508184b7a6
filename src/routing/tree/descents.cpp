// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/descents.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "core/invariant.hpp"
#include "core/time_limit.hpp"
#include "routing/shortest/balance.hpp"
#include "routing/tree/cover.hpp"
#include "routing/tree/home_chains.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kCandidates = 96;  // candidates examined for one uncovered switch

// A cost of several parts, the first most important; each is limited to 2^18 - 1.
std::uint64_t key(std::uint64_t own, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  constexpr std::uint64_t kMost = (1U << 18) - 1;
  return own << 54 | std::min(a, kMost) << 36 | std::min(b, kMost) << 18 | std::min(c, kMost);
}

class DescentFinder {
 public:
  DescentFinder(const UpDownOrder& up_down, Table<Switch, std::uint32_t> weight,
                std::size_t destinations, Chains chains)
      : up_down_(up_down),
        chains_(chains),
        weight_(std::move(weight)),
        covers_(up_down, weight_),
        port_use_(up_down.graph().num_ports()),
        trunk_use_(up_down.graph().num_trunks()),
        load_(up_down.graph().num_trunks()),
        detours_(up_down.graph().num_trunks()),
        added_(up_down.graph().num_trunks()),
        passing_(up_down.size()),
        chains_per_cable_(up_down.size()),
        up_cables_(up_down.size()),
        column_use_(up_down.size() * (1U + up_down.highest_level())),
        taken_(up_down.size()),
        step_(up_down.size()),
        stamp_(up_down.size()),
        earlier_(up_down.size()),
        first_row_(up_down.roots().size() * up_down.choices_multiple(), kNone<RowVariant>),
        visited_(up_down.size()) {
    descents_.of.resize(destinations);
    find_reach();
    find_candidates();
  }

  void lay_terminal(Destination destination, Switch leaf, std::span<const Destination> earlier,
                    std::span<const DownStep> home) {
    begin(destination, leaf);
    for (const Destination other : earlier) count_earlier(other, 1);
    up_chain(home);
    for (const Destination other : earlier) count_earlier(other, -1);
    cover_rest();
    end(destination);
  }
  void lay_switch(Destination destination, Switch at) {
    begin(destination, at);
    up_chain({});
    end(destination);
  }
  Descents take() { return std::move(descents_); }

 private:
  enum class ColumnPart : std::uint32_t {};  // a column in one level
  struct Candidate {
    Switch up;
    Trunk down;  // from there
    ColumnPart column;
  };
  std::span<const Candidate> candidates(Switch s) const {
    return {candidates_.data() + first_candidate_[s],
            candidates_.data() + first_candidate_[static_cast<Switch>(index(s) + 1)]};
  }

  // The number of counted terminals below the best root above a switch.
  void find_reach() {
    reach_.resize(up_down_.size());
    const PortGraph& graph = up_down_.graph();
    for (std::size_t i = up_down_.size(); i-- > 0;) {
      const Switch s = up_down_.ascending()[i];
      if (up_down_.is_root(s)) {
        const std::uint8_t* hops = up_down_.hops_to(up_down_.root(s));
        for (const Switch below : ids<Switch>(up_down_.size())) {
          if (hops[index(below)] != kNotBelow) reach_[s] += weight_[below];
        }
      }
      for (const Trunk g : graph.up(s)) {
        const Switch up = graph.neighbour(g);
        if (up_down_.level(up) <= up_down_.level(s)) continue;
        reach_[s] = std::max(reach_[s], reach_[up]);
        up_cables_[s] += graph.width(g);
      }
      if (up_cables_[s] == 0) up_cables_[s] = std::max(1U, graph.width(graph.down(s)));
    }
  }

  // The up-trunks that a chain may take. If all cables lead one level up, the hops down equal the
  // difference of levels, and no view is needed.
  void find_candidates() {
    const PortGraph& graph = up_down_.graph();
    first_candidate_.reserve(up_down_.size() + 1);
    for (const Switch s : ids<Switch>(up_down_.size())) {
      first_candidate_.push_back(static_cast<std::uint32_t>(candidates_.size()));
      std::uint32_t most = 0;
      for (const Trunk g : graph.up(s)) {
        most = std::max(most, reach_[graph.neighbour(g)]);
      }
      for (const Trunk g : graph.up(s)) {
        const Switch up = graph.neighbour(g);
        if (up_down_.level(up) != up_down_.level(s) + 1) even_levels_ = false;
        if (up_down_.level(up) <= up_down_.level(s) || 2 * reach_[up] < most) continue;
        const auto column = static_cast<ColumnPart>(up_down_.level(up) * up_down_.size() +
                                                    index(up_down_.column(up)));
        candidates_.push_back({up, up_down_.reverse(g), column});
      }
    }
    first_candidate_.push_back(static_cast<std::uint32_t>(candidates_.size()));
  }

  void begin(Destination destination, Switch at) {
    destination_ = at;
    ++now_;
    DestinationDescent& descent = descents_.of[destination];
    descent.first_cover = static_cast<std::uint32_t>(descents_.cover.size());
    descent.first_step = static_cast<std::uint32_t>(descents_.step.size());
    covers_.begin(at);
    cover(at);
  }
  void end(Destination destination) {
    DestinationDescent& descent = descents_.of[destination];
    descent.covers = static_cast<std::uint32_t>(descents_.cover.size()) - descent.first_cover;
    descent.steps = static_cast<std::uint32_t>(descents_.step.size()) - descent.first_step;
  }

  void count_earlier(Destination other, int by) {
    for (const DownStep& step : descents_.steps(other))
      earlier_[step.at] += static_cast<std::uint32_t>(by);
  }

  void cover(Switch top) {
    const std::uint32_t before = taken_[top]++;
    RowVariant row = kNone<RowVariant>;
    if (up_down_.is_root(top)) {
      row = row_of(up_down_.root(top), before % up_down_.choices_multiple());
      ++descents_.rows[row].uses;
    }
    descents_.cover.push_back({top, row, before});
    covers_.add(top);
  }

  RowVariant row_of(Root root, std::uint32_t variant) {
    RowVariant& row = first_row_[std::size_t{index(root)} * up_down_.choices_multiple() + variant];
    if (row == kNone<RowVariant>) {
      row = static_cast<RowVariant>(descents_.rows.size());
      descents_.rows.push_back({root, 0});
    }
    return row;
  }

  // Goes down from `upper` by the least used port of that trunk.
  void go_down(Switch upper, Trunk down_trunk) {
    const auto ports = up_down_.graph().ports(down_trunk);
    const auto use = port_use_.begin() + up_down_.graph().first_port(down_trunk);
    const auto least = std::min_element(use, use + static_cast<std::ptrdiff_t>(ports.size()));
    take_step(upper, down_trunk, ports[static_cast<std::size_t>(least - use)]);
  }
  void take_step(Switch upper, Trunk down_trunk, Port port) {
    const auto ports = up_down_.graph().ports(down_trunk);
    const auto at = static_cast<std::size_t>(std::ranges::find(ports, port) - ports.begin());
    ++port_use_[up_down_.graph().first_port(down_trunk) + at];
    load_[down_trunk] = ++trunk_use_[down_trunk] / static_cast<std::uint32_t>(ports.size());
    note_step(upper, port);
  }
  void note_step(Switch upper, Port port) {
    step_[upper] = port;
    stamp_[upper] = now_;
    descents_.step.push_back({upper, port});
  }
  // The same for a path down that carries little traffic.
  void go_down_aside(Switch upper, Trunk down_trunk) {
    if (chains_ == Chains::kLeastUsed) return go_down(upper, down_trunk);
    const auto ports = up_down_.graph().ports(down_trunk);
    note_step(upper, ports[added_[down_trunk]++ % ports.size()]);
  }

  // `home`: the chain to follow upwards, as far as it goes.
  void up_chain(std::span<const DownStep> home) {
    if (!even_levels_) view_.look_up(destination_);
    Switch at = destination_;
    for (const DownStep& step : home) {
      const auto choices = candidates(at);
      const auto c = std::ranges::find(choices, step.at, &Candidate::up);
      if (c == choices.end() ||
          (!even_levels_ && view_.down_hops[c->up] != view_.down_hops[at] + 1))
        break;
      at = c->up;
      take_step(at, c->down, step.port);
      pass(*c);
    }
    while (true) {
      const Candidate* best = nullptr;
      std::uint64_t best_key = std::numeric_limits<std::uint64_t>::max();
      for (const Candidate& c : candidates(at)) {
        if (!even_levels_ && view_.down_hops[c.up] != view_.down_hops[at] + 1) continue;
        const std::uint64_t cost =
            key(earlier_[c.up], load_[c.down], chains_per_cable_[c.up], column_use_[c.column]);
        if (cost < best_key) {
          best_key = cost;
          best = &c;
        }
      }
      if (best == nullptr) return;
      at = best->up;
      go_down(at, best->down);
      pass(*best);
    }
  }
  void pass(const Candidate& c) {
    chains_per_cable_[c.up] = ++passing_[c.up] / up_cables_[c.up];
    ++column_use_[c.column];
    cover(c.up);
  }

  void cover_rest() {
    const std::vector<Switch>& uncovered = covers_.find_uncovered();
    while (!uncovered.empty()) {
      const Switch s = uncovered.front();
      const Switch top = best_top_above(s);
      walk_down(top, Walk::kTake);
      cover(top);
      covers_.cover(top, s);  // at least s is removed: the loop ends
    }
  }

  // Among the switches where shortest routes from `s` turn down, the one whose path down adds least
  // load.
  Switch best_top_above(Switch s) {
    Switch best = kNone<Switch>;
    Trunk best_trunk{};
    std::uint64_t best_key = std::numeric_limits<std::uint64_t>::max();
    const PortGraph& graph = up_down_.graph();
    std::uint32_t trunks = 0;
    for (const Trunk g : graph.up(s)) {
      if (view_.hops[graph.neighbour(g)] + 1 == view_.hops[s]) ++trunks;
    }
    const std::size_t each = std::max<std::size_t>(2, kCandidates / std::max(1U, trunks));
    for (const Trunk g : graph.up(s)) {
      if (view_.hops[graph.neighbour(g)] + 1 != view_.hops[s]) continue;
      tops_.clear();
      ++search_;
      collect_tops(graph.neighbour(g), each);
      for (const Switch top : tops_) {
        const WalkCost cost = walk_down(top, Walk::kLook);
        // With chains of d-mod-k, all chains are known beforehand, planned already or not.
        const std::uint64_t total = chains_ == Chains::kHome
                                        ? key(0, cost.added, detours_[g], 0)
                                        : key(0, cost.most, cost.added, detours_[g]);
        if (total < best_key) {
          best_key = total;
          best = top;
          best_trunk = g;
        }
      }
    }
    invariant(best != kNone<Switch>, "a switch has a route, but no switch to turn down at");
    ++detours_[best_trunk];
    return best;
  }

  // Up to `most` switches above the destination where a shortest path up from `s` ends. Each switch
  // is visited once: the number of paths can grow exponentially with the levels.
  void collect_tops(Switch s, std::size_t most) {
    if (tops_.size() >= most || visited_[s] == search_) return;
    visited_[s] = search_;
    if (view_.is_above(s)) {
      tops_.push_back(s);
      return;
    }
    const PortGraph& graph = up_down_.graph();
    const IdRange<Trunk> up = graph.up(s);
    for (std::uint32_t i = 0; i < up.size() && tops_.size() < most; ++i) {
      const Trunk g = up[(i + now_) % up.size()];
      if (view_.hops[graph.neighbour(g)] + 1 == view_.hops[s]) {
        collect_tops(graph.neighbour(g), most);
      }
    }
  }

  enum class Walk { kLook, kTake };
  struct WalkCost {
    std::uint32_t most =
        0;  // destinations on the most used port that this destination does not use yet
    std::uint32_t added = 0;  // number of such ports
  };
  // Walks down to the destination, along its own steps where it has them.
  WalkCost walk_down(Switch from, Walk mode) {
    const PortGraph& graph = up_down_.graph();
    WalkCost cost;
    Switch at = from;
    while (at != view_.destination()) {
      if (stamp_[at] == now_) {
        at = up_down_.next(at, step_[at]);
        continue;
      }
      Trunk best = kNone<Trunk>;
      std::uint64_t best_key = std::numeric_limits<std::uint64_t>::max();
      view_.each_down_trunk(at, [&](Trunk g) {
        const Switch down = graph.neighbour(g);
        const bool known = down == view_.destination() || stamp_[down] == now_;
        const std::uint64_t use = chains_ == Chains::kHome ? added_[g] : load_[g];
        const std::uint64_t cost_here = key(0, known ? 0 : 1, use, 0);
        if (cost_here < best_key || (cost_here == best_key && g < best)) {
          best_key = cost_here;
          best = g;
        }
      });
      invariant(best != kNone<Trunk>, "a switch above the destination has no path down to it");
      cost.most = std::max(cost.most, load_[best] + 1);
      ++cost.added;
      if (mode == Walk::kTake) go_down_aside(at, best);
      at = graph.neighbour(best);
    }
    return cost;
  }

  const UpDownOrder& up_down_;
  Chains chains_;
  Table<Switch, std::uint32_t> weight_;  // counted terminals
  TreeCover covers_;                     // of the current destination
  TreeView& view_ = covers_.view;        // the view of that destination
  Table<Switch, std::uint32_t> reach_;
  std::vector<std::uint32_t> port_use_;            // of all trunks: destinations going down
  Table<Trunk, std::uint32_t> trunk_use_;          // the same by trunk
  Table<Trunk, std::uint32_t> load_;               // the same for each port of the trunk
  Table<Trunk, std::uint32_t> detours_;            // paths up to covers added in step 2
  Table<Trunk, std::uint32_t> added_;              // paths down from covers added in step 2
  Table<Switch, std::uint32_t> passing_;           // chains through it
  Table<Switch, std::uint32_t> chains_per_cable_;  // the same for each of its up-cables
  std::vector<Candidate> candidates_;
  Table<Switch, std::uint32_t> first_candidate_;  // and the end
  bool even_levels_ = true;                       // each cable leads one level up
  Table<Switch, std::uint32_t> up_cables_;
  Table<ColumnPart, std::uint32_t> column_use_;
  Table<Switch, std::uint32_t> taken_;  // times it was a cover
  Table<Switch, Port> step_;            // of the current destination, valid if stamp_ is now_
  Table<Switch, std::uint32_t> stamp_;
  std::uint32_t now_ = 0;
  Table<Switch, std::uint32_t> earlier_;  // addresses of the same terminal that go down here
  Switch destination_ = kNone<Switch>;
  std::vector<RowVariant> first_row_;  // [root][variant]
  std::vector<Switch> tops_;
  Table<Switch, std::uint32_t> visited_;  // the search that visited it last
  std::uint32_t search_ = 0;              // of collect_tops
  Descents descents_;
};

}  // namespace

Descents find_descents(const Model& model, const UpDownOrder& up_down,
                       const ForwardingTables& tables, const RouteOptions& options, Chains chains) {
  const Fabric& fabric = model.fabric();
  const Table<Terminal, std::uint8_t>& counted = model.counted();
  Table<Switch, std::uint32_t> weight(up_down.size());
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (counted[t] != 0 && fabric.leaf(t) != kNone<Switch>) ++weight[fabric.leaf(t)];
  }
  DescentFinder finder(up_down, std::move(weight), tables.num_destinations(), chains);
  const std::vector<Terminal> order = laying_order(fabric, options);
  std::optional<HomeChains> homes;
  if (chains == Chains::kHome) homes.emplace(model, counted, options.host_order);
  std::vector<Destination> earlier;
  for (std::uint32_t offset = 0; offset < 1U << tables.lmc(); ++offset) {
    for (const int kind : {1, 0}) {  // those that count first
      for (const Terminal t : order) {
        if (counted[t] != kind || fabric.leaf(t) == kNone<Switch>) continue;
        check_time();
        earlier.clear();
        for (std::uint32_t o = 0; o < offset; ++o) earlier.push_back(tables.destination(t, o));
        std::vector<DownStep> home;
        if (homes && offset == 0) home = homes->of(t);
        finder.lay_terminal(tables.destination(t, offset), fabric.leaf(t), earlier, home);
      }
    }
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    check_time();
    finder.lay_switch(tables.destination(s), s);
  }
  return finder.take();
}

}  // namespace fatwood
