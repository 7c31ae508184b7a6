// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/plan.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "core/invariant.hpp"
#include "core/time_limit.hpp"
#include "routing/shortest/balance.hpp"
#include "routing/tree/cover.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kCandidates = 96;  // switches looked at to mend one that is not covered

// A cost of several parts, the first the most important; each is cut at 2^18.
std::uint64_t key(std::uint64_t own, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  constexpr std::uint64_t kMost = (1U << 18) - 1;
  return own << 54 | std::min(a, kMost) << 36 | std::min(b, kMost) << 18 | std::min(c, kMost);
}

class Planner {
 public:
  Planner(const TreeClimb& climb, Table<Switch, std::uint32_t> weight, std::size_t targets,
          Chains chains)
      : climb_(climb),
        chains_(chains),
        weight_(std::move(weight)),
        covers_(climb, weight_),
        port_use_(climb.graph().num_ports()),
        group_use_(climb.graph().num_groups()),
        load_(climb.graph().num_groups()),
        detours_(climb.graph().num_groups()),
        mended_(climb.graph().num_groups()),
        passing_(climb.size()),
        crowd_(climb.size()),
        up_cables_(climb.size()),
        column_use_(climb.size() * (1U + climb.highest_level())),
        taken_(climb.size()),
        step_(climb.size()),
        stamp_(climb.size()),
        earlier_(climb.size()),
        first_row_(climb.peaks().size() * climb.most_choices(), kNone<PlanRow>),
        visited_(climb.size()) {
    plan_.of.resize(targets);
    find_reach();
    find_candidates();
  }

  void lay_terminal(Target target, Switch leaf, std::span<const Target> earlier,
                    std::span<const Step> home) {
    begin(target, leaf);
    for (const Target other : earlier) count_earlier(other, 1);
    climb_chain(home);
    for (const Target other : earlier) count_earlier(other, -1);
    mend();
    end(target);
  }
  void lay_switch(Target target, Switch at) {
    begin(target, at);
    climb_chain({});
    end(target);
  }
  TreePlan take() { return std::move(plan_); }

 private:
  enum class ColumnPart : std::uint32_t {};  // a column in one level
  struct Candidate {
    Switch up;
    Group down;  // from there
    ColumnPart column;
  };
  std::span<const Candidate> candidates(Switch s) const {
    return {candidates_.data() + first_candidate_[s],
            candidates_.data() + first_candidate_[static_cast<Switch>(index(s) + 1)]};
  }

  // The number of counted terminals below the best root above a switch.
  void find_reach() {
    reach_.resize(climb_.size());
    const TreeGraph& graph = climb_.graph();
    for (std::size_t i = climb_.size(); i-- > 0;) {
      const Switch s = climb_.ascending()[i];
      if (climb_.is_peak(s)) {
        const std::uint8_t* hops = climb_.hops_to(climb_.peak(s));
        for (const Switch below : ids<Switch>(climb_.size())) {
          if (hops[index(below)] != kNotBelow) reach_[s] += weight_[below];
        }
      }
      for (const Group g : graph.up(s)) {
        const Switch up = graph.neighbour(g);
        if (climb_.level(up) <= climb_.level(s)) continue;
        reach_[s] = std::max(reach_[s], reach_[up]);
        up_cables_[s] += graph.width(g);
      }
      if (up_cables_[s] == 0) up_cables_[s] = std::max(1U, graph.width(graph.down(s)));
    }
  }

  // The up-groups that a chain may take. If all cables lead one level up, the hops down equal the
  // difference of levels, and no view is needed.
  void find_candidates() {
    const TreeGraph& graph = climb_.graph();
    first_candidate_.reserve(climb_.size() + 1);
    for (const Switch s : ids<Switch>(climb_.size())) {
      first_candidate_.push_back(static_cast<std::uint32_t>(candidates_.size()));
      std::uint32_t most = 0;
      for (const Group g : graph.up(s)) {
        most = std::max(most, reach_[graph.neighbour(g)]);
      }
      for (const Group g : graph.up(s)) {
        const Switch up = graph.neighbour(g);
        if (climb_.level(up) != climb_.level(s) + 1) even_levels_ = false;
        if (climb_.level(up) <= climb_.level(s) || 2 * reach_[up] < most) continue;
        const auto column =
            static_cast<ColumnPart>(climb_.level(up) * climb_.size() + index(climb_.column(up)));
        candidates_.push_back({up, climb_.reverse(g), column});
      }
    }
    first_candidate_.push_back(static_cast<std::uint32_t>(candidates_.size()));
  }

  void begin(Target target, Switch at) {
    destination_ = at;
    ++now_;
    TargetPlan& plan = plan_.of[target];
    plan.first_cover = static_cast<std::uint32_t>(plan_.cover.size());
    plan.first_step = static_cast<std::uint32_t>(plan_.step.size());
    covers_.begin(at);
    cover(at);
  }
  void end(Target target) {
    TargetPlan& plan = plan_.of[target];
    plan.covers = static_cast<std::uint32_t>(plan_.cover.size()) - plan.first_cover;
    plan.steps = static_cast<std::uint32_t>(plan_.step.size()) - plan.first_step;
  }

  void count_earlier(Target other, int by) {
    for (const Step& step : plan_.steps(other)) earlier_[step.at] += static_cast<std::uint32_t>(by);
  }

  void cover(Switch top) {
    const std::uint32_t before = taken_[top]++;
    PlanRow row = kNone<PlanRow>;
    if (climb_.is_peak(top)) {
      row = row_of(climb_.peak(top), before % climb_.most_choices());
      ++plan_.rows[row].uses;
    }
    plan_.cover.push_back({top, row, before});
    covers_.add(top);
  }

  PlanRow row_of(Peak peak, std::uint32_t variant) {
    PlanRow& row = first_row_[std::size_t{index(peak)} * climb_.most_choices() + variant];
    if (row == kNone<PlanRow>) {
      row = static_cast<PlanRow>(plan_.rows.size());
      plan_.rows.push_back({peak, 0});
    }
    return row;
  }

  // From `upper` down by the least used port of that group.
  void descend(Switch upper, Group down_group) {
    const auto ports = climb_.graph().ports(down_group);
    const auto use = port_use_.begin() + climb_.graph().first_port(down_group);
    const auto least = std::min_element(use, use + static_cast<std::ptrdiff_t>(ports.size()));
    take_step(upper, down_group, ports[static_cast<std::size_t>(least - use)]);
  }
  void take_step(Switch upper, Group down_group, Port port) {
    const auto ports = climb_.graph().ports(down_group);
    const auto at = static_cast<std::size_t>(std::ranges::find(ports, port) - ports.begin());
    ++port_use_[climb_.graph().first_port(down_group) + at];
    load_[down_group] = ++group_use_[down_group] / static_cast<std::uint32_t>(ports.size());
    note_step(upper, port);
  }
  void note_step(Switch upper, Port port) {
    step_[upper] = port;
    stamp_[upper] = now_;
    plan_.step.push_back({upper, port});
  }
  // The same for a path down that few will take.
  void descend_aside(Switch upper, Group down_group) {
    if (chains_ == Chains::kLeastUsed) return descend(upper, down_group);
    const auto ports = climb_.graph().ports(down_group);
    note_step(upper, ports[mended_[down_group]++ % ports.size()]);
  }

  // `home`: the chain to take as far as it goes, upwards.
  void climb_chain(std::span<const Step> home) {
    if (!even_levels_) view_.look_up(destination_);
    Switch at = destination_;
    for (const Step& step : home) {
      const auto ways = candidates(at);
      const auto c = std::ranges::find(ways, step.at, &Candidate::up);
      if (c == ways.end() || (!even_levels_ && view_.descent[c->up] != view_.descent[at] + 1))
        break;
      at = c->up;
      take_step(at, c->down, step.port);
      pass(*c);
    }
    while (true) {
      const Candidate* best = nullptr;
      std::uint64_t best_key = std::numeric_limits<std::uint64_t>::max();
      for (const Candidate& c : candidates(at)) {
        if (!even_levels_ && view_.descent[c.up] != view_.descent[at] + 1) continue;
        const std::uint64_t cost =
            key(earlier_[c.up], load_[c.down], crowd_[c.up], column_use_[c.column]);
        if (cost < best_key) {
          best_key = cost;
          best = &c;
        }
      }
      if (best == nullptr) return;
      at = best->up;
      descend(at, best->down);
      pass(*best);
    }
  }
  void pass(const Candidate& c) {
    crowd_[c.up] = ++passing_[c.up] / up_cables_[c.up];
    ++column_use_[c.column];
    cover(c.up);
  }

  void mend() {
    const std::vector<Switch>& uncovered = covers_.find_uncovered();
    while (!uncovered.empty()) {
      const Switch s = uncovered.front();
      const Switch top = best_top_above(s);
      walk_down(top, Walk::kTake);
      cover(top);
      covers_.cover(top, s);  // at least s is removed: the loop ends
    }
  }

  // Of the switches where the shortest routes from `s` turn down, the one whose path down loads
  // least.
  Switch best_top_above(Switch s) {
    Switch best = kNone<Switch>;
    Group best_group{};
    std::uint64_t best_key = std::numeric_limits<std::uint64_t>::max();
    const TreeGraph& graph = climb_.graph();
    std::uint32_t groups = 0;
    for (const Group g : graph.up(s)) {
      if (view_.hops[graph.neighbour(g)] + 1 == view_.hops[s]) ++groups;
    }
    const std::size_t each = std::max<std::size_t>(2, kCandidates / std::max(1U, groups));
    for (const Group g : graph.up(s)) {
      if (view_.hops[graph.neighbour(g)] + 1 != view_.hops[s]) continue;
      tops_.clear();
      ++search_;
      collect_tops(graph.neighbour(g), each);
      for (const Switch top : tops_) {
        const WalkCost cost = walk_down(top, Walk::kLook);
        // Chains of homes are all there is to be, laid already or not.
        const std::uint64_t total = chains_ == Chains::kHome
                                        ? key(0, cost.added, detours_[g], 0)
                                        : key(0, cost.most, cost.added, detours_[g]);
        if (total < best_key) {
          best_key = total;
          best = top;
          best_group = g;
        }
      }
    }
    invariant(best != kNone<Switch>, "a switch has a route, but no switch to turn down at");
    ++detours_[best_group];
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
    const TreeGraph& graph = climb_.graph();
    const IdRange<Group> up = graph.up(s);
    for (std::uint32_t i = 0; i < up.size() && tops_.size() < most; ++i) {
      const Group g = up[(i + now_) % up.size()];
      if (view_.hops[graph.neighbour(g)] + 1 == view_.hops[s]) {
        collect_tops(graph.neighbour(g), most);
      }
    }
  }

  enum class Walk { kLook, kTake };
  struct WalkCost {
    std::uint32_t most = 0;   // destinations on the fullest port that is not yet used for this one
    std::uint32_t added = 0;  // such ports
  };
  // Down to the destination, along the target's own steps where there are some.
  WalkCost walk_down(Switch from, Walk mode) {
    const TreeGraph& graph = climb_.graph();
    WalkCost cost;
    Switch at = from;
    while (at != view_.destination()) {
      if (stamp_[at] == now_) {
        at = climb_.next(at, step_[at]);
        continue;
      }
      Group best = kNone<Group>;
      std::uint64_t best_key = std::numeric_limits<std::uint64_t>::max();
      view_.each_way_down(at, [&](Group g) {
        const Switch down = graph.neighbour(g);
        const bool known = down == view_.destination() || stamp_[down] == now_;
        const std::uint64_t use = chains_ == Chains::kHome ? mended_[g] : load_[g];
        const std::uint64_t cost_here = key(0, known ? 0 : 1, use, 0);
        if (cost_here < best_key || (cost_here == best_key && g < best)) {
          best_key = cost_here;
          best = g;
        }
      });
      invariant(best != kNone<Group>, "a switch above the destination has no path down to it");
      cost.most = std::max(cost.most, load_[best] + 1);
      ++cost.added;
      if (mode == Walk::kTake) descend_aside(at, best);
      at = graph.neighbour(best);
    }
    return cost;
  }

  const TreeClimb& climb_;
  Chains chains_;
  Table<Switch, std::uint32_t> weight_;  // counted terminals
  TreeCover covers_;                     // of the target being laid
  TreeView& view_ = covers_.view;        // its own
  Table<Switch, std::uint32_t> reach_;
  std::vector<std::uint32_t> port_use_;    // of all groups: destinations going down
  Table<Group, std::uint32_t> group_use_;  // the same by group
  Table<Group, std::uint32_t> load_;       // the same for each port of the group
  Table<Group, std::uint32_t> detours_;    // paths up that were mended
  Table<Group, std::uint32_t> mended_;     // descents for few
  Table<Switch, std::uint32_t> passing_;   // chains through it
  Table<Switch, std::uint32_t> crowd_;     // the same for each of its up-cables
  std::vector<Candidate> candidates_;
  Table<Switch, std::uint32_t> first_candidate_;  // and the end
  bool even_levels_ = true;                       // each cable leads one level up
  Table<Switch, std::uint32_t> up_cables_;
  Table<ColumnPart, std::uint32_t> column_use_;
  Table<Switch, std::uint32_t> taken_;  // times it was a cover
  Table<Switch, Port> step_;            // of the target being laid, where stamp_ is now_
  Table<Switch, std::uint32_t> stamp_;
  std::uint32_t now_ = 0;
  Table<Switch, std::uint32_t> earlier_;  // addresses of the same terminal that go down here
  Switch destination_ = kNone<Switch>;
  std::vector<PlanRow> first_row_;  // [peak][variant]
  std::vector<Switch> tops_;
  Table<Switch, std::uint32_t> visited_;  // the search that visited it last
  std::uint32_t search_ = 0;              // of collect_tops
  TreePlan plan_;
};

// Chains of d-mod-k in the tree that a damaged fabric is nearest to. Where a sub-tree has more
// terminals than chains, but no multiple of them (a spine is gone from everywhere), terminals are
// numbered as if the rest were not there, and the rest begins again at its first chain: so each
// sub-tree has its chains in the same order.
class Homes {
 public:
  explicit Homes(const Model& model) : fabric_(model.fabric()) {
    const std::optional<TreeMap>& map = model.recognition().map;
    if (map && map->trees == 1) map_ = &*map;
  }

  // Upwards from the terminal's leaf, to where a cable is missing.
  std::span<const Step> chain(Terminal t) {
    steps_.clear();
    if (map_ == nullptr || map_->terminal_place[t] == kNoPlace) return steps_;
    const TreeShape& shape = map_->shape;
    Switch at = fabric_.leaf(t);
    const std::uint64_t canonical = map_->terminal_place[t];
    std::uint64_t number = 0;  // within the sub-tree, of so many
    std::uint64_t size = 1;
    for (unsigned level = 1; level < shape.height(); ++level) {
      const std::uint32_t place = map_->place[at];
      if (place == kNoPlace || shape.up_ports(level) == 0) break;
      number += canonical / shape.M(level - 1) % shape.m[level - 1] * size;
      size *= shape.m[level - 1];
      const std::uint64_t chains = shape.W(level) * shape.up_ports(level);
      if (size > chains) {
        size -= size % chains;
        number %= size;
      }
      const std::uint64_t whole = canonical / shape.M(level) * size + number;
      const auto q = static_cast<std::uint32_t>(whole / shape.W(level) % shape.up_ports(level));
      const Channel up = map_->channel[map_->first_slot[place] + q];
      if (up == kNone<Channel>) break;
      at = fabric_.next_switch(up);
      steps_.push_back({at, fabric_.port(fabric_.peer(up))});
    }
    return steps_;
  }

 private:
  const Fabric& fabric_;
  const TreeMap* map_ = nullptr;
  std::vector<Step> steps_;
};

}  // namespace

TreePlan plan_tree(const Model& model, const TreeClimb& climb, const ForwardingTables& tables,
                   const RouteOptions& options, Chains chains) {
  const Fabric& fabric = model.fabric();
  const Table<Terminal, std::uint8_t>& counted = model.counted();
  Table<Switch, std::uint32_t> weight(climb.size());
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (counted[t] != 0 && fabric.leaf(t) != kNone<Switch>) ++weight[fabric.leaf(t)];
  }
  std::optional<Homes> homes;
  if (chains == Chains::kHome) homes.emplace(model);
  Planner planner(climb, std::move(weight), tables.num_targets(), chains);
  const std::vector<Terminal> order = laying_order(fabric, options);
  std::vector<Target> earlier;
  for (std::uint32_t offset = 0; offset < 1U << tables.lmc(); ++offset) {
    for (const int kind : {1, 0}) {  // those that count first
      for (const Terminal t : order) {
        if (counted[t] != kind || fabric.leaf(t) == kNone<Switch>) continue;
        check_time();
        earlier.clear();
        for (std::uint32_t o = 0; o < offset; ++o) earlier.push_back(tables.target(t, o));
        planner.lay_terminal(tables.target(t, offset), fabric.leaf(t), earlier,
                             homes && offset == 0 ? homes->chain(t) : std::span<const Step>{});
      }
    }
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    check_time();
    planner.lay_switch(tables.target(s), s);
  }
  return planner.take();
}

}  // namespace fatwood
