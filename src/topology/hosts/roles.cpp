// SPDX-License-Identifier: BSD-3-Clause
#include "topology/hosts/roles.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "core/sort_unique.hpp"
#include "topology/model.hpp"

namespace fatwood {
namespace {

constexpr std::size_t kMinority = 5;  // a sign singles out fewer than one host in five

class RoleFinder {
 public:
  explicit RoleFinder(const Model& model)
      : model_(model),
        fabric_(model.fabric()),
        hosts_(model.hosts().hosts),
        rails_(model.hosts().rails),
        roles_(hosts_.size()),
        ports_(hosts_.size()),
        stems_(hosts_.size()) {
    for (const Host h : ids<Host>(hosts_.size())) {
      for (const Terminal t : terminals_of(fabric_, hosts_, h)) {
        if (model_.adapters().sends(t)) ports_[h].push_back(t);
      }
      if (hosts_.named_by(h) == NamedBy::kDescription) stems_[h] = name_stem(hosts_.name(h));
    }
    usual_ports_ = usual([&](Host h) { return ports_[h].size(); });
    usual_speed_ = usual([&](Host h) { return speed(h); });
    count_leaves();
  }

  Roles run() {
    given();
    by_rails();
    by_cabling();
    by_ports();
    by_names();
    find_storage();
    return {roles_, adapter_roles()};
  }

 private:
  using Set = std::vector<Host>;

  // The value that most hosts with ports have.
  template <class Value>
  std::uint64_t usual(const Value& value) const {
    std::map<std::uint64_t, std::size_t> count;
    for (const Host h : ids<Host>(hosts_.size())) {
      if (!ports_[h].empty()) ++count[value(h)];
    }
    std::uint64_t best = 0;
    for (const auto& [key, times] : count) {
      if (times >= count[best]) best = key;
    }
    return best;
  }

  // Megabits per second of its fastest port; 0 where none is known.
  std::uint64_t speed(Host h) const {
    double most = 0;
    for (const Terminal t : ports_[h]) {
      most = std::max(most, gigabits(fabric_.rate(fabric_.terminal_channel(t))));
    }
    return static_cast<std::uint64_t>(most * 1000);
  }

  void count_leaves() {
    on_leaf_ = Table<Switch, std::uint32_t>(fabric_.num_switches());
    for (const Host h : ids<Host>(hosts_.size())) {
      std::set<Switch> seen;
      for (const Terminal t : ports_[h]) {
        if (fabric_.leaf(t) != kNone<Switch>) seen.insert(fabric_.leaf(t));
      }
      for (const Switch s : seen) ++on_leaf_[s];
    }
    std::vector<std::uint32_t> filled;
    for (const std::uint32_t n : on_leaf_) {
      if (n > 0) filled.push_back(n);
    }
    std::ranges::sort(filled);
    usual_on_leaf_ = filled.empty() ? 0 : filled[filled.size() / 2];
  }

  bool open(Host h) const { return roles_[h].reason == RoleSign::kNone && !ports_[h].empty(); }
  bool compute(Host h) const { return roles_[h].role == Role::kCompute; }

  void assign(const Set& set, RoleSign sign) {
    if (set.size() * kMinority >= hosts_.size()) return;
    for (const Host h : set) roles_[h] = {Role::kService, sign, RoleSign::kNone};
  }

  // Open hosts for which the condition holds.
  template <class Condition>
  Set open_hosts(const Condition& condition) const {
    Set set;
    for (const Host h : ids<Host>(hosts_.size())) {
      if (open(h) && condition(h)) set.push_back(h);
    }
    return set;
  }

  // Open hosts on whose leaves the condition holds.
  template <class Condition>
  Set open_on(const Condition& condition) const {
    return open_hosts([&](Host h) { return on_leaves(h, condition); });
  }

  // Whether the condition holds for each leaf of a host, and it has one.
  template <class Condition>
  bool on_leaves(Host h, const Condition& condition) const {
    return !ports_[h].empty() && std::ranges::all_of(ports_[h], [&](Terminal t) {
      return fabric_.leaf(t) != kNone<Switch> && condition(fabric_.leaf(t));
    });
  }

  bool half_empty(Switch leaf) const { return 2 * on_leaf_[leaf] < usual_on_leaf_; }

  // Without hosts that are called like compute hosts outside the set, or like compute hosts of
  // any site. Hosts without a name are called like all.
  Set called_otherwise(const Set& set) const {
    std::map<std::string_view, std::size_t> others;
    for (const Host h : ids<Host>(hosts_.size())) {
      if (compute(h)) ++others[stems_[h]];
    }
    for (const Host h : set) --others[stems_[h]];
    Set rest;
    for (const Host h : set) {
      const bool like = stems_[h].empty() || others[stems_[h]] > 0;
      if (!like && role_in_name(hosts_.name(h)) != Role::kCompute) rest.push_back(h);
    }
    return rest;
  }

  void given() {
    const auto listed = [&](Host h, const std::vector<Terminal>& list) {
      return std::ranges::any_of(ports_[h],
                                 [&](Terminal t) { return std::ranges::binary_search(list, t); });
    };
    const ModelHints& hints = model_.hints();
    for (const Host h : ids<Host>(hosts_.size())) {
      if (listed(h, hints.uncounted)) {
        roles_[h] = {Role::kStorage, RoleSign::kGiven, RoleSign::kGiven};
      } else if (listed(h, hints.compute)) {
        roles_[h] = {Role::kCompute, RoleSign::kGiven, RoleSign::kNone};
      } else if (!hints.compute.empty() && !ports_[h].empty()) {
        roles_[h] = {Role::kService, RoleSign::kGiven, RoleSign::kNone};
      }
    }
  }

  // Units are for compute only where most ports belong to them: storage servers with two
  // adapters on two leaves look like a unit as well.
  bool rails_for_compute() const {
    std::size_t inside = 0;
    std::size_t all = 0;
    for (const Host h : ids<Host>(hosts_.size())) {
      all += ports_[h].size();
      if (rails_.member_of[h] != kNone<ScalableUnit>) inside += ports_[h].size();
    }
    return rails_.any() && 2 * inside > all;
  }

  void by_rails() {
    if (!rails_for_compute()) return;
    const auto use = [&](LeafUse wanted) {
      return [this, wanted](Switch s) { return rails_.use[s] == wanted; };
    };
    for (const Host h :
         open_hosts([&](Host h) { return rails_.member_of[h] != kNone<ScalableUnit>; })) {
      roles_[h] = {Role::kCompute, RoleSign::kRails, RoleSign::kNone};
    }
    assign(open_on(use(LeafUse::kStorage)), RoleSign::kStorageLeaf);
    assign(open_on(use(LeafUse::kManagement)), RoleSign::kOwnLeaf);
    assign(open_on(use(LeafUse::kRail)), RoleSign::kGuest);
  }

  void by_cabling() {
    assign(open_hosts([&](Host h) {
             return std::ranges::any_of(hosts_.adapters(h), [&](Node node) {
               return fabric_.kind(node) == NodeKind::kRouter;
             });
           }),
           RoleSign::kRouter);
    const Levels& levels = model_.levels();
    if (!levels.is_tree() || levels.height < 2) return;
    assign(open_on([&](Switch s) { return levels.level[s] > 1; }), RoleSign::kAboveLeaves);
    const auto& off = model_.recognition().side.off;
    Set few;
    Set full;
    for (const Host h : open_on([&](Switch s) { return off[s]; })) {
      (on_leaves(h, [&](Switch s) { return half_empty(s); }) ? few : full).push_back(h);
    }
    assign(few, RoleSign::kOwnLeaf);
    const Table<Switch, std::uint8_t> thin = thin_leaves(levels);
    const Set poor = open_on([&](Switch s) { return thin[s]; });
    full.insert(full.end(), poor.begin(), poor.end());
    sort_unique(full);
    assign(called_otherwise(full), RoleSign::kOwnLeaf);
  }

  // 1: a leaf with at most half of the usual cables up.
  Table<Switch, std::uint8_t> thin_leaves(const Levels& levels) const {
    Table<Switch, std::uint32_t> up(fabric_.num_switches());
    std::vector<std::uint32_t> all;
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      if (on_leaf_[s] == 0 || levels.level[s] != 1) continue;
      for (const SwitchLink& link : fabric_.links(s)) up[s] += levels.level[link.to] > 1 ? 1U : 0U;
      all.push_back(up[s]);
    }
    std::ranges::sort(all);
    Table<Switch, std::uint8_t> thin(fabric_.num_switches());
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      thin[s] = on_leaf_[s] > 0 && !all.empty() && 2 * up[s] <= all[all.size() / 2] ? 1 : 0;
    }
    return thin;
  }

  void by_ports() {
    Table<Switch, std::uint8_t> usual_here(fabric_.num_switches());
    for (const Host h : ids<Host>(hosts_.size())) {
      for (const Terminal t : ports_[h]) {
        if (fabric_.leaf(t) != kNone<Switch> && speed(h) == usual_speed_) {
          usual_here[fabric_.leaf(t)] = 1;
        }
      }
    }
    assign(called_otherwise(open_on([&](Switch s) { return !usual_here[s]; })),
           RoleSign::kOtherSpeed);
    assign(called_otherwise(open_hosts([&](Host h) { return speed(h) > usual_speed_; })),
           RoleSign::kFasterPorts);
    assign(called_otherwise(open_hosts([&](Host h) { return ports_[h].size() > usual_ports_; })),
           RoleSign::kMorePorts);
  }

  void by_names() {
    assign(open_hosts([&](Host h) {
             const auto role = role_in_name(hosts_.name(h));
             return hosts_.named_by(h) == NamedBy::kDescription && role && *role != Role::kCompute;
           }),
           RoleSign::kName);
    for (const Host h : open_hosts([](Host) { return true; })) {
      roles_[h].reason = RoleSign::kLikeMost;
    }
  }

  // Storage or service, of those that differ.
  void find_storage() {
    std::map<std::string, RoleSign> storage_stems;
    Set undecided;
    for (const Host h : ids<Host>(hosts_.size())) {
      HostRole& role = roles_[h];
      if (role.role == Role::kCompute || role.reason == RoleSign::kGiven) continue;
      role.kind = storage_sign(h);
      if (role.kind == RoleSign::kNone) {
        const bool silent = !role_in_name(hosts_.name(h));
        if (silent) undecided.push_back(h);
        if (!silent) role.kind = RoleSign::kName;
        continue;
      }
      role.role = Role::kStorage;
      storage_stems[stems_[h]] = role.kind;
    }
    for (const Host h : undecided) {
      if (stems_[h].empty() || !storage_stems.contains(stems_[h])) continue;
      roles_[h].role = Role::kStorage;
      roles_[h].kind = RoleSign::kNameOfOthers;
    }
  }

  // kNone: nothing says that it is storage.
  RoleSign storage_sign(Host h) const {
    const RoleSign reason = roles_[h].reason;
    if (reason == RoleSign::kStorageLeaf) return reason;
    if (reason == RoleSign::kRouter) return RoleSign::kNone;
    const auto named = role_in_name(hosts_.name(h));
    if (reason == RoleSign::kName) return named == Role::kStorage ? reason : RoleSign::kNone;
    if (usual_speed_ > 0 && speed(h) > usual_speed_) return RoleSign::kFasterPorts;
    if (ports_[h].size() > usual_ports_) return RoleSign::kMorePorts;
    if (named == Role::kService) return RoleSign::kNone;
    if (on_leaves(h, [&](Switch s) { return !half_empty(s); }) &&
        (reason == RoleSign::kOwnLeaf || reason == RoleSign::kOtherSpeed)) {
      return RoleSign::kFullLeaf;
    }
    const bool few = reason == RoleSign::kOwnLeaf;  // a management leaf, whatever its hosts cache
    return named == Role::kStorage && !few ? RoleSign::kName : RoleSign::kNone;
  }

  Table<Adapter, Role> adapter_roles() const {
    const bool rails = rails_for_compute();
    Table<Adapter, Role> result(model_.adapters().size());
    for (const Adapter a : ids<Adapter>(model_.adapters().size())) {
      const Host h = hosts_.of(model_.adapters().node(fabric_, a));
      result[a] = h == kNone<Host> ? Role::kService : roles_[h].role;
      const auto ports = model_.adapters().terminals(a);
      const bool storage = rails && std::ranges::all_of(ports, [&](Terminal t) {
                             return fabric_.leaf(t) != kNone<Switch> &&
                                    rails_.use[fabric_.leaf(t)] == LeafUse::kStorage;
                           });
      if (storage && result[a] == Role::kCompute) result[a] = Role::kStorage;
    }
    return result;
  }

  const Model& model_;
  const Fabric& fabric_;
  const Hosts& hosts_;
  const Rails& rails_;
  Table<Host, HostRole> roles_;
  Table<Host, std::vector<Terminal>> ports_;
  Table<Host, std::string> stems_;
  std::uint64_t usual_ports_ = 0;
  std::uint64_t usual_speed_ = 0;
  Table<Switch, std::uint32_t> on_leaf_;  // hosts
  std::uint32_t usual_on_leaf_ = 0;
};

}  // namespace

std::string_view name_of(Role role) {
  constexpr std::array<std::string_view, kRoles.size()> kNames{"compute", "storage", "service"};
  return kNames[static_cast<std::size_t>(role)];
}

Roles::Roles(Table<Host, HostRole> hosts, Table<Adapter, Role> adapters)
    : hosts_(std::move(hosts)), adapters_(std::move(adapters)) {
  for (const HostRole& host : hosts_) ++host_count_[static_cast<std::size_t>(host.role)];
  for (const Role role : adapters_) ++adapter_count_[static_cast<std::size_t>(role)];
}

Roles find_roles(const Model& model) { return RoleFinder(model).run(); }

}  // namespace fatwood
