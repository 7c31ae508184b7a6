// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fabrics and tables for tests, made from a seed.

#include <cstdint>

#include "routing/tables/routing.hpp"

namespace fatwood::test {

// `switches` in a circle, one cable between neighbours, `terminals` on each. Port 1 leads to the
// next switch, port 2 to the one before, then terminals.
Fabric ring(std::uint32_t switches, std::uint32_t terminals = 1);

// Up to `switches` switches with random cables (parallel ones, ports without a cable, more than
// one part, terminals on any switch, adapters of two ports, two adapters joined directly): what a
// file could hold.
Fabric random_fabric(std::uint64_t seed, std::uint32_t switches = 8);

// Shortest paths; among equal ports one at random. What can't be reached has no entry.
ForwardingTables shortest_tables(const Fabric& fabric, std::uint64_t seed, unsigned lmc = 0);

// Overwrites about `share` of the entries with random bytes.
ForwardingTables corrupt(ForwardingTables tables, std::uint64_t seed, double share);

// A random lane below `count` for each (source switch, destination).
Lanes random_lanes(const ForwardingTables& tables, std::uint64_t seed, unsigned count);

// A random walk without repeated switches between each pair of switches; some pairs have none.
Routing random_source_routes(const Fabric& fabric, std::uint64_t seed);

}  // namespace fatwood::test
