// SPDX-License-Identifier: BSD-3-Clause
#include "topology/generate/lifelike.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "topology/found_fabric.hpp"

namespace fatwood {
namespace {

constexpr Rate kQdr{4, Speed::kQdr};
constexpr Rate kDdr{4, Speed::kDdr};
constexpr Rate kFdr10{4, Speed::kFdr10};
constexpr std::uint32_t kSockets = 36;

// Parallel cables from a leaf's highest sockets down to a spine's lowest, as a bundle falls.
void join_bundle(FoundFabric& plan, std::uint32_t leaf, std::uint32_t spine, unsigned cables,
                 Rate rate) {
  for (unsigned i = 0; i < cables; ++i) {
    plan.cables.push_back({leaf, plan.highest_free(leaf), spine, plan.lowest_free(spine), rate});
  }
}

void join_host(FoundFabric& plan, std::uint32_t host, Port port, std::uint32_t at, Rate rate) {
  plan.cables.push_back({host, port, at, plan.lowest_free(at), rate});
}

struct X5Leaf {
  const char* description;
  std::array<unsigned, 4> cables;  // to each spine
  unsigned hosts;
  unsigned slow;  // of them, the first, at half the speed
};

constexpr std::uint32_t kVoltaire = 0x8f1;
constexpr std::uint32_t kGridDirector = 0x5a5a;
constexpr const char* kPlain = "Voltaire 4036 - 36 QDR ports switch";
constexpr const char* kInfiniScale = "Infiniscale-IV Mellanox Technologies";

constexpr X5Leaf kX5Leaves[] = {
    {kPlain, {0, 0, 6, 6}, 21, 21},
    {kInfiniScale, {3, 3, 3, 3}, 24, 0},
    {"Voltaire 4036 # rack3", {3, 3, 3, 3}, 24, 0},
    {"Voltaire 4036 # 4036-0A01", {3, 3, 3, 3}, 5, 0},
    {"Voltaire 4036 # 4036-0A02", {3, 3, 0, 0}, 0, 0},
    {kInfiniScale, {3, 3, 3, 3}, 9, 0},
    {"Voltaire 4036 # 4036-0A03", {1, 1, 1, 1}, 6, 2},
};

}  // namespace

RailFabric like_selene() {
  RailFabric rails;
  rails.units = 25;
  rails.pods = 4;
  rails.hosts = 20;
  rails.spines = 10;
  rails.cores = 14;
  rails.speed = 200;
  rails.management = 2;
  rails.core_management = 2;
  rails.missing_hosts = 42;
  rails.missing_cables = 29;
  return rails;
}

RailFabric like_dgx_ndr() {
  RailFabric rails;
  rails.units = 8;
  rails.hosts = 18;
  rails.rails = 4;
  rails.spines = 9;
  rails.hca = 7;
  rails.leaf_hosts = 2;
  rails.missing_leaves = 1;
  rails.missing_hosts = 5;
  rails.missing_cables = 26;
  rails.crossed_hosts = 1;
  rails.swapped_hosts = 4;
  rails.unnamed = 18;
  rails.localhost = 1;
  return rails;
}

Fabric make_like_x5() {
  FoundFabric plan;
  std::vector<std::uint32_t> leaves;
  for (const X5Leaf& leaf : kX5Leaves) {
    leaves.push_back(
        leaf.description == kInfiniScale
            ? plan.add(
                  {NodeKind::kSwitch, kSockets, kInfiniScale, 0xbd36, 0x2c9, SwitchPort::kBase})
            : plan.add({NodeKind::kSwitch, kSockets, leaf.description, kGridDirector, kVoltaire}));
  }
  std::vector<std::uint32_t> spines;
  for (const char* name : {kPlain, "Voltaire 4036 # 4036-0A04", kPlain, kPlain}) {
    spines.push_back(plan.add({NodeKind::kSwitch, kSockets, name, kGridDirector, kVoltaire}));
  }
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const X5Leaf& leaf = kX5Leaves[i];
    for (std::size_t s = 0; s < spines.size(); ++s) {
      join_bundle(plan, leaves[i], spines[s], leaf.cables[s], kQdr);
    }
    for (unsigned k = 0; k < leaf.hosts; ++k) {
      const bool slow = k < leaf.slow;
      const std::uint32_t host =
          plan.add({NodeKind::kAdapter, 1, "MT25408 ConnectX Mellanox Technologies",
                    slow ? 0x6732U : 0x6746U});
      join_host(plan, host, Port{1}, leaves[i], slow ? kDdr : kQdr);
    }
  }
  return as_discovered(plan, 1);
}

Fabric make_like_stage() {
  constexpr unsigned kLeaves = 6;
  constexpr std::uint32_t kAdapter = 0x1003;
  FoundFabric plan;
  std::vector<std::uint32_t> switches;
  for (unsigned i = 0; i < kLeaves + 2; ++i) {
    switches.push_back(
        plan.add({NodeKind::kSwitch, kSockets, fmt::format("MF0;ib{}:SX6036/U1", i + 1), 0xc738}));
  }
  unsigned compute = 0;
  std::size_t missing = 0;  // the last cable from the first leaf to the second spine
  for (unsigned i = 0; i < kLeaves; ++i) {
    for (unsigned s = kLeaves; s < kLeaves + 2; ++s) {
      join_bundle(plan, switches[i], switches[s], 4, kFdr10);
    }
    if (i == 0) missing = plan.cables.size() - 1;
    const unsigned hosts = i == kLeaves - 1 ? 22 : 24;
    for (unsigned k = 0; k < hosts; ++k) {
      // The last seven of the last leaf serve, four of them by the second port of their card.
      const bool serves = i == kLeaves - 1 && k + 7 >= hosts;
      const std::string name = serves ? fmt::format("service{} mlx4_0", k + 8 - hosts)
                                      : fmt::format("node{} mlx4_0", ++compute);
      const std::uint32_t host = plan.add({NodeKind::kAdapter, 2, name, kAdapter});
      join_host(plan, host, serves && k + 4 >= hosts ? Port{2} : Port{1}, switches[i], kQdr);
    }
  }
  for (unsigned k = 1; k <= 2; ++k) {
    const std::uint32_t store =
        plan.add({NodeKind::kAdapter, 2, fmt::format("store{} mlx4_0", k), kAdapter});
    for (unsigned port = 1; port <= k; ++port) {
      join_host(plan, store, static_cast<Port>(port), switches[kLeaves], kQdr);
    }
  }
  plan.cables.erase(plan.cables.begin() + static_cast<std::ptrdiff_t>(missing));
  return as_discovered(plan, 1);
}

}  // namespace fatwood
