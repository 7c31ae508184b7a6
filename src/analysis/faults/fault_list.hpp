// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lists of faults to examine: every cable between switches, every switch, random sets of cables.

#include <cstdint>
#include <optional>
#include <vector>

#include "topology/model.hpp"

namespace fatwood {

struct Fault {
  std::vector<Channel> cut = {};   // one end of each cable between switches
  Switch removed = kNone<Switch>;  // or a switch, with everything attached to it

  friend bool operator==(const Fault&, const Fault&) = default;
};

// One fault per cable between switches, given by its end at the lower switch, in order of channels.
std::vector<Fault> single_cables(const Model& model);
std::vector<Fault> single_switches(const Model& model);
// `samples` sets of `size` different cables, determined by the seed.
std::vector<Fault> random_cables(const Model& model, std::size_t size, std::size_t samples,
                                 std::uint64_t seed);

// All sets of that size; no value if there are more than `most`.
std::optional<std::vector<Fault>> all_cable_sets(const Model& model, std::size_t size,
                                                 std::size_t most);

}  // namespace fatwood
