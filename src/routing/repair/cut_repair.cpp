// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/cut_repair.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <ranges>

namespace fatwood {

CutRepair::CutRepair(const KeptTables& kept)
    : kept_(kept),
      graph_(kept.model().port_graph()),
      map_(kept.model().hop_map()),
      leads_down_(kept.model().fabric().num_switches() << 8),
      dead_(kept.dead()),
      whole_(kept.model(), kept.tables(), kept.by_level(), &dead_),
      use_change_(kept.model().fabric().num_switches() << 8),
      mark_(kept.model().fabric().num_switches()),
      by_level_(kept.model().levels().height + 1U),
      up_level_(kept.model().levels().height + 1U),
      marks_(kept.marks()) {
  const Fabric& fabric = kept.model().fabric();
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    level_.push_back(kept.model().levels().level[s]);
    first_channel_.push_back(index(fabric.channel(fabric.node(s), kOwnPort)));
  }
  for (std::uint32_t s = 0; s < level_.size(); ++s) {
    for (const Group g : graph_.groups(Switch{s})) {
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
  std::vector<Channel> ends;
  for (const Channel c : cables) {
    ends.push_back(c);
    ends.push_back(fabric.peer(c));
  }
  std::ranges::sort(ends);  // by switch
  by_column_.clear();
  first_seed_.assign(kept_.tables().num_destinations() + 1, 0);
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

void CutRepair::collect_column(Switch s, std::span<const Channel> out) {
  std::array<bool, 256> leaves_by{};
  bool used = false;
  for (const Channel c : out) {
    const Port port = kept_.model().fabric().port(c);
    leaves_by[index(port)] = true;
    used = used || kept_.use(s, port) > 0;
  }
  if (!used) return;
  const ForwardingTables& tables = kept_.tables();
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    if (!leaves_by[index(tables.at(destination, s))]) continue;
    by_column_.push_back({destination, s});
    ++first_seed_[index(destination) + 1];
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
  look_ = &kept_.looks()[destination];
  ++stamp_now_;
  for (const Seed& seed : seeds) {
    const std::uint32_t s = index(seed.at);
    if (s == home_ || mark(s) != Mark::kNone || is_fallback(s)) continue;
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
    if (mark(s) == Mark::kNone && is_fallback(s)) drop(s);
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
  for (const Group g : graph_.groups(Switch{s})) {
    const std::uint32_t n = index(graph_.neighbour(g));
    if (is_fallback(n) && mark(n) == Mark::kNone && comes_by(g)) drop(n);
  }
}

inline bool CutRepair::goes_down(std::uint32_t n) const {
  if (n == home_) return true;
  const Mark now = mark(n);
  if (now != Mark::kNone) return now == Mark::kGoesDown;
  return leads_down_[(std::size_t{n} << 8) | index(row_[n])] != 0 && !is_fallback(n);
}

inline bool CutRepair::has_route(std::uint32_t n) const {
  if (n == home_) return true;
  const Mark now = mark(n);
  if (now != Mark::kNone) return now == Mark::kGoesDown || now == Mark::kGoesUp;
  return row_[n] != kNoRoute && !is_fallback(n);
}

inline bool CutRepair::comes_by(Group group) const {
  const Port entry = row_[index(graph_.neighbour(group))];
  const Port* const back = back_port_.data() + graph_.first_port(group);
  return std::find(back, back + graph_.width(group), entry) != back + graph_.width(group);
}

inline void CutRepair::consider(std::uint32_t s, Group group, Choice& best) const {
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
  for (const Group g : down(s)) {
    if (goes_down(index(graph_.neighbour(g)))) consider(s, g, best);
  }
  if (best.port != kNoRoute) {
    set_mark(s, Mark::kGoesDown);
    change(s, best.port);
    return;
  }
  set_mark(s, Mark::kFallen);
  up_level_[level(s)].push_back(s);
  for (const Group g : up(s)) {
    const std::uint32_t n = index(graph_.neighbour(g));
    if (!comes_by(g) || n == home_ || mark(n) != Mark::kNone || is_fallback(n)) continue;
    set_mark(n, Mark::kQueued);
    by_level_[level(n)].push_back(n);
  }
}

// REQUIRES that waiting switches above are settled.
void CutRepair::settle_up(std::uint32_t s) {
  Choice best;
  for (const Group g : up(s)) {
    if (has_route(index(graph_.neighbour(g)))) consider(s, g, best);
  }
  if (best.port == kNoRoute) {
    for (const Group g : down(s)) {
      if (goes_down(index(graph_.neighbour(g)))) consider(s, g, best);
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
  for (const Group g : down(s)) {
    const std::uint32_t n = index(graph_.neighbour(g));
    if (!comes_by(g) || n == home_ || mark(n) != Mark::kNone || is_fallback(n)) continue;
    set_mark(n, Mark::kQueued);
    up_level_[level(n)].push_back(n);
  }
  drop_fallback_by(s);
}

}  // namespace fatwood
