// SPDX-License-Identifier: BSD-3-Clause
#include "io/routes/narrow_groups.hpp"

#include <fmt/format.h>

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

}  // namespace

Port lowest_port(const PortMask& mask) {
  Port first = kNoRoute;
  each_port(mask, [&](Port port) {
    if (first == kNoRoute) first = port;
  });
  return first;
}

NarrowGroups find_narrow_groups(const Fabric& fabric, const std::vector<RouteClass>& classes) {
  NarrowGroups found;
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
      if (found.groups++ == 0) {
        found.first =
            fmt::format("{} sends {} by {} of {} ports, and not by {}", unique_name(fabric, s),
                        to_string(one.prefix), count_ports(all) - count_ports(more),
                        count_ports(all), index(lowest_port(more)));
      }
      any = true;
    }
    if (any) ++found.classes;
  }
  return found;
}

}  // namespace fatwood
