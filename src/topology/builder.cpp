// SPDX-License-Identifier: BSD-3-Clause
#include "topology/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/error.hpp"
#include "core/text/printable.hpp"
#include "topology/shared_names.hpp"

namespace fatwood {

namespace {
constexpr std::uint32_t kFree = 0xffffffffU;
}  // namespace

FabricBuilder::Handle FabricBuilder::add(NodeKind kind, std::string_view id, std::uint32_t ports,
                                         std::uint64_t guid) {
  if (ports > kMaxPorts) {
    throw InputError(fmt::format("node \"{}\" has {} ports; a forwarding table can name {} at most",
                                 id, ports, kMaxPorts));
  }
  const std::size_t first = peer_.size();
  if (first + ports + 1 >= kFree) throw InputError("more ports than 32-bit numbers can name");
  nodes_.push_back({kind, ports, static_cast<std::uint32_t>(first), guid, {}});
  ids_.push_back(printable(id));
  peer_.resize(first + ports + 1, kFree);
  owner_.resize(first + ports + 1, static_cast<std::uint32_t>(nodes_.size() - 1));
  rate_.resize(first + ports + 1);
  return static_cast<Handle>(nodes_.size() - 1);
}

void FabricBuilder::set_description(Handle node, std::string_view description) {
  descriptions_.emplace_back(static_cast<std::uint32_t>(node), printable(description));
}

void FabricBuilder::set_hardware(Handle node, const Hardware& hardware) {
  nodes_[static_cast<std::uint32_t>(node)].hardware = hardware;
}

void FabricBuilder::set_address(Handle node, Port port, const Address& address) {
  addresses_.push_back({slot(node, port), address});
}

Port FabricBuilder::port(Handle node, std::uint64_t number) const {
  const auto n = static_cast<std::uint32_t>(node);
  if (number > nodes_[n].ports) {
    throw InputError(fmt::format("node \"{}\" has no port {}: its ports are 1 to {}", ids_[n],
                                 number, nodes_[n].ports));
  }
  return static_cast<Port>(number);
}

std::uint32_t FabricBuilder::slot(Handle node, Port at) const {
  return nodes_[static_cast<std::uint32_t>(node)].first + index(port(node, index(at)));
}

void FabricBuilder::check_free(Handle node, Port port, std::uint32_t slot) const {
  if (port != kOwnPort && peer_[slot] == kFree) return;
  throw InputError(fmt::format(
      "port {} of \"{}\" {}", index(port), ids_[static_cast<std::uint32_t>(node)],
      port == kOwnPort ? "is a switch's own port and takes no cable" : "has a cable already"));
}

void FabricBuilder::connect(Handle a, Port port_a, Handle b, Port port_b, Rate rate) {
  const std::uint32_t slot_a = slot(a, port_a);
  const std::uint32_t slot_b = slot(b, port_b);
  check_free(a, port_a, slot_a);
  check_free(b, port_b, slot_b);
  if (slot_a == slot_b) {
    throw InputError(fmt::format("port {} of \"{}\" is connected to itself", index(port_a),
                                 ids_[static_cast<std::uint32_t>(a)]));
  }
  peer_[slot_a] = slot_b;
  peer_[slot_b] = slot_a;
  rate_[slot_a] = rate_[slot_b] = rate;
}

void FabricBuilder::set_rate(Handle node, Port port, Rate rate) {
  const std::uint32_t here = slot(node, port);
  rate_[here] = rate_[peer_[here]] = rate;
}

std::optional<std::pair<FabricBuilder::Handle, Port>> FabricBuilder::peer(Handle node,
                                                                          Port port) const {
  const std::uint32_t other = peer_[slot(node, port)];
  if (other == kFree) return std::nullopt;
  return std::pair{static_cast<Handle>(owner_[other]),
                   static_cast<Port>(other - nodes_[owner_[other]].first)};
}

std::vector<std::uint64_t> FabricBuilder::all_guids() const {
  std::vector<std::uint64_t> guids;
  std::uint64_t next_adapter = kAdapterGuids;
  std::uint64_t next_switch = kSwitchGuids;
  for (const BuildNode& node : nodes_) {
    const bool is_switch = node.kind == NodeKind::kSwitch;
    guids.push_back(node.guid != 0 ? node.guid : is_switch ? next_switch : next_adapter);
    next_switch += is_switch ? 1 : 0;
    next_adapter += is_switch ? 0 : 256;
  }
  return guids;
}

std::vector<std::uint32_t> FabricBuilder::numbering(const std::vector<std::uint64_t>& guid) const {
  std::vector<std::uint32_t> order(nodes_.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto switches = std::ranges::stable_partition(
      order, [&](std::uint32_t n) { return nodes_[n].kind != NodeKind::kSwitch; });
  std::ranges::stable_sort(switches, {}, [&](std::uint32_t n) { return guid[n]; });

  // Adapters by where their first cable into a switch leads: (switch, port).
  constexpr std::uint64_t kNowhere = ~std::uint64_t{0};
  std::vector<std::uint64_t> place(nodes_.size(), kNowhere);
  std::vector<std::uint32_t> number(nodes_.size());
  for (std::uint32_t i = 0; i < switches.size(); ++i) number[switches[i]] = i;
  const auto adapters = std::ranges::subrange(order.begin(), switches.begin());
  for (const std::uint32_t n : adapters) {
    for (std::uint32_t port = 1; port <= nodes_[n].ports && place[n] == kNowhere; ++port) {
      const std::uint32_t there = peer_[nodes_[n].first + port];
      if (there == kFree || nodes_[owner_[there]].kind != NodeKind::kSwitch) continue;
      const std::uint32_t to = owner_[there];
      place[n] = std::uint64_t{number[to]} << 32U | (there - nodes_[to].first);
    }
  }
  std::ranges::stable_sort(adapters, {},
                           [&](std::uint32_t n) { return std::pair{place[n], guid[n]}; });
  return order;
}

void FabricBuilder::add_terminals(Fabric& fabric) {
  for (std::uint32_t n = 0; n < fabric.num_adapters_; ++n) {
    const auto node = static_cast<Node>(n);
    for (const Channel c : fabric.channels(node)) {
      if (!fabric.connected(c)) continue;
      const Node other = fabric.neighbour(c);
      fabric.terminal_channel_.push_back(c);
      fabric.leaf_.push_back(fabric.is_switch(other) ? fabric.as_switch(other) : kNone<Switch>);
      fabric.terminal_address_.push_back({.guid = fabric.guid_[node] + index(fabric.port(c))});
    }
  }
}

void FabricBuilder::set_address(Fabric& fabric, Channel c, Address address) {
  const Node node = fabric.owner(c);
  if (fabric.is_switch(node)) {
    if (address.guid == 0) address.guid = fabric.guid_[node];
    fabric.switch_address_[fabric.as_switch(node)] = address;
  } else if (const Terminal t = fabric.terminal_at(c); t != kNone<Terminal>) {
    if (address.guid == 0) address.guid = fabric.terminal_address_[t].guid;
    fabric.terminal_address_[t] = address;
  }
}

Fabric FabricBuilder::build() const {
  Fabric fabric;
  const std::vector<std::uint64_t> guids = all_guids();
  const std::vector<std::uint32_t> order = numbering(guids);
  fabric.num_adapters_ = static_cast<std::size_t>(std::ranges::count_if(
      nodes_, [](const BuildNode& node) { return node.kind != NodeKind::kSwitch; }));

  // The new place of each slot.
  std::vector<std::uint32_t> new_first(nodes_.size());
  fabric.first_.reserve(nodes_.size() + 1);
  std::uint32_t next = 0;
  for (const std::uint32_t old : order) {
    fabric.first_.push_back(next);
    new_first[old] = next;
    next += nodes_[old].ports + 1;
  }
  fabric.first_.push_back(next);
  const auto moved = [&](std::uint32_t slot) {
    return new_first[owner_[slot]] + (slot - nodes_[owner_[slot]].first);
  };
  fabric.peer_.resize(next, kNone<Channel>);
  fabric.owner_.resize(next);
  fabric.rate_.resize(next);
  for (std::uint32_t n = 0; n < order.size(); ++n) {
    const BuildNode& old = nodes_[order[n]];
    for (std::uint32_t port = 0; port <= old.ports; ++port) {
      const auto c = static_cast<Channel>(fabric.first_[n] + port);
      const std::uint32_t slot = old.first + port;
      fabric.owner_[c] = static_cast<Node>(n);
      fabric.rate_[c] = rate_[slot];
      if (peer_[slot] == kFree) continue;
      fabric.peer_[c] = static_cast<Channel>(moved(peer_[slot]));
      if (slot < peer_[slot]) ++fabric.num_cables_;
    }
  }

  // Side tables of nodes.
  std::vector<std::string_view> description(nodes_.size());
  for (const auto& [node, text] : descriptions_) description[node] = text;
  for (std::uint32_t n = 0; n < order.size(); ++n) {
    const BuildNode& old = nodes_[order[n]];
    const bool adapter = n < fabric.num_adapters_;
    const std::uint64_t guid = guids[order[n]];
    fabric.kind_.push_back(old.kind);
    fabric.guid_.push_back(guid);
    fabric.hardware_.push_back(old.hardware);
    fabric.ids_.push_back(ids_[order[n]]);
    fabric.descriptions_.push_back(description[order[n]]);
    if (!adapter) fabric.switch_address_.push_back({.guid = guid});
  }

  add_terminals(fabric);
  for (const AddressOf& given : addresses_) {
    set_address(fabric, static_cast<Channel>(moved(given.slot)), given.address);
  }
  fabric.tree_ = tree_;
  fabric.shares_name_ = shared_names(fabric);
  return fabric;
}

FabricBuilder::Handle copy_node(FabricBuilder& builder, const Fabric& fabric, Node node,
                                std::uint64_t guid, std::uint32_t ports) {
  const FabricBuilder::Handle handle = builder.add(fabric.kind(node), fabric.id(node), ports, guid);
  if (!fabric.description(node).empty()) builder.set_description(handle, fabric.description(node));
  builder.set_hardware(handle, fabric.hardware(node));
  if (fabric.is_switch(node)) {
    builder.set_address(handle, kOwnPort, fabric.address(fabric.as_switch(node)));
  }
  return handle;
}

}  // namespace fatwood
