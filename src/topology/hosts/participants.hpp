// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The adapters that take part in a measurement: all adapters, those of one role (roles.hpp), or
// those of given hosts.
//
// Routes serve all hosts, whoever takes part. So a verb makes routes with one model and measures
// with another, measured_model(): the same fabric, in which only the participants count as adapters
// (ModelHints::silent) and have adapter numbers.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "topology/hosts/roles.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct Participants {
  std::string among;              // as requested: "all", "compute", "storage", "service" or a list
  std::vector<Adapter> adapters;  // of the model, ascending
  std::array<std::size_t, kRoles.size()> by_role{};  // how many have each role

  std::size_t with(Role role) const { return by_role[static_cast<std::size_t>(role)]; }
  // Whether figures mix roles.
  bool mixed() const;
};

Participants all_participants(const Model& model);
// InputError if fewer than two adapters have this role.
Participants participants_with(const Model& model, Role role);
// InputError if the hosts have fewer than two adapters.
Participants participants_of(const Model& model, std::span<const Host> hosts, std::string among);

// "3664 compute and 11 service adapters"
std::string describe(const Participants& participants);

// Ordered pairs of participants that cables connect, regardless of routes.
std::uint64_t connected_pairs(const Model& model, const Participants& participants);

Model measured_model(const Model& model, const Participants& participants);

}  // namespace fatwood
