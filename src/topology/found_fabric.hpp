// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric as discovery (ibnetdiscover) finds a live one: nodes named by GUID and description, with
// device numbers, scattered LIDs and, in newer switches, an aggregation (SHARP) node. Generators of
// lifelike fabrics fill this structure, damage it, and build a Fabric from it.
//
// Order of nodes: hosts in order of creation, aggregation nodes in the order of their switches,
// then switches in order of creation. GUIDs ascend in this order: hosts 0x0010'0000'0000'0000 + 256
// i, switches 0x0020'0000'0000'0000 + 64 i, aggregation nodes that of their switch plus 8. Ids are
// S-GUID and H-GUID, as in ibnetdiscover. Nodes without any cable are not found.
// LIDs are random, from 1 to 6/5 of the number of end ports.
// Cost: O(ports + cables).

#include <cstdint>
#include <string>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood {

enum class InternalPort : std::uint8_t { kNone, kAggregation };
enum class SwitchPort : std::uint8_t { kBase, kEnhanced };

struct FoundNode {
  NodeKind kind;
  std::uint32_t sockets;  // with an aggregation node, the switch has one more port, the last
  std::string description;
  std::uint32_t device;
  std::uint32_t vendor = 0x2c9;
  SwitchPort port_zero = SwitchPort::kEnhanced;
};

struct FoundCable {
  std::uint32_t a;  // number of a node in FoundFabric::nodes
  Port port_a;
  std::uint32_t b;
  Port port_b;
  Rate rate;
};

struct FoundFabric {
  std::vector<FoundNode> nodes;
  std::vector<FoundCable> cables;
  InternalPort internal = InternalPort::kNone;  // of every switch
  Rate inside;                                  // of the link to an aggregation node

  std::uint32_t add(FoundNode node);
  // The lowest and the highest socket of a node without a cable. InputError, with the node's name,
  // if it has none.
  Port lowest_free(std::uint32_t node) const;
  Port highest_free(std::uint32_t node) const;
};

Fabric as_discovered(const FoundFabric& plan, std::uint64_t seed);

}  // namespace fatwood
