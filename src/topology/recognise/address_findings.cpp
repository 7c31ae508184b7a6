// SPDX-License-Identifier: BSD-3-Clause
// Findings about addresses: end ports without a LID if others have one, and end ports that share a
// LID or a port GUID. A subnet manager would correct these; a file can have them. Components of the
// fabric are subnets of their own (planes), with LIDs of their own.

#include <algorithm>

#include "topology/graph/port_graph.hpp"
#include "topology/recognise/recognition.hpp"

namespace fatwood {
namespace {

struct EndPort {
  Channel port;  // slot 0 of a switch
  Address address;
  std::uint32_t subnet;  // its component
};

std::vector<EndPort> end_ports(const Fabric& fabric) {
  const Components components = connected_components(port_graph(fabric));
  std::vector<EndPort> ends;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const Switch leaf = fabric.leaf(t);
    ends.push_back({fabric.terminal_channel(t), fabric.address(t),
                    leaf == kNone<Switch> ? components.count : components.component[leaf]});
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    ends.push_back(
        {fabric.channel(fabric.node(s), kOwnPort), fabric.address(s), components.component[s]});
  }
  return ends;
}

using Holder = std::pair<std::uint64_t, Channel>;  // a value, and an end-port that has it

struct Shared {
  std::uint64_t value = 0;  // the lowest that these share
  std::vector<Channel> ports;
};

std::vector<Shared> shared(std::vector<Holder> holders) {
  if (!std::ranges::is_sorted(holders)) std::ranges::sort(holders);
  std::vector<Shared> found;
  std::vector<Channel> before;  // of the value before this one, when several share it
  for (auto at = holders.begin(); at != holders.end();) {
    const std::uint64_t value = at->first;
    std::vector<Channel> ports;
    for (; at != holders.end() && at->first == value; ++at) ports.push_back(at->second);
    if (ports.size() == 1) ports.clear();
    const bool again = ports == before;  // a range of LIDs
    before = ports;
    if (!ports.empty() && !again) found.push_back({value, std::move(ports)});
  }
  return found;
}

}  // namespace

std::vector<Finding> address_findings(const Fabric& fabric) {
  const std::vector<EndPort> ends = end_ports(fabric);
  std::vector<Finding> found;
  std::vector<Channel> without;
  std::vector<Holder> lids, guids;
  const auto key = [](std::uint32_t subnet, Lid lid) {
    return std::uint64_t{subnet} << 32U | index(lid);
  };
  for (const auto& [port, address, subnet] : ends) {
    guids.emplace_back(address.guid, port);
    if (address.lid == kNoLid) {
      without.push_back(port);
      continue;
    }
    for (std::uint32_t i = 0; i < 1U << address.lmc; ++i) {
      lids.emplace_back(key(subnet, address.lid + i), port);
    }
  }
  if (!without.empty() && without.size() < ends.size())
    found.push_back({FindingKind::kWithoutLid, without});
  for (const Shared& same : shared(std::move(lids))) {
    found.push_back({FindingKind::kSameLid, same.ports, {}, SharedValue{same.value & 0xffffffffU}});
  }
  for (const Shared& same : shared(std::move(guids))) {
    found.push_back({FindingKind::kSameGuid, same.ports, {}, SharedValue{same.value}});
  }
  return found;
}

}  // namespace fatwood
