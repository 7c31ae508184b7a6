// SPDX-License-Identifier: BSD-3-Clause
#include "topology/found_fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/random.hpp"
#include "topology/builder.hpp"
#include "topology/hosts/aggregation.hpp"

namespace fatwood {
namespace {

using Handle = FabricBuilder::Handle;

constexpr std::uint64_t kInsideGuid = 8;
constexpr std::uint64_t kLidStream = 0x11d5;

// By node, then socket: 1 where a cable is.
std::vector<std::vector<std::uint8_t>> used_sockets(const FoundFabric& plan) {
  std::vector<std::vector<std::uint8_t>> used;
  for (const FoundNode& node : plan.nodes) used.emplace_back(node.sockets + 1, 0);
  for (const FoundCable& cable : plan.cables) {
    used[cable.a][index(cable.port_a)] = 1;
    used[cable.b][index(cable.port_b)] = 1;
  }
  return used;
}

[[noreturn]] void no_socket_left(const FoundFabric& plan, std::uint32_t node) {
  throw InputError(
      fmt::format("all {} sockets of \"{}\" are in use; ask for fewer cables or more "
                  "ports",
                  plan.nodes[node].sockets, plan.nodes[node].description));
}

// Each LID once, in no order.
class Lids {
 public:
  Lids(std::size_t count, std::uint64_t seed) {
    const std::size_t range = count + count / 5;
    if (range >= 0xc000) throw InputError("more end-ports than unicast LIDs");
    order_ = Random(seed, kLidStream).permutation(static_cast<std::uint32_t>(range));
  }
  Lid next() { return static_cast<Lid>(order_[taken_++] + 1); }

 private:
  std::vector<std::uint32_t> order_;
  std::size_t taken_ = 0;
};

class Maker {
 public:
  Maker(const FoundFabric& plan, std::uint64_t seed)
      : plan_(plan),
        used_(used_sockets(plan)),
        handle_(plan.nodes.size()),
        lids_(count_end_ports(), seed) {}

  Fabric make() {
    add_hosts();
    if (plan_.internal == InternalPort::kAggregation) add_inside();
    add_switches();
    for (const FoundCable& cable : plan_.cables) {
      builder_.connect(handle_[cable.a], cable.port_a, handle_[cable.b], cable.port_b, cable.rate);
    }
    return builder_.build();
  }

 private:
  bool is_switch(std::uint32_t n) const { return plan_.nodes[n].kind == NodeKind::kSwitch; }

  bool found(std::uint32_t n) const { return std::ranges::count(used_[n], 1) > 0; }

  std::size_t count_end_ports() const {
    const std::size_t a_switch = plan_.internal == InternalPort::kAggregation ? 2 : 1;
    std::size_t count = 0;
    for (std::uint32_t n = 0; n < plan_.nodes.size(); ++n) {
      const auto cables = static_cast<std::size_t>(std::ranges::count(used_[n], 1));
      count += is_switch(n) ? (cables > 0 ? a_switch : 0) : cables;
    }
    return count;
  }

  // Adapters of one port have one GUID for card and port, as newer cards do.
  void add_hosts() {
    std::uint64_t guid = kAdapterGuids;
    for (std::uint32_t n = 0; n < plan_.nodes.size(); ++n) {
      if (is_switch(n) || !found(n)) continue;
      const FoundNode& node = plan_.nodes[n];
      handle_[n] = builder_.add_adapter(fmt::format("H-{:016x}", guid), node.sockets, guid);
      builder_.set_description(handle_[n], node.description);
      builder_.set_hardware(handle_[n], {guid, node.vendor, node.device});
      for (std::uint32_t port = 1; port <= node.sockets; ++port) {
        if (used_[n][port] == 0) continue;
        const std::uint64_t port_guid = node.sockets == 1 ? guid : guid + port;
        builder_.set_address(handle_[n], static_cast<Port>(port),
                             {.guid = port_guid, .lid = lids_.next()});
      }
      guid += 256;
    }
  }

  void add_inside() {
    std::uint64_t guid = kSwitchGuids;
    for (std::uint32_t n = 0; n < plan_.nodes.size(); ++n) {
      if (!is_switch(n) || !found(n)) continue;
      const std::uint64_t own = guid + kInsideGuid;
      const Handle inside = builder_.add_adapter(fmt::format("H-{:016x}", own), 1, own);
      builder_.set_description(inside, "Mellanox Technologies Aggregation Node");
      builder_.set_hardware(inside, {guid, plan_.nodes[n].vendor, kAggregationDevice});
      builder_.set_address(inside, Port{1}, {.guid = own, .lid = lids_.next()});
      inside_.push_back(inside);
      guid += 64;
    }
  }

  void add_switches() {
    std::uint64_t guid = kSwitchGuids;
    std::size_t number = 0;
    for (std::uint32_t n = 0; n < plan_.nodes.size(); ++n) {
      if (!is_switch(n) || !found(n)) continue;
      const FoundNode& node = plan_.nodes[n];
      const std::uint32_t ports = node.sockets + (inside_.empty() ? 0 : 1);
      handle_[n] = builder_.add_switch(fmt::format("S-{:016x}", guid), ports, guid);
      builder_.set_description(handle_[n], node.description);
      builder_.set_hardware(handle_[n], {guid, node.vendor, node.device});
      builder_.set_address(
          handle_[n], kOwnPort,
          {.guid = guid, .lid = lids_.next(), .enhanced = node.port_zero == SwitchPort::kEnhanced});
      if (!inside_.empty()) {
        builder_.connect(handle_[n], static_cast<Port>(ports), inside_[number++], Port{1},
                         plan_.inside);
      }
      guid += 64;
    }
  }

  const FoundFabric& plan_;
  std::vector<std::vector<std::uint8_t>> used_;
  std::vector<Handle> handle_;
  std::vector<Handle> inside_;
  FabricBuilder builder_;
  Lids lids_;
};

}  // namespace

std::uint32_t FoundFabric::add(FoundNode node) {
  nodes.push_back(std::move(node));
  return static_cast<std::uint32_t>(nodes.size() - 1);
}

Port FoundFabric::lowest_free(std::uint32_t node) const {
  const std::vector<std::uint8_t> used = used_sockets(*this)[node];
  const auto at = std::find(used.begin() + 1, used.end(), 0);
  if (at == used.end()) no_socket_left(*this, node);
  return static_cast<Port>(at - used.begin());
}

Port FoundFabric::highest_free(std::uint32_t node) const {
  const std::vector<std::uint8_t> used = used_sockets(*this)[node];
  const auto at = std::find(used.rbegin(), used.rend() - 1, 0);
  if (at == used.rend() - 1) no_socket_left(*this, node);
  return static_cast<Port>(used.rend() - at - 1);
}

Fabric as_discovered(const FoundFabric& plan, std::uint64_t seed) {
  return Maker(plan, seed).make();
}

}  // namespace fatwood
