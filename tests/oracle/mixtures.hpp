// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Every state of the switches between two tables, one by one: some switches are new, the rest old.
// Shares no code with verify or routing/repair.

#include <cstdint>
#include <string>
#include <vector>

#include "routing/tables/routing.hpp"
#include "verify/transition.hpp"

namespace fatwood::oracle {

// Empty when in no mixture a packet loops or links wait for each other in a cycle; else what is
// wrong. All mixtures of up to `all` changed switches, as many random ones of more.
std::string mixture_fault(const Fabric& fabric, const Routing& old, const Routing& now,
                          std::size_t all = 10, std::uint64_t seed = 1);

// The same for the rounds of a transition: every mixture inside each round, level by level where
// the round asks for it; the last round ends with the new tables.
std::string rounds_fault(const Fabric& fabric, const Routing& old, const Routing& now,
                         const std::vector<Round>& rounds, const Table<Switch, Level>& level);

}  // namespace fatwood::oracle
