// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric: switches, adapters and the cables between their ports. Immutable.
//
// Numbering of nodes: adapters first, then switches. It is canonical: it does not depend on port
// GUIDs, LIDs, or the order in which a file, OpenSM or a generator lists the nodes.
// - Switches: by node GUID.
// - Adapters: by the switch and switch port of their first cable to a switch. So those of one
//   switch are consecutive, and a new card in an old host renumbers nothing. Adapters without
//   such a cable come last, by GUID.
// Generated trees have ascending GUIDs, so nodes are numbered by their position in the tree.
//
// Ports and channels: the ports of a node are consecutive slots, from that of port 0 on.
// Slot k is the port with number k on the box. Slot 0 of a switch is its own port (its endpoint
// for management) and never has a cable; slot 0 of an adapter is unused. A channel is the direction
// of a cable that leaves a port, and has the number of its slot. There are no link objects: the
// other direction of channel c is peer(c).
//
// A terminal is a connected port of an adapter; terminals are numbered by (adapter, port). In a
// generated tree with one port per host, terminal, adapter and node numbers are equal.
//
// Invariants: peer(peer(c)) == c; no cable ends at a slot 0; at most 254 ports per node.
// Size: 10 bytes per port, and tables for names, GUIDs, LIDs and rates.

#include <cstdint>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.hpp"
#include "core/table.hpp"
#include "topology/generate/tree_shape.hpp"
#include "topology/rate.hpp"

namespace fatwood {

inline constexpr Port kNoRoute = kNone<Port>;  // 255 in a forwarding table, as in hardware
inline constexpr std::uint32_t kMaxPorts = 254;

enum class NodeKind : std::uint8_t { kAdapter, kRouter, kSwitch };

// Hardware identification of a node; all zero if unknown.
struct Hardware {
  std::uint64_t system_guid = 0;
  std::uint32_t vendor = 0;
  std::uint32_t device = 0;

  friend bool operator==(const Hardware&, const Hardware&) = default;
};

// The subnet address of an end port (a terminal, or a switch's port 0).
struct Address {
  std::uint64_t guid = 0;
  Lid lid = kNoLid;
  std::uint8_t lmc = 0;
  bool enhanced = false;  // port 0 of a switch that can carry ordinary traffic

  friend bool operator==(const Address&, const Address&) = default;
};

// Many short strings in one block.
class Names {
 public:
  void push_back(std::string_view name) {
    bytes_ += name;
    end_.push_back(bytes_.size());
  }
  std::size_t size() const { return end_.size(); }
  std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : end_[i - 1];
    return std::string_view(bytes_).substr(begin, end_[i] - begin);
  }
  friend bool operator==(const Names&, const Names&) = default;

 private:
  std::string bytes_;
  std::vector<std::size_t> end_;
};

// A cable as one of its switches sees it.
struct SwitchLink {
  Channel channel;  // out of this switch
  Switch to;
  Port port;  // of this switch
};

class Fabric {
 public:
  std::size_t num_nodes() const { return first_.size() - 1; }
  std::size_t num_adapters() const { return num_adapters_; }
  std::size_t num_switches() const { return num_nodes() - num_adapters_; }
  std::size_t num_terminals() const { return terminal_channel_.size(); }
  std::size_t num_channels() const { return peer_.size(); }  // port slots, connected or not
  std::size_t num_cables() const { return num_cables_; }

  bool is_switch(Node node) const { return index(node) >= num_adapters_; }
  NodeKind kind(Node node) const { return kind_[node]; }
  Node node(Switch s) const { return static_cast<Node>(num_adapters_ + index(s)); }
  Switch as_switch(Node node) const {  // REQUIRES is_switch(node)
    return static_cast<Switch>(index(node) - num_adapters_);
  }

  // Ports and channels.
  std::uint32_t ports(Node node) const {  // their number; ports are numbered from 1
    return first_[index(node) + 1] - first_[index(node)] - 1;
  }
  Channel channel(Node node, Port port) const {
    return static_cast<Channel>(first_[index(node)] + index(port));
  }
  // Any port number; kNone if the node has no such port.
  Channel find_channel(Node node, std::uint64_t port) const {
    return port <= ports(node) ? channel(node, static_cast<Port>(port)) : kNone<Channel>;
  }
  // The channels of all ports, with or without a cable, except port 0.
  auto channels(Node node) const {
    return std::views::iota(first_[index(node)] + 1, first_[index(node) + 1]) |
           std::views::transform([](std::uint32_t c) { return static_cast<Channel>(c); });
  }
  Node owner(Channel c) const { return owner_[c]; }
  Port port(Channel c) const { return static_cast<Port>(index(c) - first_[index(owner_[c])]); }
  Channel peer(Channel c) const { return peer_[c]; }  // kNone<Channel>: no cable
  bool connected(Channel c) const { return peer_[c] != kNone<Channel>; }
  Node neighbour(Channel c) const { return owner_[peer_[c]]; }  // REQUIRES connected(c)
  Rate rate(Channel c) const { return rate_[c]; }
  // Whether a cable leads from this port to a switch; whether from a switch to a switch.
  bool to_switch(Channel c) const { return connected(c) && is_switch(neighbour(c)); }
  bool between_switches(Channel c) const { return is_switch(owner_[c]) && to_switch(c); }
  Switch next_switch(Channel c) const { return as_switch(neighbour(c)); }  // REQUIRES to_switch(c)
  // The cables of a switch to switches, in order of ports. A cable to itself appears at both ports.
  auto links(Switch s) const {
    return channels(node(s)) | std::views::filter([this](Channel c) { return to_switch(c); }) |
           std::views::transform(
               [this](Channel c) { return SwitchLink{c, next_switch(c), port(c)}; });
  }

  // Terminals.
  Channel terminal_channel(Terminal t) const { return terminal_channel_[t]; }  // out of the host
  Node adapter_node(Terminal t) const { return owner(terminal_channel_[t]); }
  // The terminal at this slot, or kNone.
  Terminal terminal_at(Channel c) const;
  // The switch of a terminal; kNone if its cable leads to another adapter.
  Switch leaf(Terminal t) const { return leaf_[t]; }
  Port leaf_port(Terminal t) const { return port(peer(terminal_channel_[t])); }  // its port there

  // Side tables.
  std::string_view id(Node node) const { return ids_[index(node)]; }  // unique, as files have it
  std::string_view description(Node node) const { return descriptions_[index(node)]; }
  // Whether display_name() does not identify this node (shared_names.hpp).
  bool shares_name(Node node) const { return !shares_name_.empty() && shares_name_[node] != 0; }
  std::uint64_t guid(Node node) const { return guid_[node]; }
  const Hardware& hardware(Node node) const { return hardware_[node]; }
  const Address& address(Terminal t) const { return terminal_address_[t]; }
  const Address& address(Switch s) const { return switch_address_[s]; }

  // The shape, if this fabric was generated as a complete tree and has its canonical numbering.
  const std::optional<TreeShape>& tree() const { return tree_; }

  // The same fabric with other descriptions. REQUIRES one for each node.
  Fabric renamed(Names descriptions) const;

  // Same nodes in the same order, cables, names, addresses and rates; tree() is not compared.
  friend bool operator==(const Fabric& a, const Fabric& b);

 private:
  friend class FabricBuilder;

  std::vector<std::uint32_t> first_;  // by node, and the end
  Table<Channel, Channel> peer_;
  Table<Channel, Node> owner_;
  Table<Channel, Rate> rate_;
  Table<Node, NodeKind> kind_;
  std::size_t num_adapters_ = 0;
  std::size_t num_cables_ = 0;
  Table<Terminal, Channel> terminal_channel_;
  Table<Terminal, Switch> leaf_;
  Names ids_, descriptions_;
  Table<Node, std::uint8_t> shares_name_;  // empty: none does
  Table<Node, std::uint64_t> guid_;
  Table<Node, Hardware> hardware_;
  Table<Terminal, Address> terminal_address_;
  Table<Switch, Address> switch_address_;
  std::optional<TreeShape> tree_;
};

// The number of terminals on each switch.
Table<Switch, std::uint32_t> terminals_on(const Fabric& fabric);

// "CSPINE1-40" for "MF0;CSPINE1-40:MQM8700/U1": the description without system prefix and model, or
// the id if it has no description. Not unique.
std::string_view display_name(const Fabric& fabric, Node node);

// Names to print. Each identifies its node, port or cable, and NodeNames (node_names.hpp) finds it.
// The display name; with the id if it does not identify the node: "Voltaire 4036
// (S-0008f105001085)".
std::string unique_name(const Fabric& fabric, Node node);
std::string unique_name(const Fabric& fabric, Switch s);
// "CSPINE1-40[28]"
std::string port_name(const Fabric& fabric, Channel c);
// "LG01-01[31] - CSPINE1-40[28]"
std::string cable_name(const Fabric& fabric, Channel c);
// "LG01-01[31] -> CSPINE1-40[28]": this direction of the cable
std::string channel_name(const Fabric& fabric, Channel c);

}  // namespace fatwood
