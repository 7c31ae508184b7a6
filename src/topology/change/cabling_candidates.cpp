// SPDX-License-Identifier: BSD-3-Clause
#include "topology/change/cabling_candidates.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace fatwood {
namespace {

constexpr std::size_t kNeediest = 4;  // switches of a level that get a moved uplink
constexpr std::size_t kGivers = 8;    // cables tried for each of them

class Candidates {
 public:
  explicit Candidates(const Model& model)
      : model_(model),
        fabric_(model.fabric()),
        known_(model.recognition()),
        need_(fabric_.num_switches(), 0),
        strays_(fabric_.num_switches()) {}

  std::vector<Recabling> run() {
    find_need();
    replace();
    if (known_.levels.is_tree()) {
      find_strays();
      for (const CableGap& gap : neediest_first(known_.missing)) fill(gap);
      relieve();
    } else {
      for (const Switch s : ids<Switch>(fabric_.num_switches())) {
        for (const Switch to : known_.graph.neighbours(s)) {
          if (s < to) add(s, free_port(s), to, free_port(to));
        }
      }
    }
    return std::move(found_);
  }

 private:
  Level level(Switch s) const { return known_.levels.level[s]; }

  // Bandwidth down (hosts included) over bandwidth up, by switch; 0 without cables up.
  void find_need() {
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      double up = 0;
      double down = 0;
      for (const Channel c : fabric_.channels(fabric_.node(s))) {
        if (!fabric_.connected(c)) continue;
        const bool rises = fabric_.between_switches(c) && level(fabric_.next_switch(c)) > level(s);
        (rises ? up : down) += gigabits(fabric_.rate(c));
      }
      need_[s] = up > 0 ? down / up : 0;
    }
  }

  std::vector<CableGap> neediest_first(std::vector<CableGap> gaps) const {
    std::ranges::stable_sort(gaps, std::ranges::greater(),
                             [&](const CableGap& gap) { return need_[gap.below]; });
    return gaps;
  }

  // A free port, the first but `skip`.
  Channel free_port(Switch s) const {
    for (const Channel c : fabric_.channels(fabric_.node(s))) {
      if (!fabric_.connected(c)) return c;
    }
    return kNone<Channel>;
  }

  void replace() {
    for (const Finding& finding : known_.findings) {
      if (finding.kind != FindingKind::kSlowCable) continue;
      found_.push_back(
          replaced_cable(fabric_, finding.ports.front(), std::get<UsualRate>(finding.facts).usual));
    }
  }

  // By switch: channels out of it that are strays.
  void find_strays() {
    for (const Finding& finding : known_.findings) {
      if (finding.kind == FindingKind::kForeignCable) add_stray(finding.ports.front());
    }
    for (const TreeBlock& block : known_.blocks.block) {
      if (!block.regular()) continue;
      for (const Switch s : block.below) {
        for (const Switch u : block.above) {
          if (cables_between(known_.graph, s, u) > block.cables) {
            add_stray(cables_from(fabric_, s, u).back());
          }
        }
      }
    }
  }

  void add_stray(Channel c) {
    strays_[fabric_.as_switch(fabric_.owner(c))].push_back(c);
    strays_[fabric_.next_switch(c)].push_back(fabric_.peer(c));
  }

  // The rate that the switch's cables to that level have already.
  Rate rate_to(Switch s, Level to, Rate otherwise) const {
    for (const SwitchLink& link : fabric_.links(s)) {
      if (level(link.to) == to) return fabric_.rate(link.channel);
    }
    return otherwise;
  }

  void fill(const CableGap& gap) {
    const FreePorts usual = where_missing(fabric_, known_.blocks, gap);
    const Channel below = usual.below.empty() ? free_port(gap.below) : usual.below.front();
    const Channel above = usual.above.empty() ? free_port(gap.above) : usual.above.front();
    add(gap.below, below, gap.above, above);
    // Strays of one switch, whose other end goes to the other switch.
    for (const Channel c : strays_[gap.below]) {
      if (above != kNone<Channel> && fabric_.next_switch(c) != gap.above) move(c, above);
      for (const Channel d : strays_[gap.above]) exchange(c, d);
    }
    for (const Channel c : strays_[gap.above]) {
      if (below != kNone<Channel> && fabric_.next_switch(c) != gap.below) move(c, below);
    }
  }

  // One more cable between two switches, if both ports are free ones.
  void add(Switch a, Channel port_a, Switch b, Channel port_b) {
    if (port_a == kNone<Channel> || port_b == kNone<Channel>) return;
    if (!added_.emplace(a, b).second) return;
    const Rate rate = rate_to(a, level(b), rate_to(b, level(a), kDefaultRate));
    found_.push_back({"add", {}, {{port_a, port_b, rate}}});
  }

  // The end at `c` stays, the other one goes to the port `to`.
  void move(Channel c, Channel to) {
    if (!seen_.emplace(c, to).second) return;
    found_.push_back({"move", {c}, {{c, to, fabric_.rate(c)}}});
  }

  // Two cables of switches a and b: afterwards one joins a and b, the other one their other ends.
  void exchange(Channel c, Channel d) {
    const Channel c_end = fabric_.peer(c);
    const Channel d_end = fabric_.peer(d);
    if (c == d_end || fabric_.next_switch(c) == fabric_.next_switch(d)) return;
    if (fabric_.rate(c) != fabric_.rate(d) || !seen_.emplace(c, d).second) return;
    // No cable may join a switch to itself, or two switches of one level.
    const Switch x = fabric_.next_switch(c);
    const Switch y = fabric_.next_switch(d);
    if (x == y || level(x) == level(y)) return;
    found_.push_back(
        {"exchange", {c, d}, {{c, d, fabric_.rate(c)}, {d_end, c_end, fabric_.rate(d)}}});
  }

  // Uplinks of switches that need them less.
  void relieve() {
    std::map<std::pair<Level, std::uint32_t>, std::vector<Switch>> groups;  // by level and block
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      if (need_[s] > 0) groups[{level(s), known_.blocks.up[s]}].push_back(s);
    }
    for (auto& [key, switches] : groups) {
      std::ranges::stable_sort(switches, std::ranges::greater(),
                               [&](Switch s) { return need_[s]; });
      std::size_t helped = 0;
      for (const Switch needy : switches) {
        const Channel port = free_port(needy);
        if (port == kNone<Channel>) continue;
        if (++helped > kNeediest) break;
        std::size_t tried = 0;
        for (const Switch to : known_.graph.neighbours(needy)) {
          if (level(to) <= level(needy) || free_port(to) == kNone<Channel>) continue;
          if (tried++ < kGivers) add(needy, port, to, free_port(to));
        }
        relieve(needy, port, switches);
      }
    }
  }

  // The neediest come first in `switches`.
  void relieve(Switch needy, Channel port, const std::vector<Switch>& switches) {
    std::size_t given = 0;
    for (auto giver = switches.rbegin(); giver != switches.rend() && given < kGivers; ++giver) {
      std::set<Switch> above;
      std::size_t up = 0;
      for (const SwitchLink& link : fabric_.links(*giver)) {
        up += level(link.to) > level(*giver) ? 1U : 0U;
      }
      // With one cable less the giver must need it less than the other does now.
      if (up < 2 ||
          need_[*giver] * static_cast<double>(up) >= need_[needy] * static_cast<double>(up - 1)) {
        continue;
      }
      for (const SwitchLink& link : fabric_.links(*giver)) {
        if (level(link.to) <= level(*giver) || !above.insert(link.to).second) continue;
        if (given++ < kGivers) move(fabric_.peer(link.channel), port);
      }
    }
  }

  const Model& model_;
  const Fabric& fabric_;
  const Recognition& known_;
  Table<Switch, double> need_;
  Table<Switch, std::vector<Channel>> strays_;
  std::set<std::pair<Channel, Channel>> seen_;  // moves and exchanges
  std::set<std::pair<Switch, Switch>> added_;   // switches that get one more cable
  std::vector<Recabling> found_;
};

}  // namespace

std::vector<Recabling> cabling_candidates(const Model& model) { return Candidates(model).run(); }

}  // namespace fatwood
