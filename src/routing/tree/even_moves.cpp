// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/even_moves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fatwood {

namespace {

constexpr double kCrowdPrice = 0.01;
constexpr double kPriceSteepness = 12;
constexpr double kOverPrice = 100;  // of a unit of the moved weight, squared
// Sources in a row that find no other way, after which the target is left for this time: where a
// channel can't be relieved, none does. The next time others are asked first.
constexpr std::uint32_t kFutileSources = 16;
constexpr std::uint32_t kFew = 2;   // flows that meet where one more is too many
constexpr std::size_t kGrid = 256;  // cells up to the goal
constexpr double kHandedOn = 1e-9;  // of excess: a move that gains nothing is as good
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
      passable_(net.size()),
      crowd_price_(kCrowdPrice * crowd.every()),
      own_weight_(net.size()),
      rest_(net.sources().size() * net.num_terminals() < kPairsOfRest ? 0 : kRest),
      rests_until_(net.channel.size()),
      clean_(net.size()),
      hops_(net.size(), kNobody) {
  for (std::size_t cell = 0; cell <= kGrid; ++cell) {
    power_.push_back(
        static_cast<float>(kPriceSteepness / kGrid *
                           std::pow(static_cast<double>(cell) / kGrid, kPriceSteepness - 1)));
  }
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

void EvenMoves::take_goals() {
  for (std::uint32_t slot = 0; slot < net_.channel.size(); ++slot) {
    EvenChannel& channel = net_.channel[slot];
    if (net_.capacity(slot) != 0) {
      channel.scale = static_cast<float>(net_.fastest()) / static_cast<float>(net_.capacity(slot));
    }
    channel.cells = channel.goal == 0 ? 0 : kGrid / static_cast<float>(channel.goal);
  }
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
      if (try_move(u, most_price)) ++moved;
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

bool EvenMoves::lead(std::uint32_t s, Port port, double most) {
  way_.size = 0;
  way_.over = 0;
  bool descended = !climbs(s, row_[s]);
  for (std::size_t hops_left = old_.size() - 1; hops_left > 0;) {
    const std::uint32_t slot = net_.slot(s, port);
    const EvenChannel& channel = net_.channel[slot];
    const bool climb = climbs(s, port);
    if (descended && climb) return false;
    if (channel.load + weight_ > channel.goal) {
      way_.over += square_over(slot, channel.load + weight_) - square_over(slot, channel.load);
      if (way_.over >= most) return false;
    }
    descended = !climb;
    way_.steps[way_.size++] = {s, port};
    --hops_left;
    s = channel.next;
    if (hops_[s] != kNobody) {
      return hops_[s] == hops_left &&
             (most == 0 || way_.over < relief_of_[old_.size() - 1 - hops_left]);
    }
    port = row_[s];
  }
  return false;
}

bool EvenMoves::is_crowded() const {
  // Shifts may be anywhere in memory, and are asked last.
  for (std::size_t i = 0; i < way_.size; ++i) {
    const std::uint32_t slot = net_.slot(way_.steps[i].at, way_.steps[i].port);
    if (crowd_.reaches(net_.channel[slot].number, windows_, kFew)) return true;
  }
  return false;
}

// By place on the old way.
void EvenMoves::find_relief() {
  relief_of_.assign(old_.size(), 0);
  for (std::size_t i = 0; i + 1 < old_.size(); ++i) {
    const std::uint32_t slot = net_.slot(old_[i], row_[old_[i]]);
    const std::uint64_t load = net_.channel[slot].load;
    const double relief = square_over(slot, load) - square_over(slot, load - weight_);
    relief_of_[i + 1] = relief_of_[i] + relief * (plateau_ ? 1 + kHandedOn / 2 : 1);
  }
}

void EvenMoves::find_behind(std::uint32_t s) {
  windows_.clear();
  if (crowd_.empty()) return;
  each_behind(s, [&](std::uint32_t u) {
    crowd_.add_windows(net_.sources()[net_.source_at(u)], to_->number, windows_);
  });
}

template <class Visit>
void EvenMoves::each_behind(std::uint32_t s, const Visit& visit) const {
  if (sends(s)) visit(s);
  if (passable_[s] == 0) return;
  std::uint32_t last = kNobody;
  for (const Port port : net_.cabled_ports(s)) {
    const std::uint32_t u = next(s, port);
    if (u == last) continue;  // by several cables
    last = u;
    if (u != at_ && next(u, row_[u]) == s) each_behind(u, visit);
  }
}

std::uint64_t EvenMoves::arrived_by_walking(std::uint32_t s) const {
  std::uint64_t flows = 0;
  each_behind(s, [&](std::uint32_t u) { flows += own_weight_[u]; });
  return flows - own_weight_[s];
}

double EvenMoves::added_load_cost(std::uint32_t slot) const {
  const EvenChannel& channel = net_.channel[slot];
  const auto cell = static_cast<std::size_t>(static_cast<float>(channel.load) * channel.cells);
  return static_cast<double>(static_cast<float>(weight_) * channel.cells *
                             power_[std::min(cell, kGrid)]);
}

double EvenMoves::added_crowd_cost(std::uint32_t slot, double enough) const {
  if (windows_.empty()) return 0;
  constexpr double kMost = 1e18;
  const auto most = static_cast<std::uint64_t>(std::min(enough / crowd_price_ + 1, kMost));
  return crowd_price_ *
         static_cast<double>(crowd_.price(net_.channel[slot].number, windows_, most));
}

double EvenMoves::square_over(std::uint32_t slot, std::uint64_t load) const {
  const EvenChannel& channel = net_.channel[slot];
  if (load <= channel.goal) return 0;
  const double over = static_cast<double>(load - channel.goal) * static_cast<double>(channel.scale);
  return over * over;
}

// The way so far ends at `s`.
void EvenMoves::extend(std::uint32_t s, std::size_t hops_left, bool descended) {
  if (hops_[s] != kNobody) {
    // What both ways have from here on is not relieved.
    if (hops_[s] != hops_left || way_.cost >= best_.cost) return;
    if (way_.over < relief_of_[old_.size() - 1 - hops_left]) best_ = way_;
    return;
  }
  if (hops_left == 0) return;
  if (!free_entries_ || traffic_.arrived(s) != 0 || sends(s)) {
    return step(s, row_[s], hops_left, descended);
  }
  const bool climbed = climbs(s, row_[s]);
  const std::uint32_t below = next(s, row_[s]);
  for (const Port port : net_.cabled_ports(s)) {
    if (climbed ? climbs(s, port) : next(s, port) == below) step(s, port, hops_left, descended);
  }
}

void EvenMoves::step(std::uint32_t s, Port port, std::size_t hops_left, bool descended) {
  const std::uint32_t slot = net_.slot(s, port);
  const EvenChannel& channel = net_.channel[slot];
  const bool climb = climbs(s, port);
  if (descended && climb) return;
  double over = way_.over;
  double cost = way_.cost;
  if (channel.load + weight_ > channel.goal) {
    double more = square_over(slot, channel.load + weight_) - square_over(slot, channel.load);
    if (plateau_ && rests_until_[slot] > turn_) more *= 1 + kHandedOn;
    over += more;
    cost += kOverPrice * more / static_cast<double>(weight_ * weight_);
  }
  if (over >= relief_of_.back() || cost >= best_.cost) return;
  // Loads are at hand; shifts may be anywhere in memory, and are asked last.
  double price = added_load_cost(slot);
  if (way_.price + price >= most_price_ || cost + price >= best_.cost) return;
  price += added_crowd_cost(slot, std::min(most_price_ - way_.price, best_.cost - cost) - price);
  if (way_.price + price >= most_price_ || cost + price >= best_.cost) return;
  const double price_before = way_.price;
  const double over_before = way_.over;
  const double cost_before = way_.cost;
  way_.price += price;
  way_.over = over;
  way_.cost = cost + price;
  way_.steps[way_.size++] = {s, port};
  extend(channel.next, hops_left - 1, descended || !climb);
  --way_.size;
  way_.price = price_before;
  way_.over = over_before;
  way_.cost = cost_before;
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

void EvenMoves::find_best(std::uint32_t s, double most_price) {
  way_ = {};
  best_.size = 0;
  best_.cost = std::numeric_limits<double>::infinity();
  most_price_ = most_price;
  const bool climbed = climbs(s, row_[s]);
  hops_[s] = kNobody - 1;  // no way leads back
  fetch_ways(s);
  for (const Port port : net_.cabled_ports(s)) {
    if (port != row_[s]) step(s, port, old_.size() - 1, !climbed);
  }
}

// What is asked of shifts is on its way from memory when it is.
void EvenMoves::fetch_ways(std::uint32_t s) const {
  constexpr int kHops = 3;
  if (windows_.empty()) return;
  for (Port port : net_.cabled_ports(s)) {
    std::uint32_t u = s;
    for (int hop = 0; hop < kHops && u != at_; ++hop) {
      const EvenChannel& channel = net_.channel[net_.slot(u, port)];
      crowd_.fetch(channel.number, windows_.front().first);
      u = channel.next;
      port = row_[u];
    }
  }
}

void EvenMoves::apply(std::uint32_t s) {
  const std::uint32_t meeting = end_of(best_);
  for (std::uint32_t u = s; u != meeting;) {
    const std::uint32_t slot = net_.slot(u, row_[u]);
    EvenChannel& channel = net_.channel[slot];
    if (plateau_ && is_over(slot)) rests_until_[slot] = turn_ + rest_;
    channel.load -= weight_;
    crowd_.take(channel.number, windows_);
    if (u != s && follows_) traffic_.take(u, weight_);
    u = channel.next;
  }
  for (std::size_t i = 0; i < best_.size; ++i) {
    const auto [u, port] = best_.steps[i];
    row_[u] = port;
    EvenChannel& channel = net_.channel[net_.slot(u, port)];
    channel.load += weight_;
    crowd_.add(channel.number, windows_);
    if (u != s && follows_) traffic_.add(u, weight_);
  }
}

}  // namespace fatwood
