// SPDX-License-Identifier: BSD-3-Clause
// Oddities of addresses, which a subnet manager would put right and a file can't: end-ports without
// a LID where others have one, end-ports that share a LID or a port GUID.

#include <fmt/format.h>

#include <algorithm>

#include "topology/recognition.hpp"

namespace fatwood {
namespace {

struct EndPort {
  Channel port;  // slot 0 of a switch
  Address address;
};

std::vector<EndPort> end_ports(const Fabric& fabric) {
  std::vector<EndPort> ends;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    ends.push_back({fabric.terminal_channel(t), fabric.address(t)});
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    ends.push_back({fabric.channel(fabric.node(s), 0), fabric.address(s)});
  }
  return ends;
}

using Holder = std::pair<std::uint64_t, Channel>;  // a value, and an end-port that has it

std::vector<Holder> holders_of_lids(const std::vector<EndPort>& ends) {
  std::vector<Holder> all;
  for (const auto& [port, address] : ends) {
    for (std::uint64_t i = 0; address.lid != 0 && i < std::uint64_t{1} << address.lmc; ++i) {
      all.emplace_back(address.lid + i, port);
    }
  }
  return all;
}

std::vector<Holder> holders_of_guids(const std::vector<EndPort>& ends) {
  std::vector<Holder> all;
  for (const auto& [port, address] : ends) all.emplace_back(address.guid, port);
  return all;
}

struct Shared {
  std::uint64_t value = 0;  // the lowest that these share
  std::vector<Channel> ports;
};

std::vector<Shared> shared(std::vector<Holder> holders) {
  std::ranges::sort(holders);
  std::vector<Shared> found;
  std::vector<Channel> before;
  for (auto at = holders.begin(); at != holders.end();) {
    Shared here{at->first, {}};
    for (; at != holders.end() && at->first == here.value; ++at) here.ports.push_back(at->second);
    const bool again = here.ports == before;  // a range of LIDs
    before = here.ports;
    if (here.ports.size() > 1 && !again) found.push_back(std::move(here));
  }
  return found;
}

}  // namespace

std::vector<Oddity> address_oddities(const Fabric& fabric, const Labels& labels) {
  const std::vector<EndPort> ends = end_ports(fabric);
  std::vector<Oddity> found;
  const auto names = [&](const std::vector<Channel>& ports) {
    std::vector<std::string> list;
    for (const Channel c : ports) list.push_back(labels.port(c));
    return listed(list);
  };
  std::vector<Channel> without;
  for (const EndPort& end : ends) {
    if (end.address.lid == 0) without.push_back(end.port);
  }
  if (!without.empty() && without.size() < ends.size()) {
    found.push_back({"no-lid", "without a LID, unlike the others: " + names(without), without, {}});
  }
  for (const Shared& same : shared(holders_of_lids(ends))) {
    found.push_back({"same-lid",
                     fmt::format("{} have the same LID {}", names(same.ports), same.value),
                     same.ports,
                     {}});
  }
  for (const Shared& same : shared(holders_of_guids(ends))) {
    found.push_back({"same-guid",
                     fmt::format("{} have the same GUID 0x{:016x}", names(same.ports), same.value),
                     same.ports,
                     {}});
  }
  return found;
}

}  // namespace fatwood
