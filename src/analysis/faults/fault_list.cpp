// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/faults/fault_list.hpp"

#include <algorithm>
#include <utility>

#include "core/random.hpp"

namespace fatwood {

namespace {

// Given by the end at the lower switch; at the lower number within a level.
std::vector<Channel> cables(const Model& model) {
  const Fabric& fabric = model.fabric();
  std::vector<Channel> found;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.between_switches(c) || fabric.owner(c) == fabric.neighbour(c)) continue;
    const int up = step(fabric, model.levels(), c);
    if (up > 0 || (up == 0 && c < fabric.peer(c))) found.push_back(c);
  }
  return found;
}

}  // namespace

std::vector<Fault> single_cables(const Model& model) {
  std::vector<Fault> faults;
  for (const Channel c : cables(model)) faults.push_back({.cut = {c}});
  return faults;
}

std::vector<Fault> single_switches(const Model& model) {
  std::vector<Fault> faults;
  for (const Switch s : ids<Switch>(model.fabric().num_switches())) {
    faults.push_back({.removed = s});
  }
  return faults;
}

std::optional<std::vector<Fault>> all_cable_sets(const Model& model, std::size_t size,
                                                 std::size_t most) {
  const std::vector<Channel> all = cables(model);
  std::vector<Fault> faults;
  std::vector<std::size_t> chosen;  // ascending
  for (std::size_t i = 0; i < size; ++i) chosen.push_back(i);
  while (!chosen.empty() && chosen.back() < all.size()) {
    if (faults.size() == most) return std::nullopt;
    Fault& fault = faults.emplace_back();
    for (const std::size_t i : chosen) fault.cut.push_back(all[i]);
    // The next set: the last number that can grow, and those behind it.
    std::size_t at = size;
    while (at > 0 && chosen[at - 1] == all.size() - size + at - 1) --at;
    if (at == 0) break;
    ++chosen[at - 1];
    for (std::size_t i = at; i < size; ++i) chosen[i] = chosen[i - 1] + 1;
  }
  return faults;
}

std::vector<Fault> random_cables(const Model& model, std::size_t size, std::size_t samples,
                                 std::uint64_t seed) {
  const std::vector<Channel> all = cables(model);
  std::vector<Fault> faults(samples);
  for (std::size_t i = 0; i < samples; ++i) {
    std::vector<Channel> drawn = all;
    Random random(seed, i);
    for (std::size_t k = 0; k < std::min(size, drawn.size()); ++k) {
      const auto left = static_cast<std::uint32_t>(drawn.size() - k);
      std::swap(drawn[k], drawn[k + random.below(left)]);
      faults[i].cut.push_back(drawn[k]);
    }
  }
  return faults;
}

}  // namespace fatwood
