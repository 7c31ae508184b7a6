// SPDX-License-Identifier: BSD-3-Clause
// Units, rails and members (rails.hpp, steps 1 to 3).

#include <algorithm>
#include <map>
#include <set>

#include "core/sort_unique.hpp"
#include "core/text/natural_order.hpp"
#include "core/union_find.hpp"
#include "topology/hosts/rail_parts.hpp"

namespace fatwood {
namespace {

constexpr std::size_t kMostLeaves = 64;  // of one host; a router between planes has more

bool loose(const Hosts& hosts, Host m) { return hosts.named_by(m) == NamedBy::kNothing; }

// "leaf2" before "leaf10".
bool leaf_order(const Fabric& fabric, Switch a, Switch b) {
  const std::string_view name_a = display_name(fabric, fabric.node(a));
  const std::string_view name_b = display_name(fabric, fabric.node(b));
  return name_a == name_b ? a < b : natural_less(name_a, name_b);
}

// The entry with the most votes, the first of equals.
auto most_votes(const auto& votes) {
  return std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
}

// The leaves of each host, sorted, each once.
Table<Host, std::vector<Switch>> leaves_of(const Fabric& fabric, const Hosts& hosts) {
  Table<Host, std::vector<Switch>> leaves(hosts.size());
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const Host m = hosts.of(fabric.adapter_node(t));
    if (m != kNone<Host> && fabric.leaf(t) != kNone<Switch>) leaves[m].push_back(fabric.leaf(t));
  }
  for (auto& list : leaves) sort_unique(list);
  return leaves;
}

class UnitFinder {
 public:
  UnitFinder(const Fabric& fabric, const Hosts& hosts)
      : fabric_(fabric), hosts_(hosts), leaves_(leaves_of(fabric, hosts)) {
    rails_.use = Table<Switch, LeafUse>(fabric.num_switches(), LeafUse::kNone);
    rails_.unit_of = Table<Switch, ScalableUnit>(fabric.num_switches(), kNone<ScalableUnit>);
    rails_.rail_of = Table<Switch, Rail>(fabric.num_switches(), kNone<Rail>);
    rails_.member_of = Table<Host, ScalableUnit>(hosts.size(), kNone<ScalableUnit>);
    rails_.leaf_port = Table<Host, Port>(hosts.size(), kNoLeafPort);
  }

  Rails run() {
    for (std::vector<Switch>& leaves : leaf_groups()) {
      if (holds_together(leaves)) groups_.push_back(std::move(leaves));
    }
    number_rails();
    for (const ScalableUnit unit : ids<ScalableUnit>(rails_.units.size())) sort_hosts(unit);
    leaf_uses();
    return std::move(rails_);
  }

 private:
  // Leaves that belong together, by the hosts on both.
  std::vector<std::vector<Switch>> leaf_groups() const {
    Table<Switch, std::uint32_t> busy(fabric_.num_switches(), 0);
    std::vector<std::pair<Switch, Switch>> pairs;
    for (const Host m : ids<Host>(hosts_.size())) {
      const std::vector<Switch>& leaves = leaves_[m];
      if (loose(hosts_, m) || leaves.size() > kMostLeaves) continue;
      for (std::size_t i = 0; i < leaves.size(); ++i) {
        ++busy[leaves[i]];
        for (std::size_t j = i + 1; j < leaves.size(); ++j)
          pairs.emplace_back(leaves[i], leaves[j]);
      }
    }
    std::sort(pairs.begin(), pairs.end());
    UnionFind sets(fabric_.num_switches());
    for (auto at = pairs.begin(); at != pairs.end();) {
      const auto [a, b] = *at;
      const auto end = std::find_if(at, pairs.end(), [&](const auto& pair) { return pair != *at; });
      const auto both = static_cast<std::uint32_t>(end - at);
      if (2 * both > std::max(busy[a], busy[b])) sets.join(index(a), index(b));
      at = end;
    }
    std::map<std::uint32_t, std::vector<Switch>> groups;
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      if (busy[s] > 0) groups[sets.find(index(s))].push_back(s);
    }
    std::vector<std::vector<Switch>> result;
    for (auto& [first, leaves] : groups) {
      if (leaves.size() > 1) result.push_back(std::move(leaves));
    }
    return result;
  }

  std::size_t common(Host m, const std::vector<Switch>& leaves) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        leaves_[m], [&](Switch s) { return std::ranges::binary_search(leaves, s); }));
  }

  // Whether most of the hosts on these leaves reach more than half of them.
  bool holds_together(const std::vector<Switch>& leaves) const {
    std::size_t all = 0;
    std::size_t wide = 0;
    for (const Host m : ids<Host>(hosts_.size())) {
      if (loose(hosts_, m)) continue;
      const std::size_t here = common(m, leaves);
      if (here > 0) ++all;
      if (2 * here > leaves.size()) ++wide;
    }
    return 2 * wide > all;
  }

  // The leaves of a group in the order of their devices, with these.
  std::vector<std::pair<RailKey, Switch>> in_order(const std::vector<Switch>& leaves) const {
    std::map<Switch, std::map<RailKey, std::size_t>> votes;
    for (const Terminal t : ids<Terminal>(fabric_.num_terminals())) {
      const Host m = hosts_.of(fabric_.adapter_node(t));
      if (m == kNone<Host> || fabric_.leaf(t) == kNone<Switch>) continue;
      if (!std::binary_search(leaves.begin(), leaves.end(), fabric_.leaf(t))) continue;
      const RailKey key = rail_key(fabric_, t);
      if (key.device.known() && 2 * common(m, leaves) > leaves.size())
        ++votes[fabric_.leaf(t)][key];
    }
    std::vector<std::pair<RailKey, Switch>> order;
    for (const Switch s : leaves) {
      const auto most = most_votes(votes[s]);
      order.emplace_back(most == votes[s].end() ? RailKey{} : most->first, s);
    }
    std::ranges::sort(order, [&](const auto& a, const auto& b) {
      return a.first == b.first ? leaf_order(fabric_, a.second, b.second) : a.first < b.first;
    });
    return order;
  }

  using Keys = std::vector<RailKey>;

  // The place of each key of `part` in `whole`; empty if one is missing. Both are sorted.
  static std::vector<std::size_t> places(const Keys& part, const Keys& whole) {
    std::vector<std::size_t> found;
    for (const RailKey& key : part) {
      const auto at = std::lower_bound(whole.begin(), whole.end(), key);
      if (at == whole.end() || *at != key) return {};
      found.push_back(static_cast<std::size_t>(at - whole.begin()));
    }
    return found;
  }

  void number_rails() {
    std::vector<std::vector<std::pair<RailKey, Switch>>> orders;
    std::size_t most = 0;
    for (const auto& leaves : groups_) {
      orders.push_back(in_order(leaves));
      most = std::max(most, leaves.size());
    }
    std::ranges::sort(orders, [&](const auto& a, const auto& b) {
      return leaf_order(fabric_, a.front().second, b.front().second);
    });
    std::map<Keys, std::size_t> lists;  // of units with all rails
    for (const auto& order : orders) {
      if (order.size() == most) ++lists[keys_of(order)];
    }
    const auto usual = most_votes(lists);
    rails_.device = Table<Rail, std::string>(most);
    for (const auto& order : orders) add_unit(order, lists, most);
    if (usual != lists.end()) name_devices(usual->first);
  }

  static Keys keys_of(const std::vector<std::pair<RailKey, Switch>>& order) {
    Keys keys;
    for (const auto& [key, leaf] : order) keys.push_back(key);
    return keys;
  }

  void add_unit(const std::vector<std::pair<RailKey, Switch>>& order,
                const std::map<Keys, std::size_t>& lists, std::size_t rails) {
    std::vector<std::size_t> place;
    if (order.size() < rails) {
      std::size_t best = 0;
      for (const auto& [keys, times] : lists) {
        const std::vector<std::size_t> fits = places(keys_of(order), keys);
        if (!fits.empty() && times > best) place = fits, best = times;
      }
    }
    const auto unit = static_cast<ScalableUnit>(rails_.units.size());
    RailUnit made{Table<Rail, Switch>(rails, kNone<Switch>), {}, {}, {}};
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto rail = static_cast<Rail>(place.empty() ? i : place[i]);
      made.leaf[rail] = order[i].second;
      rails_.unit_of[order[i].second] = unit;
      rails_.rail_of[order[i].second] = rail;
    }
    rails_.units.push_back(std::move(made));
  }

  // The text that most adapters with the usual key have.
  void name_devices(const Keys& usual) {
    std::vector<std::map<std::string_view, std::size_t>> texts(usual.size());
    for (const Terminal t : ids<Terminal>(fabric_.num_terminals())) {
      const Rail rail = rails_.rail(fabric_, t);
      if (rail == kNone<Rail> || rail_key(fabric_, t) != usual[index(rail)]) continue;
      ++texts[index(rail)]
             [described_adapter(fabric_.description(fabric_.adapter_node(t))).device_text];
    }
    for (std::size_t i = 0; i < usual.size(); ++i) {
      const auto most = most_votes(texts[i]);
      if (most != texts[i].end()) rails_.device[static_cast<Rail>(i)] = most->first;
    }
  }

  // Members and guests of a unit.
  void sort_hosts(ScalableUnit unit) {
    RailUnit& made = rails_.units[unit];
    std::vector<Switch> leaves;
    for (const Switch s : made.leaf) {
      if (s != kNone<Switch>) leaves.push_back(s);
    }
    std::sort(leaves.begin(), leaves.end());
    std::vector<Host> narrow;
    for (const Host m : ids<Host>(hosts_.size())) {
      const std::size_t here = common(m, leaves);
      if (here == 0) continue;
      if (2 * here > leaves.size()) {
        made.members.push_back(m);
        rails_.member_of[m] = unit;
      } else {
        narrow.push_back(m);
      }
    }
    const Table<Rail, RailKey> usual = usual_keys(fabric_, hosts_, rails_, unit);
    for (const Host m : narrow) {
      const bool joins = rails_.member_of[m] == kNone<ScalableUnit> && as_usual(unit, usual, m);
      if (joins) rails_.member_of[m] = unit;
      (joins ? made.members : made.guests).push_back(m);
    }
    assign_leaf_ports(unit);
  }

  bool as_usual(ScalableUnit unit, const Table<Rail, RailKey>& usual, Host m) const {
    for (const Terminal t : terminals_of(fabric_, hosts_, m)) {
      const Rail rail = rails_.rail(fabric_, t);
      if (rail == kNone<Rail> || rails_.unit_of[fabric_.leaf(t)] != unit) return false;
      if (!usual[rail].device.known() || rail_key(fabric_, t) != usual[rail]) return false;
    }
    return true;
  }

  // Finds the leaf ports of the members and sorts the members by them.
  void assign_leaf_ports(ScalableUnit unit) {
    std::vector<Host>& members = rails_.units[unit].members;
    std::set<Port> taken;
    for (const Host m : members) {
      rails_.leaf_port[m] = usual_port(fabric_, hosts_, rails_, unit, m);
      taken.insert(rails_.leaf_port[m]);
    }
    for (const Host m : members) {
      if (rails_.leaf_port[m] != kNoLeafPort) continue;
      std::set<Port> free;
      for (const Terminal t : unit_terminals(fabric_, hosts_, rails_, unit, m)) {
        const Port port = fabric_.leaf_port(t);
        if (!taken.contains(port)) free.insert(port);
      }
      if (free.size() == 1) rails_.leaf_port[m] = *free.begin();
    }
    std::ranges::stable_sort(members, {}, [&](Host m) { return rails_.leaf_port[m]; });
  }

  void leaf_uses() {
    for (const Host m : ids<Host>(hosts_.size())) {
      for (const Switch s : leaves_[m]) {
        LeafUse& use = rails_.use[s];
        if (!rails_.any()) {
          use = LeafUse::kPlain;
        } else if (rails_.unit_of[s] != kNone<ScalableUnit>) {
          use = LeafUse::kRail;
        } else if (rails_.member_of[m] != kNone<ScalableUnit>) {
          use = LeafUse::kStorage;
        } else if (use == LeafUse::kNone) {
          use = LeafUse::kManagement;
        }
      }
    }
  }

  const Fabric& fabric_;
  const Hosts& hosts_;
  Table<Host, std::vector<Switch>> leaves_;
  std::vector<std::vector<Switch>> groups_;
  Rails rails_;
};

}  // namespace

RailKey rail_key(const Fabric& fabric, Terminal t) {
  return {described_adapter(fabric.description(fabric.adapter_node(t))).device,
          fabric.port(fabric.terminal_channel(t))};
}

Table<Rail, RailKey> usual_keys(const Fabric& fabric, const Hosts& hosts, const Rails& rails,
                                ScalableUnit unit) {
  const RailUnit& made = rails.units[unit];
  Table<Rail, std::map<RailKey, std::size_t>> votes(made.leaf.size());
  Table<Rail, std::size_t> all(made.leaf.size(), 0);
  for (const Host m : made.members) {
    for (const Terminal t : unit_terminals(fabric, hosts, rails, unit, m)) {
      const RailKey key = rail_key(fabric, t);
      if (!key.device.known()) continue;
      ++votes[rails.rail(fabric, t)][key];
      ++all[rails.rail(fabric, t)];
    }
  }
  Table<Rail, RailKey> usual(made.leaf.size());
  for (const Rail rail : ids<Rail>(made.leaf.size())) {
    for (const auto& [key, times] : votes[rail]) {
      if (2 * times > all[rail]) usual[rail] = key;
    }
  }
  return usual;
}

Rails find_units(const Fabric& fabric, const Hosts& hosts) {
  return UnitFinder(fabric, hosts).run();
}

}  // namespace fatwood
