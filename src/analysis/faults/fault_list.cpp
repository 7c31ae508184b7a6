// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/faults/fault_list.hpp"

#include <algorithm>
#include <utility>

#include "core/random.hpp"

namespace fatwood {

namespace {

bool is_cable(const Fabric& fabric, Channel c) {
  return fabric.between_switches(c) && fabric.owner(c) != fabric.neighbour(c);
}

// The end at the lower switch; at the lower number within a level.
bool is_lower_end(const Model& model, Channel c) {
  const int up = step(model.fabric(), model.levels(), c);
  return up > 0 || (up == 0 && c < model.fabric().peer(c));
}

std::vector<Channel> cables(const Model& model) {
  std::vector<Channel> found;
  for (const Channel c : ids<Channel>(model.fabric().num_channels())) {
    if (is_cable(model.fabric(), c) && is_lower_end(model, c)) found.push_back(c);
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
