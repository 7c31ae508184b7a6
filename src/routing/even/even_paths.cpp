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

float EvenMoves::ahead(std::uint32_t s, std::uint32_t hops) {
  Ahead& known = ahead_[s];
  if (known.version == version_ && known.hops == hops) return known.price;
  known = {version_, hops, kNoPath};
  if (s == at_) {
    if (hops == 0) known.price = 0;
  } else if (hops != 0) {
    if (!goes_up(s, row_[s])) {
      const std::uint32_t slot = net_.slot(s, down_port(s, hops));
      const std::uint32_t u = net_.next(slot);
      if (u == at_ || !goes_up(u, row_[u])) known.price = price_[slot] + ahead(u, hops - 1);
    } else if (is_free(s)) {
      known.price = best(s, hops).price;
    } else {
      const std::uint32_t slot = slot_of(s);
      known.price = price_[slot] + ahead(net_.next(slot), hops - 1);
    }
  }
  return known.price;
}

const EvenMoves::Best& EvenMoves::best(std::uint32_t s, std::uint32_t hops) {
  Best& known = best_slot(s, hops);
  if (is_known(s, hops)) return known;
  known = {homes_, row_[s], kNoPath};
  latest_[s] = static_cast<std::uint8_t>(hops);
  if (s == at_ || hops == 0) {
    if (s == at_ && hops == 0) known.price = 0;
    return known;
  }
  if (!goes_up(s, row_[s]) && !sends(s)) {
    known.port = best_descent(s, hops);
    const std::uint32_t slot = net_.slot(s, known.port);
    const std::uint32_t u = net_.next(slot);
    if (u == at_ || !goes_up(u, row_[u])) known.price = price_[slot] + best(u, hops - 1).price;
    return known;
  }
  Best least = known;
  const Port* const ports = ports_of(s);
  const std::uint32_t end = end_place(s);
  work_ += end - first_place(s);
  for (std::uint32_t i = first_place(s); i < end; ++i) {
    const std::uint32_t slot = net_.slot(s, ports[i]);
    const std::uint32_t u = net_.next(slot);
    if (i < downs_[s] && u != at_ && goes_up(u, row_[u])) continue;
    const float sum = price_[slot] + best_price(u, hops - 1);
    if (sum < least.price) {
      least.price = sum;
      least.port = ports[i];
    }
  }
  latest_[s] = static_cast<std::uint8_t>(hops);
  return known = least;
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
  work_ += downs_[s];
  for (std::uint32_t i = 0; i < downs_[s]; ++i) {
    const Port port = ports_of(s)[i];
    const std::uint32_t slot = net_.slot(s, port);
    const std::uint32_t below = net_.next(slot);
    if (below != at_ && (sends(below) || goes_up(below, row_[below]))) continue;
    const float sum = price_[slot] + price_straight(below, hops - 1);
    if (sum < least.price) least = {port, sum};
  }
  return least;
}

Port EvenMoves::least_parallel(std::uint32_t s) const {
  Port least = row_[s];
  const Parallel& trunk = trunk_[net_.slot(s, least)];
  if (trunk.count == 1) return least;
  const Port* const ports = ports_of(s) + trunk.first;
  for (std::uint32_t i = 0; i < trunk.count; ++i) {
    if (price_[net_.slot(s, ports[i])] < price_[net_.slot(s, least)]) least = ports[i];
  }
  return least;
}

}  // namespace fatwood
