// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/faults/fault_safety.hpp"

#include <algorithm>

#include "core/union_find.hpp"
#include "routing/repair/fallback_routes.hpp"

namespace fatwood {

FaultSafety::FaultSafety(const TablesInUse& in_use, int threads)
    : in_use_(in_use),
      has_fallback_(have_fallback_routes(in_use)),
      terminals_(terminals_on(in_use.model().fabric())),
      mixed_(in_use.model(), in_use.tables(), threads) {}

Safety FaultSafety::of(std::span<const EntryChange> changes, std::span<const Channel> cut,
                       Switch removed) {
  if (!mixed_.old_is_free()) return Safety::kNone;
  std::vector<EntryChange> written;
  for (const EntryChange& change : changes) {
    if (change.at != removed) written.push_back(change);
  }
  std::vector<Channel> dead(cut.begin(), cut.end());
  if (removed != kNone<Switch>) {
    dead.clear();
    for (const SwitchLink& link : in_use_.model().fabric().links(removed)) {
      dead.push_back(link.channel);
    }
  }
  if (needs_fallback(written, dead)) return Safety::kRounds;
  return mixed_.any_order(written, dead) ? Safety::kAnyOrder : Safety::kRounds;
}

// Whether an entry loses its up*/down* route but is still connected to its destination, and a
// repair gives it a fallback route: if the tables have such routes, or hosts would lose each other.
bool FaultSafety::needs_fallback(std::span<const EntryChange> changes,
                                 std::span<const Channel> dead) const {
  std::vector<EntryChange> lost;
  for (const EntryChange& change : changes) {
    const bool hosts = !in_use_.tables().is_switch(change.destination) && terminals_[change.at] > 0;
    if (change.port == kNoRoute && (has_fallback_ || hosts)) lost.push_back(change);
  }
  if (lost.empty()) return false;
  const Fabric& fabric = in_use_.model().fabric();
  Table<Channel, char> is_dead(fabric.num_channels(), 0);
  for (const Channel c : dead) is_dead[c] = is_dead[fabric.peer(c)] = 1;
  UnionFind parts(fabric.num_switches());
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    for (const auto& [c, to, port] : fabric.links(s)) {
      if (s < to && is_dead[c] == 0) parts.join(index(s), index(to));
    }
  }
  return std::ranges::any_of(lost, [&](const EntryChange& change) {
    const Switch home = in_use_.home(change.destination);
    return home != kNone<Switch> && parts.find(index(home)) == parts.find(index(change.at));
  });
}

}  // namespace fatwood
