// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric with rails while it is being built, with the data that its faults need (rail_fabric.hpp
// lists them). Each kind of fault uses the stream (seed, number of the kind), so that one more
// fault of a kind changes nothing else.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "topology/found_fabric.hpp"
#include "topology/generate/rail_fabric.hpp"

namespace fatwood {

struct RailsHost {
  std::uint32_t unit;
  std::vector<std::uint32_t> adapters;  // by rail: a node of the plan
  std::vector<std::size_t> cables;      // by rail: a cable of the plan
};

struct RailsPlan {
  FoundFabric fabric;
  std::vector<std::uint32_t> leaves;  // by unit, then rail
  std::vector<std::uint32_t> spines;  // by pod, then rail where a spine serves one, then number
  std::vector<RailsHost> hosts;
  std::vector<std::size_t> up_links;  // cables from leaf to spine
  std::string unnamed;                // what a new adapter calls itself
};

// By unit and host: 1 for missing hosts.
std::vector<std::uint8_t> missing_hosts(const RailFabric& rails);

// All other faults. InputError if there is too little to damage.
RailsPlan with_rails_faults(RailsPlan plan, const RailFabric& rails);

}  // namespace fatwood
