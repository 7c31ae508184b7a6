// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/forced.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "core/parallel.hpp"
#include "routing/target_tree.hpp"

namespace fatwood {

namespace {

enum class Way : std::uint8_t { kNone, kDown, kUp };

// An entry that must change, and the ports that will do.
struct Forced {
  TableEntry entry;
  std::vector<std::uint8_t> ports;
};

struct RowChange {
  std::vector<Forced> forced;
  std::vector<TableEntry> dropped;
};

class RowRepair {
 public:
  RowRepair(const Model& model, const ForwardingTables& old, std::span<const Switch> by_level)
      : model_(model), old_(old), by_level_(by_level), way_(model.fabric().num_switches()) {}

  RowChange repair(Target target) {
    RowChange change;
    const Switch home = home_of(target);
    if (home == kNone<Switch>) return change;
    std::ranges::fill(way_, Way::kNone);
    way_[home] = Way::kDown;
    for (const Switch s : by_level_) {
      if (s != home) settle_down(target, s, change);
    }
    for (const Switch s : std::ranges::reverse_view(by_level_)) {
      if (way_[s] != Way::kDown) settle_up(target, s, change);
    }
    if (own_entry(target, home) != old_.at(target, home)) {
      change.forced.push_back({{target, home}, {own_entry(target, home)}});
    }
    drop_what_is_lost(target, change);
    return change;
  }

 private:
  Switch home_of(Target target) const {
    return old_.is_switch(target) ? old_.as_switch(target)
                                  : model_.fabric().leaf(old_.terminal(target));
  }
  std::uint8_t own_entry(Target target, Switch) const {
    const Fabric& fabric = model_.fabric();
    if (old_.is_switch(target)) return 0;
    return static_cast<std::uint8_t>(
        fabric.port(fabric.peer(fabric.terminal_channel(old_.terminal(target)))));
  }
  Level level(Switch s) const { return model_.levels().level[s]; }

  // Where the old entry leads, if that is another switch by a live cable.
  std::optional<Switch> old_next(Target target, Switch s) const {
    const Hop hop = model_.hop_map().at(s, old_.at(target, s));
    if (!hop.to_switch()) return std::nullopt;
    return static_cast<Switch>(hop.next());
  }

  // Ports of s to switches on the other side of which packets go on this way.
  template <class Leads>
  std::vector<std::uint8_t> ports_to(Switch s, const Leads& leads) const {
    const PortGraph& graph = model_.port_graph();
    std::vector<std::uint8_t> ports;
    for (std::uint32_t g = graph.first[index(s)]; g < graph.first[index(s) + 1]; ++g) {
      if (!leads(static_cast<Switch>(graph.neighbour[g]))) continue;
      const auto own = graph.ports(g);
      ports.insert(ports.end(), own.begin(), own.end());
    }
    std::ranges::sort(ports);
    return ports;
  }

  // REQUIRES that all switches below are settled.
  void settle_down(Target target, Switch s, RowChange& change) {
    const auto descends = [&](Switch n) { return level(n) < level(s) && way_[n] == Way::kDown; };
    if (const auto next = old_next(target, s)) {
      if (level(*next) < level(s)) {
        if (way_[*next] == Way::kDown) {
          way_[s] = Way::kDown;
          return;
        }
      } else if (level(*next) > level(s)) {
        return;  // it climbs, and may go on to do so
      }
    }
    std::vector<std::uint8_t> ports = ports_to(s, descends);
    if (ports.empty()) return;
    way_[s] = Way::kDown;
    change.forced.push_back({{target, s}, std::move(ports)});
  }

  // REQUIRES that all switches above are settled.
  void settle_up(Target target, Switch s, RowChange& change) {
    const auto next = old_next(target, s);
    if (next && level(*next) > level(s) && way_[*next] != Way::kNone) {
      way_[s] = Way::kUp;
      return;
    }
    std::vector<std::uint8_t> ports =
        ports_to(s, [&](Switch n) { return level(n) > level(s) && way_[n] != Way::kNone; });
    if (ports.empty()) {
      // It climbed to a switch without a route; going down is legal for whoever enters.
      ports = ports_to(s, [&](Switch n) { return level(n) < level(s) && way_[n] == Way::kDown; });
      if (ports.empty()) return;
    }
    way_[s] = Way::kUp;
    change.forced.push_back({{target, s}, std::move(ports)});
  }

  // What has no legal way keeps its old entry where that still arrives.
  void drop_what_is_lost(Target target, RowChange& change) {
    bool any = false;
    for (const Switch s : by_level_) any = any || way_[s] == Way::kNone;
    if (!any) return;
    for (const Switch s : by_level_) {
      if (way_[s] != Way::kNone || old_.at(target, s) == kNoRoute) continue;
      if (!arrives(target, s)) change.dropped.push_back({target, s});
    }
  }
  bool arrives(Target target, Switch from) const {
    Switch s = from;
    for (std::size_t hops = 0; hops < by_level_.size(); ++hops) {
      if (way_[s] != Way::kNone) return true;
      const auto next = old_next(target, s);
      if (!next) return false;
      s = *next;
    }
    return false;
  }

  const Model& model_;
  const ForwardingTables& old_;
  std::span<const Switch> by_level_;  // ascending
  Table<Switch, Way> way_;
};

// How many targets each port of a switch has, counted when the switch is first asked for.
class PortUse {
 public:
  explicit PortUse(const ForwardingTables& tables) : tables_(tables), of_(tables.num_switches()) {}

  std::uint8_t least_used(Switch s, std::span<const std::uint8_t> ports) {
    std::vector<std::uint32_t>& use = of(s);
    return *std::ranges::min_element(ports, {}, [&](std::uint8_t port) { return use[port]; });
  }
  void move(Switch s, std::uint8_t from, std::uint8_t to) {
    std::vector<std::uint32_t>& use = of(s);
    --use[from];
    ++use[to];
  }

 private:
  std::vector<std::uint32_t>& of(Switch s) {
    std::vector<std::uint32_t>& use = of_[index(s)];
    if (use.empty()) {
      use.resize(256);
      for (const Target target : ids<Target>(tables_.num_targets())) ++use[tables_.at(target, s)];
    }
    return use;
  }

  const ForwardingTables& tables_;
  std::vector<std::vector<std::uint32_t>> of_;
};

}  // namespace

Repaired keep_what_can_stay(const Model& model, const ForwardingTables& old, int threads) {
  require_tree(model.levels(), "repair");
  std::vector<Switch> by_level;
  for (const Switch s : ids<Switch>(model.fabric().num_switches())) by_level.push_back(s);
  std::ranges::stable_sort(by_level, {}, [&](Switch s) { return model.levels().level[s]; });
  std::vector<RowChange> changes(old.num_targets());
  std::vector<RowRepair> workers(static_cast<std::size_t>(thread_count(threads)),
                                 RowRepair(model, old, by_level));
  parallel_for(
      old.num_targets(), threads,
      [&](std::size_t i, int thread) {
        changes[i] =
            workers[static_cast<std::size_t>(thread)].repair(Target{static_cast<std::uint32_t>(i)});
      },
      16);
  Repaired result{old, {}, {}};
  PortUse use(old);
  for (RowChange& change : changes) {
    std::ranges::sort(change.forced, {}, [](const Forced& f) { return index(f.entry.at); });
    for (const Forced& forced : change.forced) {
      const auto [target, s] = forced.entry;
      const std::uint8_t port = use.least_used(s, forced.ports);
      use.move(s, old.at(target, s), port);
      result.tables.row(target)[index(s)] = port;
      result.forced.push_back(forced.entry);
    }
    for (const TableEntry& entry : change.dropped) {
      result.tables.row(entry.target)[index(entry.at)] = kNoRoute;
      result.dropped.push_back(entry);
    }
  }
  return result;
}

}  // namespace fatwood
