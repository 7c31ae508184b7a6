// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Collects nodes and cables in any order and makes a Fabric, with the numbering of fabric.hpp. The
// same nodes and cables give the same Fabric, whatever their order.
//
// A node without a GUID gets one from its position in the order of adding: kAdapterGuids + 256 i
// for adapters and routers, kSwitchGuids + i for switches. An end port without a GUID gets that of
// its node plus the port number. Otherwise the order of adding matters only for nodes with equal
// GUIDs. Cost: O(ports + cables + n log n) for n nodes.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood {

inline constexpr std::uint64_t kAdapterGuids = 0x0010'0000'0000'0000;
inline constexpr std::uint64_t kSwitchGuids = 0x0020'0000'0000'0000;

class FabricBuilder {
 public:
  // Nodes are numbered in the order of adding.
  enum class Handle : std::uint32_t {};

  // REQUIRES ports <= kMaxPorts (otherwise InputError with the node's name).
  Handle add(NodeKind kind, std::string_view id, std::uint32_t ports, std::uint64_t guid = 0);
  Handle add_switch(std::string_view id, std::uint32_t ports, std::uint64_t guid = 0) {
    return add(NodeKind::kSwitch, id, ports, guid);
  }
  Handle add_adapter(std::string_view id, std::uint32_t ports, std::uint64_t guid = 0) {
    return add(NodeKind::kAdapter, id, ports, guid);
  }

  void set_description(Handle node, std::string_view description);
  void set_hardware(Handle node, const Hardware& hardware);
  // For port 0 of a switch, or a port of an adapter; the latter is kept only if it gets a cable.
  void set_address(Handle node, Port port, const Address& address);

  // Checks a port number. InputError, with the node's name, if it has no such port.
  Port port(Handle node, std::uint64_t number) const;

  // Connects two free ports. InputError if a port does not exist, is 0, or has a cable already.
  void connect(Handle a, Port port_a, Handle b, Port port_b, Rate rate = kDefaultRate);
  // REQUIRES a cable at the port.
  void set_rate(Handle node, Port port, Rate rate);
  // The other end of the cable at a port, if any.
  std::optional<std::pair<Handle, Port>> peer(Handle node, Port port) const;

  std::size_t num_nodes() const { return nodes_.size(); }
  std::uint32_t ports(Handle node) const { return nodes_[static_cast<std::uint32_t>(node)].ports; }

  // States that the result has the canonical numbering of this shape. For generators only.
  void set_tree(const TreeShape& shape) { tree_ = shape; }

  Fabric build() const;

 private:
  struct BuildNode {
    NodeKind kind;
    std::uint32_t ports;
    std::uint32_t first;  // slot of port 0 among all slots, in order of adding
    std::uint64_t guid;
    Hardware hardware;
  };
  struct AddressOf {
    std::uint32_t slot;
    Address address;
  };
  std::uint32_t slot(Handle node, Port at) const;
  static void add_terminals(Fabric& fabric);
  static void set_address(Fabric& fabric, Channel c, Address address);
  std::vector<std::uint64_t> all_guids() const;  // by node, including generated ones
  // The nodes as they will be numbered: adapters and routers, then switches.
  std::vector<std::uint32_t> numbering(const std::vector<std::uint64_t>& guid) const;
  void check_free(Handle node, Port port, std::uint32_t slot) const;

  std::vector<BuildNode> nodes_;
  Names ids_;
  std::vector<std::pair<std::uint32_t, std::string>> descriptions_;  // sparse
  std::vector<std::uint32_t> peer_;                                  // by slot
  std::vector<std::uint32_t> owner_;                                 // by slot
  std::vector<Rate> rate_;                                           // by slot
  std::vector<AddressOf> addresses_;
  std::optional<TreeShape> tree_;
};

// Copies a node of a fabric, with this GUID and number of ports, without cables and, unless it is a
// switch, without addresses.
FabricBuilder::Handle copy_node(FabricBuilder& builder, const Fabric& fabric, Node node,
                                std::uint64_t guid, std::uint32_t ports);

}  // namespace fatwood
