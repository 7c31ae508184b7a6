// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/cut_repair.hpp"

#include <algorithm>
#include <ranges>

namespace fatwood {

CutRepair::CutRepair(const KeptTables& kept)
    : kept_(kept),
      graph_(kept.model().port_graph()),
      map_(kept.model().hop_map()),
      dead_(kept.dead()),
      whole_(kept.model(), kept.tables(), kept.by_level(), &dead_),
      use_change_(kept.model().fabric().num_switches() << 8),
      stamp_(kept.model().fabric().num_switches()),
      mark_(kept.model().fabric().num_switches()),
      by_level_(kept.model().levels().height + 1U),
      up_level_(kept.model().levels().height + 1U),
      marks_(kept.marks()) {
  const Fabric& fabric = kept.model().fabric();
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    level_.push_back(kept.model().levels().level[s]);
    first_channel_.push_back(index(fabric.channel(fabric.node(s), kOwnPort)));
    const std::uint32_t ports_begin = graph_.first_port[graph_.first[index(s)]];
    const std::uint32_t ports_end = graph_.first_port[graph_.first[index(s) + 1]];
    for (std::uint32_t i = ports_begin; i < ports_end; ++i) {
      back_port_.push_back(map_.at(s, graph_.port[i]).arrival());
    }
  }
}

std::span<const EntryChange> CutRepair::cut(std::span<const Channel> cables) {
  const Fabric& fabric = kept_.model().fabric();
  take_marks();
  for (const Channel c : cables) dead_[c] = dead_[fabric.peer(c)] = 1;
  collect_seeds(cables);
  repair_rows(kNone<Switch>);
  for (const Channel c : cables) dead_[c] = dead_[fabric.peer(c)] = kept_.dead()[c];
  return changes_;
}

std::span<const EntryChange> CutRepair::remove(Switch gone) {
  const Fabric& fabric = kept_.model().fabric();
  take_marks();
  std::vector<Channel> cables;
  const Node node = fabric.node(gone);
  for (const Channel c : fabric.channels(node)) {
    if (!fabric.to_switch(c) || dead_[c] != 0) continue;
    cables.push_back(c);
    dead_[c] = dead_[fabric.peer(c)] = 1;
  }
  collect_seeds(cables);
  repair_rows(gone);
  for (const Channel c : cables) dead_[c] = dead_[fabric.peer(c)] = 0;
  return changes_;
}

std::span<const EntryChange> CutRepair::mend() {
  take_marks();
  changes_.clear();
  for (const Destination destination : ids<Destination>(kept_.tables().num_destinations())) {
    if (kept_.has_holes(destination)) repair_whole(destination);
  }
  reset_use();
  return changes_;
}

void CutRepair::take_marks() {
  if (marks_ == kept_.marks()) return;
  dead_ = kept_.dead();
  marks_ = kept_.marks();
}

void CutRepair::collect_seeds(std::span<const Channel> cables) {
  const Fabric& fabric = kept_.model().fabric();
  seeds_.clear();
  for (const Channel c : cables) {
    collect_column(c);
    collect_column(fabric.peer(c));
  }
  // One column is in order of destinations; several together are not.
  std::ranges::sort(seeds_, {}, [](const Seed& seed) {
    return (std::uint64_t{index(seed.destination)} << 32) | index(seed.at);
  });
}

void CutRepair::collect_column(Channel out) {
  const Fabric& fabric = kept_.model().fabric();
  const Switch s = fabric.as_switch(fabric.owner(out));
  const auto port = fabric.port(out);
  if (kept_.use(s, port) == 0) return;
  const ForwardingTables& tables = kept_.tables();
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    if (tables.at(destination, s) == port) seeds_.push_back({destination, s});
  }
}

void CutRepair::repair_rows(Switch gone) {
  changes_.clear();
  for (std::size_t i = 0; i < seeds_.size();) {
    std::size_t end = i;
    const Destination destination = seeds_[i].destination;
    while (end < seeds_.size() && seeds_[end].destination == destination) ++end;
    if (gone == kNone<Switch> || kept_.home(destination) != gone) {
      if (kept_.kind(destination) != RowKind::kUnsettled) {
        repair_row(destination, std::span(seeds_).subspan(i, end - i));
      } else {
        repair_whole(destination);
      }
    }
    i = end;
  }
  reset_use();
}

void CutRepair::reset_use() {
  for (const std::uint32_t place : used_) use_change_[place] = 0;
  used_.clear();
}

void CutRepair::repair_whole(Destination destination) {
  destination_ = destination;
  row_ = kept_.tables().row(destination);
  RowChange row = whole_.repair(destination);
  std::ranges::sort(row.forced, {}, [](const ForcedEntry& f) { return index(f.entry.at); });
  for (const ForcedEntry& forced : row.forced) {
    const std::uint32_t s = index(forced.entry.at);
    Choice best;
    for (const Port port : forced.ports) {
      const std::size_t place = (std::size_t{s} << 8) | index(port);
      const std::uint32_t use =
          kept_.use(Switch{s}, port) + static_cast<std::uint32_t>(use_change_[place]);
      if (use < best.use) best = {use, port};
    }
    change(s, best.port);
  }
  for (const TableEntry& entry : row.dropped) {
    changes_.push_back({destination, entry.at, kNoRoute});
  }
}

void CutRepair::repair_row(Destination destination, std::span<const Seed> seeds) {
  destination_ = destination;
  row_ = kept_.tables().row(destination);
  const Switch home = kept_.home(destination);
  if (home == kNone<Switch>) return;
  home_ = index(home);
  ++stamp_now_;
  for (const Seed& seed : seeds) {
    const std::uint32_t s = index(seed.at);
    if (s == home_ || mark(s) != Mark::kNone || kept_.is_fallback(destination, s)) continue;
    set_mark(s, Mark::kQueued);
    by_level_[level(s)].push_back(s);
  }
  // Settling appends to higher levels on the way up and to lower ones on the way down.
  for (std::vector<std::uint32_t>& waiting : by_level_) {
    for (std::size_t i = 0; i < waiting.size(); ++i) settle_down(waiting[i]);
    waiting.clear();
  }
  for (std::vector<std::uint32_t>& waiting : std::ranges::reverse_view(up_level_)) {
    for (std::size_t i = 0; i < waiting.size(); ++i) settle_up(waiting[i]);
    waiting.clear();
  }
  if (kept_.kind(destination) == RowKind::kPlain) return;
  for (const Seed& seed : seeds) {
    const std::uint32_t s = index(seed.at);
    if (mark(s) == Mark::kNone && kept_.is_fallback(destination, s)) drop(s);
  }
}

// Drops a fallback route that ends at a dead cable or at a switch without a route, and those of
// hosts that lead there.
void CutRepair::drop(std::uint32_t s) {
  set_mark(s, Mark::kLost);
  changes_.push_back({destination_, Switch{s}, kNoRoute});
  drop_fallback_by(s);
}

void CutRepair::drop_fallback_by(std::uint32_t s) {
  if (kept_.kind(destination_) == RowKind::kPlain || kept_.tables().is_switch(destination_)) return;
  for (std::uint32_t g = graph_.first[s]; g < graph_.first[s + 1]; ++g) {
    const std::uint32_t n = graph_.neighbour[g];
    if (comes_by(g) && mark(n) == Mark::kNone && kept_.is_fallback(destination_, n)) drop(n);
  }
}

bool CutRepair::goes_down(std::uint32_t n) const {
  if (n == home_) return true;
  const Mark now = mark(n);
  if (now != Mark::kNone) return now == Mark::kGoesDown;
  const Hop hop = map_.at(n, row_[n]);
  return hop.to_switch() && level(hop.next()) < level(n) && !kept_.is_fallback(destination_, n);
}

bool CutRepair::has_route(std::uint32_t n) const {
  if (n == home_) return true;
  const Mark now = mark(n);
  if (now != Mark::kNone) return now == Mark::kGoesDown || now == Mark::kGoesUp;
  return row_[n] != kNoRoute && !kept_.is_fallback(destination_, n);
}

bool CutRepair::comes_by(std::uint32_t group) const {
  const Port entry = row_[graph_.neighbour[group]];
  for (std::uint32_t i = graph_.first_port[group]; i < graph_.first_port[group + 1]; ++i) {
    if (back_port_[i] == entry) return true;
  }
  return false;
}

void CutRepair::consider(std::uint32_t s, std::uint32_t group, Choice& best) const {
  for (const Port port : graph_.ports(group)) {
    if (!works(s, port)) continue;
    const std::size_t place = (std::size_t{s} << 8) | index(port);
    const std::uint32_t use =
        kept_.use(Switch{s}, port) + static_cast<std::uint32_t>(use_change_[place]);
    if (use < best.use || (use == best.use && port < best.port)) best = {use, port};
  }
}

void CutRepair::change(std::uint32_t s, Port port) {
  const std::uint32_t from = (s << 8) | index(row_[s]);
  const std::uint32_t to = (s << 8) | index(port);
  --use_change_[from];
  ++use_change_[to];
  used_.push_back(from);
  used_.push_back(to);
  changes_.push_back({destination_, Switch{s}, port});
}

// REQUIRES that waiting switches below are settled.
void CutRepair::settle_down(std::uint32_t s) {
  Choice best;
  for (std::uint32_t g = graph_.first[s]; g < graph_.first[s + 1]; ++g) {
    const std::uint32_t n = graph_.neighbour[g];
    if (level(n) < level(s) && goes_down(n)) consider(s, g, best);
  }
  if (best.port != kNoRoute) {
    set_mark(s, Mark::kGoesDown);
    change(s, best.port);
    return;
  }
  set_mark(s, Mark::kFallen);
  up_level_[level(s)].push_back(s);
  for (std::uint32_t g = graph_.first[s]; g < graph_.first[s + 1]; ++g) {
    const std::uint32_t n = graph_.neighbour[g];
    if (level(n) <= level(s) || n == home_ || mark(n) != Mark::kNone || !comes_by(g)) continue;
    if (kept_.is_fallback(destination_, n)) continue;
    set_mark(n, Mark::kQueued);
    by_level_[level(n)].push_back(n);
  }
}

// REQUIRES that waiting switches above are settled.
void CutRepair::settle_up(std::uint32_t s) {
  Choice best;
  for (std::uint32_t g = graph_.first[s]; g < graph_.first[s + 1]; ++g) {
    const std::uint32_t n = graph_.neighbour[g];
    if (level(n) > level(s) && has_route(n)) consider(s, g, best);
  }
  if (best.port == kNoRoute) {
    for (std::uint32_t g = graph_.first[s]; g < graph_.first[s + 1]; ++g) {
      const std::uint32_t n = graph_.neighbour[g];
      if (level(n) < level(s) && goes_down(n)) consider(s, g, best);
    }
  }
  if (best.port != kNoRoute) {
    set_mark(s, Mark::kGoesUp);
    change(s, best.port);
    return;
  }
  set_mark(s, Mark::kLost);
  if (!kept_.tables().is_switch(destination_) || !works(s, row_[s])) {
    changes_.push_back({destination_, Switch{s}, kNoRoute});
  }
  for (std::uint32_t g = graph_.first[s]; g < graph_.first[s + 1]; ++g) {
    const std::uint32_t n = graph_.neighbour[g];
    if (level(n) >= level(s) || n == home_ || mark(n) != Mark::kNone || !comes_by(g)) continue;
    if (kept_.is_fallback(destination_, n)) continue;
    set_mark(n, Mark::kQueued);
    up_level_[level(n)].push_back(n);
  }
  drop_fallback_by(s);
}

}  // namespace fatwood
