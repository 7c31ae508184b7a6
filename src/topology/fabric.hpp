// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric: switches, adapters and the cables between their ports, in memory, immutable.
//
// Nodes are numbered adapters first, then switches, and the numbering is canonical: it does not
// depend on the order in which a file, OpenSM or a generator lists the nodes. Switches are in order
// of their node GUIDs; adapters in order of the switches and switch ports that their first cables
// into switches lead to, so that those of one switch follow each other and a new card in an old
// host renumbers nothing; then, by GUID, adapters without such a cable. Generated trees have the
// numbering of their positions: they are built with GUIDs that ascend. Port GUIDs and LIDs do not
// matter. The ports of a node are the slots first(node) .. first(node)+ports(node): slot k is the
// port with number k on the box. Slot 0 is a switch's own port (its end-point for management) and
// never has a cable; an adapter's slot 0 is unused. A channel is the direction of a cable that
// leaves a port and has that slot's number, so there are no link objects: the other direction of
// channel c is peer(c).
//
// A terminal is a connected adapter port; terminals are numbered by (adapter, port). In a generated
// tree with one port per host, terminal, adapter and node numbers agree.
//
// Invariants: peer(peer(c)) == c; no cable ends at a slot 0; no more than 254 ports per node. 10
// bytes per port; names, GUIDs, LIDs and speeds are side tables.

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

inline constexpr Port kNoRoute = kNone<Port>;  // 255 in a forwarding table, as in the hardware
inline constexpr std::uint32_t kMaxPorts = 254;

enum class NodeKind : std::uint8_t { kAdapter, kRouter, kSwitch };

// Hardware identification of a node; all zero when unknown.
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
  bool enhanced = false;  // a switch's port 0 that can carry ordinary traffic

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

class Fabric {
 public:
  std::size_t num_nodes() const { return first_.size() - 1; }
  std::size_t num_adapters() const { return num_adapters_; }
  std::size_t num_switches() const { return num_nodes() - num_adapters_; }
  std::size_t num_terminals() const { return terminal_channel_.size(); }
  std::size_t num_channels() const { return peer_.size(); }  // port slots, connected or not
  std::size_t num_links() const { return num_links_; }

  bool is_switch(Node node) const { return index(node) >= num_adapters_; }
  NodeKind kind(Node node) const { return kind_[node]; }
  Node node(Switch s) const { return static_cast<Node>(num_adapters_ + index(s)); }
  Switch as_switch(Node node) const {  // REQUIRES is_switch(node)
    return static_cast<Switch>(index(node) - num_adapters_);
  }

  // Ports and channels.
  std::uint32_t ports(Node node) const {  // how many; they are numbered from 1
    return first_[index(node) + 1] - first_[index(node)] - 1;
  }
  Channel channel(Node node, Port port) const {
    return static_cast<Channel>(first_[index(node)] + index(port));
  }
  // Unchecked port number; kNone where the node has no such port.
  Channel find_channel(Node node, std::uint64_t port) const {
    return port <= ports(node) ? channel(node, static_cast<Port>(port)) : kNone<Channel>;
  }
  // Of all ports, with a cable or not, but for a switch's own.
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
  // Whether a cable leads from this port to a switch, and whether from a switch to a switch.
  bool to_switch(Channel c) const { return connected(c) && is_switch(neighbour(c)); }
  bool between_switches(Channel c) const { return is_switch(owner_[c]) && to_switch(c); }
  Switch next_switch(Channel c) const { return as_switch(neighbour(c)); }  // REQUIRES to_switch(c)
  // Channels of a switch to switches, in order of ports.
  auto links(Switch s) const {
    return channels(node(s)) | std::views::filter([this](Channel c) { return to_switch(c); });
  }

  // Terminals.
  Channel terminal_channel(Terminal t) const { return terminal_channel_[t]; }  // out of the host
  Node adapter(Terminal t) const { return owner(terminal_channel_[t]); }
  // The terminal whose port has this slot; kNone where there is none.
  Terminal terminal_at(Channel c) const;
  // The switch a terminal is attached to; kNone when its cable leads to another adapter.
  Switch leaf(Terminal t) const { return leaf_[t]; }
  Port leaf_port(Terminal t) const { return port(peer(terminal_channel_[t])); }  // its port there

  // Side tables.
  std::string_view id(Node node) const { return ids_[index(node)]; }  // unique, as files have it
  std::string_view description(Node node) const { return descriptions_[index(node)]; }
  std::uint64_t guid(Node node) const { return guid_[node]; }
  const Hardware& hardware(Node node) const { return hardware_[node]; }
  const Address& address(Terminal t) const { return terminal_address_[t]; }
  const Address& address(Switch s) const { return switch_address_[s]; }

  // The shape whose canonical numbering this fabric has, when it was generated as a whole tree.
  const std::optional<TreeShape>& tree() const { return tree_; }

  // The same fabric with other descriptions. REQUIRES one for each node.
  Fabric renamed(Names descriptions) const;

  // Same nodes in the same order, cables, names, addresses and rates; tree() is not compared.
  friend bool operator==(const Fabric& a, const Fabric& b);

 private:
  friend class FabricBuilder;

  std::vector<std::uint32_t> first_;  // of each node, and the end
  Table<Channel, Channel> peer_;
  Table<Channel, Node> owner_;
  Table<Channel, Rate> rate_;
  Table<Node, NodeKind> kind_;
  std::size_t num_adapters_ = 0;
  std::size_t num_links_ = 0;
  Table<Terminal, Channel> terminal_channel_;
  Table<Terminal, Switch> leaf_;
  Names ids_, descriptions_;
  Table<Node, std::uint64_t> guid_;
  Table<Node, Hardware> hardware_;
  Table<Terminal, Address> terminal_address_;
  Table<Switch, Address> switch_address_;
  std::optional<TreeShape> tree_;
};

// "CSPINE1-40" for "MF0;CSPINE1-40:MQM8700/U1": what a person calls the node. The description
// without its system prefix and model, or the id when there is no description. Not unique.
std::string_view display_name(const Fabric& fabric, Node node);
// "CSPINE1-40[28]"
std::string port_name(const Fabric& fabric, Channel c);

}  // namespace fatwood
