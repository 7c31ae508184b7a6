// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/even_moves.hpp"

#include <algorithm>
#include <limits>

namespace fatwood {

namespace {

constexpr double kCrowdPrice = 0.01;
// Sources in a row that find no other way, after which the target is left for this time: where a
// channel can't be relieved, none does. The next time others are asked first.
constexpr std::uint32_t kFutileSources = 16;
// Turns: excess that is handed on does not go round. On small fabrics it may: it takes no time, and
// finds the last room.
constexpr std::uint32_t kRest = 16;
constexpr std::size_t kPairsOfRest = std::size_t{1} << 16U;  // sources times terminals
// Sources that others' flows can go over, up to which arrivals are counted when they are asked for.
constexpr std::uint32_t kFewPassable = 4;

}  // namespace

EvenMoves::EvenMoves(EvenNet& net, ShiftCrowd& crowd, std::span<const std::uint32_t> rank,
                     std::span<const std::uint32_t> descending)
    : net_(net),
      crowd_(crowd),
      rank_(rank),
      traffic_(net, descending),
      over_((net.channel.size() + 63) / 64),
      power_(power_grid()),
      passable_(net.size()),
      crowd_price_(kCrowdPrice * crowd.every()),
      own_weight_(net.size()),
      rest_(net.sources().size() * net.num_terminals() < kPairsOfRest ? 0 : kRest),
      rests_until_(net.channel.size()),
      clean_(net.size()),
      in_vain_(net.size()),
      hops_(net.size(), kNobody) {
  std::uint32_t passable = 0;
  for (std::uint32_t s = 0; s < net.size(); ++s) {
    for (const Port port : net.cabled_ports(s)) {
      if (!climbs(s, port)) passable_[s] = 1;
    }
    if (net.terminals(s) != 0) passable += passable_[s];
  }
  few_passable_ = passable <= kFewPassable;
  take_goals();
}

EvenMoves::Relieved EvenMoves::relieve(std::uint32_t at, const EvenDestination& to,
                                       std::span<Port> row, Effort effort, double most_price,
                                       std::uint32_t turn) {
  bool hot = false;
  // Who moves sources alone need not know what else is on the way.
  follows_ = !few_passable_ || (effort != Effort::kFirst && effort != Effort::kEntries);
  if (follows_) {
    traffic_.follow(row.data(), at, to,
                    [&](std::uint32_t slot, std::uint64_t) { hot = hot || is_over(slot); });
    if (!hot) return {};
  }
  begin(at, to, row);
  free_entries_ = effort == Effort::kSwitches;
  plateau_ = effort >= Effort::kOnTheWay;
  turn_ = turn;
  std::size_t moved = 0;
  std::uint32_t failed = 0;
  // Destinations in a row begin with sources far apart: else all of them would send the same
  // leaf's flows the same way.
  const std::uint32_t part = (to.number + 3 * turn) * 0x9e37U & 0xffffU;
  column_ = part;
  net_.each_sender_from(part, at, to, [&](std::uint32_t source, std::uint64_t) {
    if (failed >= kFutileSources) return;
    const std::uint32_t s = net_.sources()[source].at;
    if (is_clean(s)) return;
    hot = true;
    walk(s);
    const std::size_t before = moved;
    if (effort == Effort::kFirst ? try_first(s) : try_move(s, most_price)) ++moved;
    // Of the switches on the way to the last full channel, any may send by another.
    for (std::size_t i = 1; plateau_ && i + 1 < old_.size() && walk(s); ++i) {
      const std::uint32_t u = old_[i];
      if (!walk(u)) break;
      // Nothing has moved since it was tried for another source behind it.
      if (in_vain_[u] != changes_) {
        if (try_move(u, most_price)) {
          ++moved;
        } else {
          in_vain_[u] = changes_;
        }
      }
      walk(s);
    }
    // What good moves fill is not above its goal.
    if (moved > before && effort != Effort::kFirst) ++now_;
    failed = moved > before ? 0 : failed + 1;
  });
  end();
  return {moved, hot};
}

std::size_t EvenMoves::spread_shifts(const CrowdedRow& crowded, std::span<Port> row,
                                     std::uint32_t least) {
  const auto& [at, to, sources] = crowded;
  follows_ = !few_passable_;
  if (follows_) traffic_.follow(row.data(), at, to, [](std::uint32_t, std::uint64_t) {});
  begin(at, to, row);
  free_entries_ = plateau_ = false;
  std::size_t moved = 0;
  for (const std::uint32_t source : sources) {
    if (try_spread(net_.sources()[source].at, least)) ++moved;
  }
  end();
  return moved;
}

void EvenMoves::begin(std::uint32_t at, const EvenDestination& to, std::span<Port> row) {
  at_ = at;
  to_ = &to;
  row_ = row;
  ++now_;
  ++changes_;
  if (net_.all_to_all()) return take_kind(to.kind);
  net_.each_sender(at, to, [&](std::uint32_t source, std::uint64_t weight) {
    own_weight_[net_.sources()[source].at] = weight;
  });
}

void EvenMoves::take_kind(std::uint32_t kind) {
  if (kind == kind_) return;
  kind_ = kind;
  for (std::uint32_t i = 0; i < net_.sources().size(); ++i) {
    own_weight_[net_.sources()[i].at] = net_.sent(i, kind);
  }
}

void EvenMoves::end() {
  if (net_.all_to_all()) return;
  net_.each_sender(at_, *to_, [&](std::uint32_t source, std::uint64_t) {
    own_weight_[net_.sources()[source].at] = 0;
  });
}

bool EvenMoves::try_spread(std::uint32_t s, std::uint32_t least) {
  if (arrived(s) != 0 || !sends(s)) return false;
  windows_.clear();
  crowd_.add_windows(net_.sources()[net_.source_at(s)], to_->number, windows_);
  bool crowded = false;
  for (std::uint32_t u = s; u != at_ && !crowded;) {
    const EvenChannel& channel = net_.channel[net_.slot(u, row_[u])];
    crowded = crowd_.reaches(channel.number, windows_, least);
    u = channel.next;
  }
  if (!crowded) return false;
  walk(s);
  if (old_.size() > kMostHops) return false;
  weight_ = own_weight_[s];
  relief_of_.assign(old_.size(), 1);  // no excess
  std::uint64_t most = 0;             // that any other way can save
  for (std::size_t i = 0; i + 1 < old_.size(); ++i) {
    const std::uint32_t slot = net_.slot(old_[i], row_[old_[i]]);
    most += crowd_.relief(net_.channel[slot].number, windows_);
  }
  find_best(s, crowd_price_ * static_cast<double>(most));
  if (best_.size == 0) return false;
  // What the two ways have in common costs neither.
  const std::uint32_t meeting = end_of(best_);
  std::uint64_t taken = 0;
  std::uint64_t added = 0;
  for (std::uint32_t u = s; u != meeting; u = next(u, row_[u])) {
    taken += crowd_.relief(net_.channel[net_.slot(u, row_[u])].number, windows_);
  }
  for (std::size_t i = 0; i < best_.size; ++i) {
    const auto [u, port] = best_.steps[i];
    added += crowd_.price(net_.channel[net_.slot(u, port)].number, windows_);
  }
  if (added >= taken) return false;
  apply(s);
  return true;
}

bool EvenMoves::walk(std::uint32_t s) {
  for (const std::uint32_t u : old_) hops_[u] = kNobody;
  old_.clear();
  bool over = false;
  for (; s != at_; s = next(s, row_[s])) {
    over = over || is_over(net_.slot(s, row_[s]));
    old_.push_back(s);
  }
  old_.push_back(at_);
  for (std::size_t i = 0; i < old_.size(); ++i) {
    hops_[old_[i]] = static_cast<std::uint32_t>(old_.size() - 1 - i);
  }
  return over;
}

bool EvenMoves::is_clean(std::uint32_t s) {
  for (std::uint32_t u = s; u != at_ && clean_[u] != now_; u = next(u, row_[u])) {
    if (is_over(net_.slot(u, row_[u]))) return false;
  }
  for (std::uint32_t u = s; u != at_ && clean_[u] != now_; u = next(u, row_[u])) clean_[u] = now_;
  return true;
}

void EvenMoves::level(std::uint32_t at, const EvenDestination& to, std::span<Port> row,
                      std::span<const EvenStep> full) {
  follows_ = false;
  begin(at, to, row);
  // Targets in a row begin with other switches.
  std::size_t f = to.number % full.size();
  for (std::size_t i = 0; i < full.size(); ++i) {
    const auto [u, port] = full[f];
    if (++f == full.size()) f = 0;
    if (u == at || row_[u] != port || !is_over(net_.slot(u, port)) || !is_passed(u)) continue;
    walk(u);
    try_level(u);
  }
  end();
}

bool EvenMoves::is_passed(std::uint32_t s) const {
  return std::ranges::any_of(net_.cabled_ports(s), [&](Port port) {
    const std::uint32_t u = next(s, port);
    return u != at_ && next(u, row_[u]) == s && (sends(u) || arrived(u) != 0);
  });
}

// REQUIRES walk(u).
void EvenMoves::try_level(std::uint32_t u) {
  if (old_.size() > kMostHops) return;
  weight_ = weight_of(u);
  find_relief();
  bool behind = false;  // found yet: all walk there
  best_.size = 0;
  best_.over = relief_of_.back();
  hops_[u] = kNobody - 1;  // no way leads back
  const std::span<const Port> ports = net_.cabled_ports(u);
  // What goes elsewhere begins with another port.
  std::size_t p = (to_->number + u) % ports.size();
  for (std::size_t i = 0; i < ports.size() && (best_.size == 0 || best_.over > 0); ++i) {
    if (ports[p] != row_[u] && lead(u, ports[p], best_.over)) {
      if (!behind) find_behind(u);
      behind = true;
      if (!is_crowded()) best_ = way_;
    }
    if (++p == ports.size()) p = 0;
  }
  if (best_.size != 0) apply(u);
}

// REQUIRES walk(s), and that something is over its goal.
bool EvenMoves::try_first(std::uint32_t s) {
  if (old_.size() > kMostHops) return false;
  weight_ = weight_of(s);
  find_behind(s);
  std::size_t over = 0;
  while (!is_over(net_.slot(old_[over], row_[old_[over]]))) ++over;
  const std::span<const Port> ports = net_.cabled_ports(s);
  hops_[s] = kNobody - 1;  // no way leads back
  column_ %= static_cast<std::uint32_t>(ports.size());
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (ports[column_] != row_[s] && lead(s, ports[column_], 0) &&
        hops_[end_of(way_)] < old_.size() - 1 - over && !is_crowded()) {
      best_ = way_;
      apply(s);
      return true;
    }
    if (++column_ == ports.size()) column_ = 0;
  }
  return false;
}

// REQUIRES walk(s).
bool EvenMoves::try_move(std::uint32_t s, double most_price) {
  if (old_.size() > kMostHops) return false;
  weight_ = weight_of(s);
  find_behind(s);
  find_relief();
  std::size_t shifts = 0;
  for (const ShiftCrowd::Window& window : windows_) shifts += window.count;
  // Where none of its shifts is looked at, only loads are asked.
  find_best(s, shifts == 0
                   ? std::numeric_limits<double>::infinity()
                   : most_price * crowd_price_ * static_cast<double>(shifts * (old_.size() - 1)));
  if (best_.size == 0) return false;
  apply(s);
  return true;
}

void EvenMoves::apply(std::uint32_t s) {
  ++changes_;
  const std::uint32_t meeting = end_of(best_);
  for (std::uint32_t u = s; u != meeting;) {
    const std::uint32_t slot = net_.slot(u, row_[u]);
    const EvenChannel& channel = net_.channel[slot];
    if (plateau_ && is_over(slot)) rests_until_[slot] = turn_ + rest_;
    set_load(slot, channel.load - weight_);
    crowd_.take(channel.number, windows_);
    if (u != s && follows_) traffic_.take(u, weight_);
    u = channel.next;
  }
  for (std::size_t i = 0; i < best_.size; ++i) {
    const auto [u, port] = best_.steps[i];
    row_[u] = port;
    const std::uint32_t slot = net_.slot(u, port);
    const EvenChannel& channel = net_.channel[slot];
    set_load(slot, channel.load + weight_);
    crowd_.add(channel.number, windows_);
    if (u != s && follows_) traffic_.add(u, weight_);
  }
}

}  // namespace fatwood
