// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/kept_tables.hpp"

#include <ranges>

#include "core/parallel.hpp"

namespace fatwood {

KeptTables::KeptTables(const Model& model, ForwardingTables tables, int threads)
    : model_(model),
      tables_(std::move(tables)),
      by_level_(switches_by_level(model)),
      dead_(model.fabric().num_channels(), 0),
      use_(model.fabric().num_switches() << 8),
      kind_(tables_.num_destinations(), RowKind::kPlain),
      fallback_row_(tables_.num_destinations(), kNoRow),
      holes_(tables_.num_destinations(), 0) {
  require_tree(model.levels(), "repair");
  std::vector<Look> looks(tables_.num_destinations());
  parallel_for(
      looks.size(), threads,
      [&](std::size_t i, int) { looks[i] = look_at(static_cast<Destination>(i)); }, 64);
  for (const Destination destination : ids<Destination>(looks.size())) {
    take(destination, std::move(looks[index(destination)]));
    const auto row = tables_.row(destination);
    for (std::size_t s = 0; s < row.size(); ++s) ++use_[(s << 8) | index(row[s])];
  }
}

bool KeptTables::is_plain(Destination destination) const {
  const auto row = tables_.row(destination);
  const Level* const level = model_.levels().level.data();
  const HopMap& map = model_.hop_map();
  const std::uint32_t home_switch = index(home(destination));
  for (std::uint32_t s = 0; s < row.size(); ++s) {
    if (s == home_switch || row[s] == kNoRoute) continue;
    const Hop hop = map.at(s, row[s]);
    if (!hop.to_switch()) return false;
    const std::uint32_t next = hop.next();
    if (level[next] == level[s]) return false;
    if (next == home_switch) continue;
    if (row[next] == kNoRoute) return false;
    if (level[next] > level[s]) continue;
    const Hop on = map.at(next, row[next]);
    if (!on.to_switch() || level[on.next()] >= level[next]) return false;
  }
  return true;
}

KeptTables::Look KeptTables::look_at(Destination destination) const {
  const auto row = tables_.row(destination);
  const std::uint32_t home_switch = index(home(destination));
  Look look;
  for (std::uint32_t s = 0; s < row.size(); ++s) {
    look.holes = look.holes || (row[s] == kNoRoute && s != home_switch);
  }
  if (home_switch == index(kNone<Switch>) || is_plain(destination)) return look;
  const Level* const level = model_.levels().level.data();
  const HopMap& map = model_.hop_map();
  std::vector<std::uint8_t> direction(row.size(), 0);  // 1 goes down, 2 goes up
  direction[home_switch] = 1;
  for (const Switch sw : by_level_) {
    const std::uint32_t s = index(sw);
    const Hop hop = map.at(s, row[s]);
    if (s == home_switch || !hop.to_switch() || level[hop.next()] >= level[s]) continue;
    if (direction[hop.next()] == 1) direction[s] = 1;
  }
  for (const Switch sw : std::ranges::reverse_view(by_level_)) {
    const std::uint32_t s = index(sw);
    const Hop hop = map.at(s, row[s]);
    if (direction[s] != 0 || !hop.to_switch() || level[hop.next()] <= level[s]) continue;
    if (direction[hop.next()] != 0) direction[s] = 2;
  }
  look.kind = RowKind::kFallback;
  look.fallback.resize((row.size() + 63) / 64);
  for (std::uint32_t s = 0; s < row.size(); ++s) {
    if (direction[s] != 0 || row[s] == kNoRoute) continue;
    look.fallback[s >> 6] |= std::uint64_t{1} << (s & 63U);
    if (could_be_legal(s, direction)) look.kind = RowKind::kUnsettled;
  }
  return look;
}

bool KeptTables::could_be_legal(std::uint32_t s, std::span<const std::uint8_t> direction) const {
  const PortGraph& graph = model_.port_graph();
  const Level* const level = model_.levels().level.data();
  for (std::uint32_t g = graph.first[s]; g < graph.first[s + 1]; ++g) {
    const std::uint32_t n = graph.neighbour[g];
    const bool legal =
        level[n] > level[s] ? direction[n] != 0 : level[n] < level[s] && direction[n] == 1;
    if (!legal) continue;
    for (const Port port : graph.ports(g)) {
      if (dead_[model_.fabric().channel(model_.fabric().node(Switch{s}), port)] == 0) return true;
    }
  }
  return false;
}

void KeptTables::take(Destination destination, Look look) {
  kind_[destination] = look.kind;
  holes_[destination] = look.holes ? 1 : 0;
  if (look.fallback.empty()) {
    fallback_row_[destination] = kNoRow;
    return;
  }
  if (fallback_row_[destination] == kNoRow) {
    fallback_row_[destination] = static_cast<std::uint32_t>(fallback_.size());
    fallback_.emplace_back();
  }
  fallback_[fallback_row_[destination]] = std::move(look.fallback);
}

void KeptTables::mark_dead(std::span<const Channel> cables) {
  for (const Channel c : cables) dead_[c] = dead_[model_.fabric().peer(c)] = 1;
  ++marks_;
}

void KeptTables::mark_mended(std::span<const Channel> cables) {
  for (const Channel c : cables) dead_[c] = dead_[model_.fabric().peer(c)] = 0;
  ++marks_;
}

void KeptTables::apply(std::span<const EntryChange> changes) {
  for (std::size_t i = 0; i < changes.size();) {
    const Destination destination = changes[i].destination;
    bool again = kind(destination) == RowKind::kUnsettled;
    std::vector<std::uint32_t> lost;  // without an entry now
    for (; i < changes.size() && changes[i].destination == destination; ++i) {
      const std::uint32_t s = index(changes[i].at);
      Port& entry = tables_.row(destination)[s];
      again = again || entry == kNoRoute;  // a hole was filled
      --use_[(std::size_t{s} << 8) | index(entry)];
      ++use_[(std::size_t{s} << 8) | index(changes[i].port)];
      entry = changes[i].port;
      if (entry == kNoRoute) {
        holes_[destination] = 1;
        lost.push_back(s);
      }
      // Changed entries are legal afterwards, or empty.
      if (fallback_row_[destination] != kNoRow) {
        fallback_[fallback_row_[destination]][s >> 6] &= ~(std::uint64_t{1} << (s & 63U));
      }
    }
    if (again) {
      take(destination, look_at(destination));
    } else {
      mark_leading(destination, std::move(lost));
    }
  }
}

void KeptTables::mark_leading(Destination destination, std::vector<std::uint32_t> lost) {
  const auto row = tables_.row(destination);
  const PortGraph& graph = model_.port_graph();
  const HopMap& map = model_.hop_map();
  const std::uint32_t home_switch = index(home(destination));
  for (std::size_t i = 0; i < lost.size(); ++i) {
    for (std::uint32_t g = graph.first[lost[i]]; g < graph.first[lost[i] + 1]; ++g) {
      const std::uint32_t n = graph.neighbour[g];
      const Hop hop = map.at(n, row[n]);
      if (n == home_switch || !hop.to_switch() || hop.next() != lost[i]) continue;
      if (is_fallback(destination, n)) continue;
      if (fallback_row_[destination] == kNoRow) {
        kind_[destination] = RowKind::kFallback;
        fallback_row_[destination] = static_cast<std::uint32_t>(fallback_.size());
        fallback_.emplace_back((row.size() + 63) / 64);
      }
      fallback_[fallback_row_[destination]][n >> 6] |= std::uint64_t{1} << (n & 63U);
      lost.push_back(n);
    }
  }
}

}  // namespace fatwood
