// SPDX-License-Identifier: BSD-3-Clause
// Paths that EvenMoves may move entries to, and their prices.

#include <algorithm>

#include "routing/even/even_moves.hpp"

namespace fatwood {

bool EvenMoves::lay(std::uint32_t s, Port port) {
  path_.steps[0] = {s, port};
  path_.size = 1;
  std::uint32_t before = s;
  std::uint32_t u = next(s, port);
  auto left = static_cast<std::uint32_t>(old_.size()) - 2 + longer_;
  for (; hops_[u] == kNobody; --left) {
    if (left == 0) return false;
    Port onwards = row_[u];
    if (!goes_up(u, onwards)) {
      onwards = down_port(u, left);
    } else if (rank_[u] > rank_[before]) {
      return false;
    } else if (is_free(u)) {
      onwards = best(u, left).port;
    }
    path_.steps[path_.size++] = {u, onwards};
    before = u;
    u = next(u, onwards);
  }
  if (hops_[u] != left) return false;
  return rank_[u] < rank_[before] || left == 0 || !goes_up(u, row_[u]);
}

float EvenMoves::price_onwards(std::uint32_t s, std::uint32_t hops, bool went_up, float enough) {
  float sum = 0;
  while (s != at_) {
    if (hops == 0) return kNoPath;
    if (!goes_up(s, row_[s])) return sum + price_below(s, hops);
    if (!went_up) return kNoPath;
    const float least = best(s, hops).price;
    if (is_free(s) || sum + least >= enough) return sum + least;
    const std::uint32_t slot = slot_of(s);
    sum += price_[slot];
    const std::uint32_t u = net_.next(slot);
    went_up = rank_[u] < rank_[s];
    s = u;
    --hops;
  }
  return sum;
}

const EvenMoves::Best& EvenMoves::best(std::uint32_t s, std::uint32_t hops) {
  Best& known = best_[s];
  if (known.home == homes_ && known.hops == hops) return known;
  known = {homes_, static_cast<std::uint16_t>(hops), row_[s], kNoPath};
  const bool up = goes_up(s, row_[s]);
  any_port(s, first_place(s), up ? first_[s + 1] - first_[s] : downs_[s], first_place(s),
           [&](Port port) {
             const std::uint32_t slot = net_.slot(s, port);
             float sum = price_[slot];
             if (sum >= known.price) return false;
             const std::uint32_t u = net_.next(slot);
             if (u != at_) {
               if (hops == 1) return false;
               if (!goes_up(u, row_[u])) {
                 sum += price_below(u, hops - 1);
               } else {
                 sum += rank_[u] < rank_[s] ? best(u, hops - 1).price : kNoPath;
               }
             } else if (hops != 1) {
               return false;
             }
             if (sum >= known.price) return false;
             known.price = sum;
             known.port = port;
             return false;
           });
  return known;
}

float EvenMoves::price_below(std::uint32_t s, std::uint32_t hops) const {
  return pass_.longer > 0 ? any_descent(s, hops).price : price_straight(s, hops);
}

float EvenMoves::price_straight(std::uint32_t s, std::uint32_t hops) const {
  float sum = 0;
  for (; s != at_; --hops) {
    if (hops == 0 || goes_up(s, row_[s])) return kNoPath;
    const std::uint32_t slot = net_.slot(s, least_parallel(s));
    sum += price_[slot];
    s = net_.next(slot);
  }
  return hops == 0 ? sum : kNoPath;
}

EvenMoves::Descent EvenMoves::any_descent(std::uint32_t s, std::uint32_t hops) const {
  Descent least{row_[s], s == at_ && hops == 0 ? 0 : kNoPath};
  if (hops == 0) return least;
  any_port(s, 0, downs_[s], 0, [&](Port port) {
    const std::uint32_t slot = net_.slot(s, port);
    if (price_[slot] >= least.price) return false;
    const std::uint32_t below = net_.next(slot);
    if (below != at_ && (sends(below) || goes_up(below, row_[below]))) return false;
    const float sum = price_[slot] + price_straight(below, hops - 1);
    if (sum < least.price) least = {port, sum};
    return false;
  });
  return least;
}

Port EvenMoves::least_parallel(std::uint32_t s) const {
  Port least = row_[s];
  const Parallel& group = group_[net_.slot(s, least)];
  if (group.count == 1) return least;
  const Port* const ports = ports_.data() + first_[s] + group.first;
  for (std::uint32_t i = 0; i < group.count; ++i) {
    if (price_[net_.slot(s, ports[i])] < price_[net_.slot(s, least)]) least = ports[i];
  }
  return least;
}

}  // namespace fatwood
