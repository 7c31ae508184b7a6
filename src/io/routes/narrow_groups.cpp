// SPDX-License-Identifier: BSD-3-Clause
#include "io/routes/narrow_groups.hpp"

#include <deque>

namespace fatwood {

namespace {

// By switch: the ports of all cables that shorten the way to the owner.
std::vector<PortMask> nearer_to(const Fabric& fabric, Switch owner) {
  constexpr std::uint32_t kFar = 0xffffffffU;
  std::vector<std::uint32_t> hops(fabric.num_switches(), kFar);
  std::vector<PortMask> ports(fabric.num_switches());
  std::deque<Switch> open{owner};
  hops[index(owner)] = 0;
  while (!open.empty()) {
    const Switch at = open.front();
    open.pop_front();
    for (const SwitchLink& link : fabric.links(at)) {
      if (hops[index(link.to)] == kFar) {
        hops[index(link.to)] = hops[index(at)] + 1;
        open.push_back(link.to);
      }
      if (hops[index(link.to)] > hops[index(at)]) {
        put(ports[index(link.to)], fabric.port(fabric.peer(link.channel)));
      }
    }
  }
  return ports;
}

constexpr std::size_t kMostListed = 1000;

std::vector<Port> ports_in(const PortMask& mask) {
  std::vector<Port> ports;
  each_port(mask, [&](Port port) { ports.push_back(port); });
  return ports;
}

}  // namespace

Port lowest_port(const PortMask& mask) {
  Port first = kNoRoute;
  each_port(mask, [&](Port port) {
    if (first == kNoRoute) first = port;
  });
  return first;
}

void find_narrow_groups(const Fabric& fabric, const std::vector<RouteClass>& classes,
                        Prefixes& found) {
  Table<Switch, std::vector<PortMask>> known(fabric.num_switches());
  for (const RouteClass& one : classes) {
    if (one.owners.size() != 1) continue;
    std::vector<PortMask>& ports = known[one.owners.front()];
    if (ports.empty()) ports = nearer_to(fabric, one.owners.front());
    bool any = false;
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      const RouteEntry& entry = one.entries[index(s)];
      if (entry.what != RouteEntry::What::kPorts) continue;
      const PortMask& all = ports[index(s)];
      const PortMask more = without(all, entry.ports);
      if (!overlap(all, entry.ports) || count_ports(more) == 0) continue;
      any = true;
      if (++found.narrow_groups > kMostListed) continue;
      found.narrow.push_back(
          {s, to_string(one.prefix), ports_in(without(all, more)), ports_in(more)});
    }
    if (any) ++found.narrow_classes;
  }
}

}  // namespace fatwood
