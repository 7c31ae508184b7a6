// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/even_moves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fatwood {

namespace {

constexpr std::uint32_t kNobody = TreeClimb::kNobody;
constexpr double kCrowdPrice = 0.01;
constexpr double kSteepness = 12;
constexpr double kOverPrice = 100;  // of a unit of the moved weight, squared
// Sources in a row that find no other way, after which the target is left for this time: where a
// channel can't be relieved, none does. The next time others are asked first.
constexpr std::uint32_t kPatience = 32;
constexpr std::size_t kGrid = 256;  // cells up to the goal

}  // namespace

EvenMoves::EvenMoves(EvenNet& net, ShiftCrowd& crowd, std::span<const std::uint32_t> rank,
                     std::span<const std::uint32_t> descending)
    : net_(net),
      crowd_(crowd),
      rank_(rank),
      traffic_(net, descending),
      crowd_price_(kCrowdPrice * crowd.every()),
      own_weight_(net.size()),
      hops_(net.size(), kNobody) {
  for (std::size_t cell = 0; cell <= kGrid; ++cell) {
    power_.push_back(static_cast<float>(
        kSteepness / kGrid * std::pow(static_cast<double>(cell) / kGrid, kSteepness - 1)));
  }
  take_goals();
}

void EvenMoves::take_goals() {
  grid_.assign(net_.channel.size(), 0);
  scale_.assign(net_.channel.size(), 1);
  std::uint64_t fastest = 1;
  for (std::uint32_t slot = 0; slot < grid_.size(); ++slot) {
    fastest = std::max(fastest, net_.capacity(slot));
  }
  for (std::uint32_t slot = 0; slot < grid_.size(); ++slot) {
    if (net_.capacity(slot) != 0) {
      scale_[slot] = static_cast<float>(fastest) / static_cast<float>(net_.capacity(slot));
    }
    const std::uint64_t goal = net_.channel[slot].goal;
    if (goal != 0) grid_[slot] = static_cast<float>(kGrid) / static_cast<float>(goal);
  }
}

std::size_t EvenMoves::relieve(std::uint32_t at, const EvenDestination& to,
                               std::span<std::uint8_t> row, Effort effort, double most_price,
                               std::uint32_t turn) {
  bool hot = false;
  traffic_.follow(row.data(), at, to,
                  [&](std::uint32_t slot, std::uint64_t) { hot = hot || is_over(slot); });
  if (!hot) return 0;
  begin(at, to, row);
  free_entries_ = effort != Effort::kEntries;
  plateau_ = effort == Effort::kSwitches;
  std::size_t moved = 0;
  std::uint32_t failed = 0;
  // Destinations in a row begin with sources far apart: else all of them would send the same
  // leaf's flows the same way.
  const std::uint32_t part = (to.number + 3 * turn) * 0x9e37U & 0xffffU;
  net_.each_sender_from(part, at, to, [&](std::uint32_t source, std::uint64_t) {
    if (failed >= kPatience) return;
    const std::uint32_t s = net_.sources()[source].at;
    if (!walk(s)) return;
    const std::size_t before = moved;
    if (try_move(s, most_price)) ++moved;
    // Of the switches on the way to the last full channel, any may send by another.
    for (std::size_t i = 1; effort == Effort::kSwitches && i + 1 < old_.size() && walk(s); ++i) {
      const std::uint32_t u = old_[i];
      if (!walk(u)) break;
      if (try_move(u, most_price)) ++moved;
      walk(s);
    }
    failed = moved > before ? 0 : failed + 1;
  });
  net_.each_sender(at, to, [&](std::uint32_t source, std::uint64_t) {
    own_weight_[net_.sources()[source].at] = 0;
  });
  return moved;
}

void EvenMoves::find_crowded(std::uint32_t least) {
  crowded_.assign(net_.channel.size(), 0);
  for (std::size_t slot = 0; slot < crowded_.size(); ++slot) {
    const EvenChannel& channel = net_.channel[slot];
    if (channel.next == kNobody) continue;
    crowded_[slot] = crowd_.reaches(channel.number, least) ? 1 : 0;
  }
}

std::size_t EvenMoves::spread_shifts(std::uint32_t at, const EvenDestination& to,
                                     std::span<std::uint8_t> row, std::uint32_t least) {
  bool crowded = false;
  traffic_.follow(row.data(), at, to,
                  [&](std::uint32_t slot, std::uint64_t) { crowded |= crowded_[slot] != 0; });
  if (!crowded) return 0;
  begin(at, to, row);
  free_entries_ = false;
  std::size_t moved = 0;
  net_.each_sender(at, to, [&](std::uint32_t source, std::uint64_t) {
    if (try_spread(net_.sources()[source].at, least)) ++moved;
  });
  net_.each_sender(at, to, [&](std::uint32_t source, std::uint64_t) {
    own_weight_[net_.sources()[source].at] = 0;
  });
  return moved;
}

void EvenMoves::begin(std::uint32_t at, const EvenDestination& to, std::span<std::uint8_t> row) {
  at_ = at;
  to_ = &to;
  row_ = row;
  net_.each_sender(at, to, [&](std::uint32_t source, std::uint64_t weight) {
    own_weight_[net_.sources()[source].at] = weight;
  });
}

bool EvenMoves::try_spread(std::uint32_t s, std::uint32_t least) {
  if (traffic_.arrived(s) != 0) return false;
  windows_.clear();
  bool crowded = false;
  for (std::uint32_t u = s; u != at_ && !crowded;) {
    const std::uint32_t slot = net_.slot(u, row_[u]);
    const EvenChannel& channel = net_.channel[slot];
    if (crowded_[slot] != 0) {
      if (windows_.empty()) {
        crowd_.add_windows(net_.sources()[net_.source_at(s)], to_->number, windows_);
      }
      crowded = crowd_.reaches(channel.number, windows_, least);
    }
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
  const Step last = best_.steps[best_.size - 1];
  const std::uint32_t meeting = next(last.at, last.port);
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

void EvenMoves::find_behind(std::uint32_t s) {
  weight_ = own_weight_[s] + traffic_.arrived(s);
  windows_.clear();
  const auto add = [&](std::uint32_t source) {
    crowd_.add_windows(net_.sources()[source], to_->number, windows_);
  };
  if (crowd_.empty()) return;
  if (traffic_.arrived(s) == 0) return add(net_.source_at(s));
  net_.each_sender(at_, *to_, [&](std::uint32_t source, std::uint64_t) {
    std::uint32_t u = net_.sources()[source].at;
    while (u != s && u != at_) u = next(u, row_[u]);
    if (u == s) add(source);
  });
}

double EvenMoves::added_load_cost(std::uint32_t slot) const {
  const EvenChannel& channel = net_.channel[slot];
  const auto cell = static_cast<std::size_t>(static_cast<float>(channel.load) * grid_[slot]);
  return static_cast<double>(static_cast<float>(weight_) * grid_[slot] *
                             power_[std::min(cell, kGrid)]);
}

double EvenMoves::added_crowd_cost(std::uint32_t slot) const {
  if (windows_.empty()) return 0;
  return crowd_price_ * static_cast<double>(crowd_.price(net_.channel[slot].number, windows_));
}

double EvenMoves::square_over(std::uint32_t slot, std::uint64_t load) const {
  const std::uint64_t goal = net_.channel[slot].goal;
  if (load <= goal) return 0;
  const double over = static_cast<double>(load - goal) * static_cast<double>(scale_[slot]);
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
  for (const std::uint8_t port : net_.cabled_ports(s)) {
    if (climbed ? climbs(s, port) : next(s, port) == below) step(s, port, hops_left, descended);
  }
}

void EvenMoves::step(std::uint32_t s, std::uint8_t port, std::size_t hops_left, bool descended) {
  const std::uint32_t slot = net_.slot(s, port);
  const EvenChannel& channel = net_.channel[slot];
  const bool climb = climbs(s, port);
  if (descended && climb) return;
  double over = way_.over;
  double cost = way_.cost;
  if (channel.load + weight_ > channel.goal) {
    const double more = square_over(slot, channel.load + weight_) - square_over(slot, channel.load);
    over += more;
    cost += kOverPrice * more / static_cast<double>(weight_ * weight_);
  }
  if (over >= relief_of_.back() || cost >= best_.cost) return;
  // Loads are at hand; shifts may be anywhere in memory, and are asked last.
  double price = added_load_cost(slot);
  if (way_.price + price >= most_price_ || cost + price >= best_.cost) return;
  price += added_crowd_cost(slot);
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
  find_behind(s);
  relief_of_.assign(old_.size(), 0);
  for (std::size_t i = 0; i + 1 < old_.size(); ++i) {
    const std::uint32_t slot = net_.slot(old_[i], row_[old_[i]]);
    const std::uint64_t load = net_.channel[slot].load;
    const double relief = square_over(slot, load) - square_over(slot, load - weight_);
    relief_of_[i + 1] = relief_of_[i] + relief * (plateau_ ? 1 + 1e-9 : 1);
  }
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
  for (const std::uint8_t port : net_.cabled_ports(s)) {
    if (port != row_[s]) step(s, port, old_.size() - 1, !climbed);
  }
}

void EvenMoves::apply(std::uint32_t s) {
  const Step last = best_.steps[best_.size - 1];
  const std::uint32_t meeting = next(last.at, last.port);
  for (std::uint32_t u = s; u != meeting;) {
    EvenChannel& channel = net_.channel[net_.slot(u, row_[u])];
    channel.load -= weight_;
    crowd_.take(channel.number, windows_);
    if (u != s) traffic_.take(u, weight_);
    u = channel.next;
  }
  for (std::size_t i = 0; i < best_.size; ++i) {
    const auto [u, port] = best_.steps[i];
    row_[u] = port;
    EvenChannel& channel = net_.channel[net_.slot(u, port)];
    channel.load += weight_;
    crowd_.add(channel.number, windows_);
    if (u != s) traffic_.add(u, weight_);
  }
}

}  // namespace fatwood
