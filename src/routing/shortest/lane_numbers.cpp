// SPDX-License-Identifier: BSD-3-Clause
// Lanes after routes were assigned to them: renumbers and packs them, and compares their number
// with the limit.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "core/error.hpp"
#include "routing/shortest/layers.hpp"

namespace fatwood {

unsigned drop_empty_lanes(std::vector<std::uint8_t>& lanes) {
  std::array<std::uint8_t, 256> number{};
  for (const std::uint8_t lane : lanes) number[lane] = 1;
  unsigned count = 0;
  for (std::uint8_t& used : number) {
    if (used != 0) used = static_cast<std::uint8_t>(count++);
  }
  for (std::uint8_t& lane : lanes) lane = number[lane];
  return std::max(count, 1U);
}

Lanes pack_lanes(unsigned count, std::size_t switches, const std::vector<std::uint8_t>& rows,
                 const std::vector<std::uint32_t>& row_of) {
  Lanes lanes;
  lanes.count = std::max(count, 1U);
  lanes.switches = switches;
  if (count <= 1) return lanes;
  std::unordered_map<std::string_view, std::uint32_t> stored;
  std::vector<std::uint32_t> renamed(rows.size() / switches);
  for (std::size_t row = 0; row < renamed.size(); ++row) {
    const std::string_view bytes(reinterpret_cast<const char*>(rows.data()) + row * switches,
                                 switches);
    const auto [at, added] = stored.emplace(bytes, static_cast<std::uint32_t>(stored.size()));
    if (added) lanes.lane.insert(lanes.lane.end(), bytes.begin(), bytes.end());
    renamed[row] = at->second;
  }
  if (row_of.empty()) lanes.row_of = std::move(renamed);
  for (const std::uint32_t row : row_of) lanes.row_of.push_back(renamed[row]);
  return lanes;
}

void require_lanes(std::string_view engine, unsigned count, const RouteOptions& options) {
  if (count <= options.max_lanes) return;
  throw PromiseError(
      fmt::format("{} needs {} lanes on this fabric, and {} are allowed: without the "
                  "others the routes have a cycle of dependencies",
                  engine, count, options.max_lanes));
}

bool are_many(unsigned count, const LinkGraph& links, const RouteOptions& options) {
  constexpr std::size_t kSmall = 2048;
  return count > options.max_lanes || (count > 1 && links.size() < kSmall);
}

unsigned limit_of_try(LaneSearch search, unsigned count, const RouteOptions& options) {
  return search == LaneSearch::kQuick ? count - 1 : std::min(count - 1, options.max_lanes);
}

}  // namespace fatwood
