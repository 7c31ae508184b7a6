// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/fault_repair.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <ranges>

namespace fatwood {

FaultRepair::FaultRepair(const TablesInUse& in_use)
    : in_use_(in_use),
      graph_(in_use.model().port_graph()),
      map_(in_use.model().hop_map()),
      leads_down_(in_use.model().fabric().num_switches() << 8),
      dead_(in_use.dead()),
      whole_(in_use.model(), in_use.tables(), in_use.by_level(), &dead_),
      use_change_(in_use.model().fabric().num_switches() << 8),
      mark_(in_use.model().fabric().num_switches()),
      by_level_(in_use.model().levels().height + 1U),
      up_level_(in_use.model().levels().height + 1U),
      marks_(in_use.marks()) {
  const Fabric& fabric = in_use.model().fabric();
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    level_.push_back(in_use.model().levels().level[s]);
    first_channel_.push_back(index(fabric.channel(fabric.node(s), kOwnPort)));
  }
  for (std::uint32_t s = 0; s < level_.size(); ++s) {
    for (const Trunk g : graph_.trunks(Switch{s})) {
      const Level other = level(index(graph_.neighbour(g)));
      if (other < level(s)) down_.push_back(g);
      if (other > level(s)) up_.push_back(g);
      for (const Port port : graph_.ports(g)) {
        back_port_.push_back(map_.at(s, port).arrival());
        leads_down_[(std::size_t{s} << 8) | index(port)] = other < level(s) ? 1 : 0;
      }
    }
    first_down_.push_back(static_cast<std::uint32_t>(down_.size()));
    first_up_.push_back(static_cast<std::uint32_t>(up_.size()));
  }
}

std::span<const EntryChange> FaultRepair::cut(std::span<const Channel> cables, Switch gone) {
  const Fabric& fabric = in_use_.model().fabric();
  take_marks();
  for (const Channel c : cables) dead_[c] = dead_[fabric.peer(c)] = 1;
  collect_seeds(cables);
  repair_rows(gone);
  for (const Channel c : cables) dead_[c] = dead_[fabric.peer(c)] = in_use_.dead()[c];
  return changes_;
}

std::span<const EntryChange> FaultRepair::remove(Switch gone) {
  std::vector<Channel> cables;
  for (const SwitchLink& link : in_use_.model().fabric().links(gone)) {
    if (in_use_.dead()[link.channel] == 0) cables.push_back(link.channel);
  }
  return cut(cables, gone);
}

std::span<const EntryChange> FaultRepair::fill_holes() {
  take_marks();
  changes_.clear();
  for (const Destination destination : ids<Destination>(in_use_.tables().num_destinations())) {
    if (in_use_.has_holes(destination)) repair_whole(destination);
  }
  reset_use();
  return changes_;
}

void FaultRepair::take_marks() {
  if (marks_ == in_use_.marks()) return;
  dead_ = in_use_.dead();
  marks_ = in_use_.marks();
}

void FaultRepair::collect_seeds(std::span<const Channel> cables) {
  const Fabric& fabric = in_use_.model().fabric();
  std::vector<Channel> ends;
  for (const Channel c : cables) {
    ends.push_back(c);
    ends.push_back(fabric.peer(c));
  }
  std::ranges::sort(ends);  // by switch
  by_column_.clear();
  first_seed_.assign(in_use_.tables().num_destinations() + 1, 0);
  for (std::size_t i = 0; i < ends.size();) {
    const Node owner = fabric.owner(ends[i]);
    std::size_t end = i;
    while (end < ends.size() && fabric.owner(ends[end]) == owner) ++end;
    collect_column(fabric.as_switch(owner), std::span(ends).subspan(i, end - i));
    i = end;
  }
  // By destination, then by switch.
  std::partial_sum(first_seed_.begin(), first_seed_.end(), first_seed_.begin());
  seeds_.resize(by_column_.size());
  for (const Seed& seed : by_column_) seeds_[first_seed_[index(seed.destination)]++] = seed;
}

void FaultRepair::collect_column(Switch s, std::span<const Channel> out) {
  std::array<bool, 256> leaves_by{};
  bool used = false;
  for (const Channel c : out) {
    const Port port = in_use_.model().fabric().port(c);
    leaves_by[index(port)] = true;
    used = used || in_use_.use(s, port) > 0;
  }
  if (!used) return;
  const ForwardingTables& tables = in_use_.tables();
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    if (!leaves_by[index(tables.at(destination, s))]) continue;
    by_column_.push_back({destination, s});
    ++first_seed_[index(destination) + 1];
  }
}

void FaultRepair::repair_rows(Switch gone) {
  changes_.clear();
  for (std::size_t i = 0; i < seeds_.size();) {
    std::size_t end = i;
    const Destination destination = seeds_[i].destination;
    while (end < seeds_.size() && seeds_[end].destination == destination) ++end;
    if (gone == kNone<Switch> || in_use_.home(destination) != gone) {
      if (in_use_.kind(destination) != RowKind::kUnsettled) {
        repair_row(destination, std::span(seeds_).subspan(i, end - i));
      } else {
        repair_whole(destination);
      }
    }
    i = end;
  }
  reset_use();
}

void FaultRepair::reset_use() {
  for (const std::uint32_t place : used_) use_change_[place] = 0;
  used_.clear();
}

void FaultRepair::repair_whole(Destination destination) {
  destination_ = destination;
  row_ = in_use_.tables().row(destination);
  RowChange row = whole_.repair(destination);
  std::ranges::sort(row.forced, {}, [](const ForcedEntry& f) { return index(f.entry.at); });
  for (const ForcedEntry& forced : row.forced) {
    const std::uint32_t s = index(forced.entry.at);
    change(s, *std::ranges::min_element(forced.ports, {}, [&](Port port) { return use(s, port); }));
  }
  for (const TableEntry& entry : row.dropped) {
    changes_.push_back({destination, entry.at, kNoRoute});
  }
}

void FaultRepair::repair_row(Destination destination, std::span<const Seed> seeds) {
  destination_ = destination;
  row_ = in_use_.tables().row(destination);
  const Switch home = in_use_.home(destination);
  if (home == kNone<Switch>) return;
  home_ = index(home);
  look_ = &in_use_.looks()[destination];
  ++stamp_now_;
  for (const Seed& seed : seeds) queue(index(seed.at), by_level_);
  // Settling appends to higher levels on the way up and to lower ones on the way down.
  for (std::vector<std::uint32_t>& waiting : by_level_) {
    for (std::size_t i = 0; i < waiting.size(); ++i) settle_down(waiting[i]);
    waiting.clear();
  }
  for (std::vector<std::uint32_t>& waiting : std::ranges::reverse_view(up_level_)) {
    for (std::size_t i = 0; i < waiting.size(); ++i) settle_up(waiting[i]);
    waiting.clear();
  }
  if (in_use_.kind(destination) == RowKind::kPlain) return;
  for (const Seed& seed : seeds) {
    const std::uint32_t s = index(seed.at);
    if (mark(s) == Mark::kNone && is_fallback(s)) drop(s);
  }
}

// Drops a fallback route that ends at a dead cable or at a switch without a route, and those of
// hosts that lead there.
void FaultRepair::drop(std::uint32_t s) {
  set_mark(s, Mark::kLost);
  changes_.push_back({destination_, Switch{s}, kNoRoute});
  drop_fallback_by(s);
}

void FaultRepair::drop_fallback_by(std::uint32_t s) {
  if (in_use_.kind(destination_) == RowKind::kPlain || in_use_.tables().is_switch(destination_))
    return;
  for (const Trunk g : graph_.trunks(Switch{s})) {
    const std::uint32_t n = index(graph_.neighbour(g));
    if (is_fallback(n) && mark(n) == Mark::kNone && comes_by(g)) drop(n);
  }
}

inline bool FaultRepair::goes_down(std::uint32_t n) const {
  if (n == home_) return true;
  const Mark now = mark(n);
  if (now != Mark::kNone) return now == Mark::kGoesDown;
  return leads_down_[(std::size_t{n} << 8) | index(row_[n])] != 0 && !is_fallback(n);
}

inline bool FaultRepair::has_route(std::uint32_t n) const {
  if (n == home_) return true;
  const Mark now = mark(n);
  if (now != Mark::kNone) return now == Mark::kGoesDown || now == Mark::kGoesUp;
  return row_[n] != kNoRoute && !is_fallback(n);
}

inline bool FaultRepair::comes_by(Trunk trunk) const {
  const Port entry = row_[index(graph_.neighbour(trunk))];
  const Port* const back = back_port_.data() + graph_.first_port(trunk);
  return std::find(back, back + graph_.width(trunk), entry) != back + graph_.width(trunk);
}

// Queues a switch that must choose again, unless it is queued or settled already.
inline void FaultRepair::queue(std::uint32_t s, std::vector<std::vector<std::uint32_t>>& waiting) {
  if (s == home_ || mark(s) != Mark::kNone || is_fallback(s)) return;
  set_mark(s, Mark::kQueued);
  waiting[level(s)].push_back(s);
}

inline void FaultRepair::consider(std::uint32_t s, Trunk trunk, Choice& best) const {
  for (const Port port : graph_.ports(trunk)) {
    if (!works(s, port)) continue;
    const std::uint32_t now = use(s, port);
    if (now < best.use || (now == best.use && port < best.port)) best = {now, port};
  }
}

void FaultRepair::change(std::uint32_t s, Port port) {
  const std::uint32_t from = (s << 8) | index(row_[s]);
  const std::uint32_t to = (s << 8) | index(port);
  --use_change_[from];
  ++use_change_[to];
  used_.push_back(from);
  used_.push_back(to);
  changes_.push_back({destination_, Switch{s}, port});
}

// REQUIRES that waiting switches below are settled.
void FaultRepair::settle_down(std::uint32_t s) {
  Choice best;
  for (const Trunk g : down(s)) {
    if (goes_down(index(graph_.neighbour(g)))) consider(s, g, best);
  }
  if (best.port != kNoRoute) {
    set_mark(s, Mark::kGoesDown);
    change(s, best.port);
    return;
  }
  set_mark(s, Mark::kFallen);
  up_level_[level(s)].push_back(s);
  for (const Trunk g : up(s)) {
    if (comes_by(g)) queue(index(graph_.neighbour(g)), by_level_);
  }
}

// REQUIRES that waiting switches above are settled.
void FaultRepair::settle_up(std::uint32_t s) {
  Choice best;
  for (const Trunk g : up(s)) {
    if (has_route(index(graph_.neighbour(g)))) consider(s, g, best);
  }
  if (best.port == kNoRoute) {
    for (const Trunk g : down(s)) {
      if (goes_down(index(graph_.neighbour(g)))) consider(s, g, best);
    }
  }
  if (best.port != kNoRoute) {
    set_mark(s, Mark::kGoesUp);
    change(s, best.port);
    return;
  }
  set_mark(s, Mark::kLost);
  if (!in_use_.tables().is_switch(destination_) || !works(s, row_[s])) {
    changes_.push_back({destination_, Switch{s}, kNoRoute});
  }
  for (const Trunk g : down(s)) {
    if (comes_by(g)) queue(index(graph_.neighbour(g)), up_level_);
  }
  drop_fallback_by(s);
}

}  // namespace fatwood
