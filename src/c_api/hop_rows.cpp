// SPDX-License-Identifier: BSD-3-Clause
#include "c_api/hop_rows.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace fatwood {

namespace {
constexpr std::uint8_t kNoPath = 255;
constexpr std::uint16_t kMostHops = 64;  // of InfiniBand
}  // namespace

void HopRows::write(std::uint32_t s, const std::vector<Lid>& lids, std::uint8_t** rows,
                    unsigned ports) {
  const std::size_t n = graph_.size();
  const std::uint16_t* const own = hops_.data() + s * n;
  find_nearer(s);
  row_.assign(ports, kNoPath);
  for (std::size_t d = 0; d < n; ++d) {
    if (d == 0 || own[d] != own[d - 1] || !as_before(d)) make_row(s, d);
    std::uint8_t*& row = rows[index(lids[d])];
    if (row == nullptr) row = static_cast<std::uint8_t*>(std::malloc(ports));
    if (row == nullptr) throw std::bad_alloc();
    std::ranges::copy(row_, row);
  }
}

void HopRows::find_nearer(std::uint32_t s) {
  const std::size_t n = graph_.size();
  const std::uint16_t* const own = hops_.data() + s * n;
  const std::span<const Switch> neighbours = graph_.neighbours(Switch{s});
  words_ = (neighbours.size() + 63) / 64;
  nearer_.assign(words_ * n, 0);
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    const std::uint16_t* const there = hops_.data() + index(neighbours[i]) * n;
    std::uint64_t* const bits = nearer_.data() + i / 64 * n;
    for (std::size_t d = 0; d < n; ++d) {
      bits[d] |= std::uint64_t{there[d] + 1 == own[d]} << i % 64;
    }
  }
}

bool HopRows::as_before(std::size_t d) const {
  for (std::size_t word = 0; word < words_; ++word) {
    const std::uint64_t* const bits = nearer_.data() + word * graph_.size();
    if (bits[d] != bits[d - 1]) return false;
  }
  return true;
}

void HopRows::make_row(std::uint32_t s, std::size_t d) {
  const std::uint16_t hops = hops_[s * graph_.size() + d];
  std::ranges::fill(row_, kNoPath);
  if (hops > kMostHops) return;
  const auto least = static_cast<std::uint8_t>(hops);
  row_[0] = least;
  const IdRange<Trunk> trunks = graph_.trunks(Switch{s});
  for (std::uint32_t i = 0; i < trunks.size(); ++i) {
    if ((nearer_[i / 64 * graph_.size() + d] >> i % 64 & 1) == 0) continue;
    for (const Port port : graph_.ports(trunks[i])) {
      if (index(port) < row_.size()) row_[index(port)] = least;
    }
  }
}

}  // namespace fatwood
