// SPDX-License-Identifier: BSD-3-Clause
// Other ways for what a switch sends to a target: what they cost, and which is the cheapest
// (even_moves.hpp).
#include <algorithm>
#include <cmath>
#include <limits>

#include "routing/tree/even_moves.hpp"

namespace fatwood {

namespace {

constexpr double kPriceSteepness = 12;
constexpr double kOverPrice = 100;  // of a unit of the moved weight, squared
constexpr std::uint32_t kFew = 2;   // flows that meet where one more is too many
constexpr std::size_t kGrid = 256;  // cells up to the goal
constexpr double kHandedOn = 1e-9;  // of excess: a move that gains nothing is as good

}  // namespace

std::vector<float> EvenMoves::power_grid() {
  std::vector<float> power;
  for (std::size_t cell = 0; cell <= kGrid; ++cell) {
    power.push_back(
        static_cast<float>(kPriceSteepness / kGrid *
                           std::pow(static_cast<double>(cell) / kGrid, kPriceSteepness - 1)));
  }
  return power;
}

void EvenMoves::take_goals() {
  for (std::uint32_t slot = 0; slot < net_.channel.size(); ++slot) {
    EvenChannel& channel = net_.channel[slot];
    if (net_.capacity(slot) != 0) {
      channel.scale = static_cast<float>(net_.fastest()) / static_cast<float>(net_.capacity(slot));
    }
    channel.cells = channel.goal == 0 ? 0 : kGrid / static_cast<float>(channel.goal);
    set_load(slot, channel.load);
  }
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

void EvenMoves::find_behind(std::uint32_t s) {
  windows_.clear();
  if (crowd_.empty()) return;
  each_behind(s, [&](std::uint32_t u) {
    crowd_.add_windows(net_.sources()[net_.source_at(u)], to_->number, windows_);
  });
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

double EvenMoves::square_over(std::uint32_t slot, std::uint64_t load) const {
  const EvenChannel& channel = net_.channel[slot];
  if (load <= channel.goal) return 0;
  const double over = static_cast<double>(load - channel.goal) * static_cast<double>(channel.scale);
  return over * over;
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

bool EvenMoves::is_crowded() const {
  // Shifts may be anywhere in memory, and are asked last.
  for (std::size_t i = 0; i < way_.size; ++i) {
    const std::uint32_t slot = net_.slot(way_.steps[i].at, way_.steps[i].port);
    if (crowd_.reaches(net_.channel[slot].number, windows_, kFew)) return true;
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

}  // namespace fatwood
