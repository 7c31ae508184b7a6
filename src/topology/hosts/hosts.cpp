// SPDX-License-Identifier: BSD-3-Clause
#include "topology/hosts/hosts.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "topology/hosts/aggregation.hpp"

namespace fatwood {
namespace {

constexpr std::size_t kMostAdapters = 32;  // of one host, by name

Table<Node, std::uint8_t> parts_of_switches(const Fabric& fabric) {
  Table<Node, std::uint8_t> part(fabric.num_nodes(), 0);
  const Table<Terminal, std::uint8_t> internal = aggregation_terminals(fabric);
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (internal[t] != 0) part[fabric.adapter_node(t)] = 1;
  }
  return part;
}

bool names_one_host(const Fabric& fabric, const std::vector<Node>& adapters) {
  if (adapters.size() > kMostAdapters) return false;
  std::set<Device> devices;
  for (const Node node : adapters) {
    const Device device = described_adapter(fabric.description(node)).device;
    if (device.known() && !devices.insert(device).second) return false;
  }
  return true;
}

// Loose adapters, those of one box together.
void add_loose(const Fabric& fabric, const std::vector<Node>& loose,
               std::vector<HostParts>& parts) {
  std::map<std::uint64_t, std::size_t> box;
  for (const Node node : loose) {
    const std::uint64_t guid = fabric.hardware(node).system_guid;
    const auto at = guid == 0 ? box.end() : box.find(guid);
    if (at != box.end()) {
      parts[at->second].adapters.push_back(node);
      continue;
    }
    if (guid != 0) box.emplace(guid, parts.size());
    const std::string_view host = described_adapter(fabric.description(node)).host;
    parts.push_back(
        {std::string(host.empty() ? fabric.id(node) : host), NamedBy::kNothing, {node}});
  }
}

}  // namespace

Hosts::Hosts(const Fabric& fabric, std::vector<HostParts> parts)
    : of_(fabric.num_nodes(), kNone<Host>) {
  for (HostParts& part : parts) std::ranges::sort(part.adapters);
  const auto first = [](const HostParts& part) { return part.adapters.front(); };
  if (!std::ranges::is_sorted(parts, {}, first)) std::ranges::sort(parts, {}, first);
  hosts_.reserve(parts.size());
  by_name_.reserve(parts.size());
  for (HostParts& part : parts) {
    const auto m = static_cast<Host>(hosts_.size());
    for (const Node node : part.adapters) of_[node] = m;
    if (part.adapters.size() > 1) {
      std::ranges::stable_sort(part.adapters, {}, [&](Node node) {
        return described_adapter(fabric.description(node)).device;
      });
    }
    hosts_.push_back(std::move(part));
    by_name_.push_back(m);
  }
  std::ranges::stable_sort(by_name_, {}, [&](Host m) { return name(m); });
}

std::span<const Host> Hosts::called(std::string_view text) const {
  return std::ranges::equal_range(by_name_, text, {}, [&](Host m) { return name(m); });
}

std::vector<std::string> Hosts::shared_names() const {
  std::vector<std::string> shared;
  for (std::size_t i = 1; i < by_name_.size(); ++i) {
    const std::string_view text = name(by_name_[i]);
    if (text != name(by_name_[i - 1]) || (!shared.empty() && shared.back() == text)) continue;
    shared.emplace_back(text);
  }
  return shared;
}

std::string unique_name(const Fabric& fabric, const Hosts& hosts, Host m) {
  std::string name(hosts.name(m));
  const Node first = hosts.adapters(m).front();
  const bool shared = hosts.called(name).size() > 1;
  if (shared && name != fabric.id(first)) name.append(" (").append(fabric.id(first)).append(")");
  return name;
}

Hosts named_hosts(const Fabric& fabric) {
  const Table<Node, std::uint8_t> part_of_switch = parts_of_switches(fabric);
  std::map<std::string_view, std::vector<Node>> by_host;
  std::vector<Node> loose;
  for (const Node node : ids<Node>(fabric.num_adapters())) {
    if (part_of_switch[node] != 0) continue;
    const DescribedAdapter described = described_adapter(fabric.description(node));
    if (described.host.empty() || described.stock) {
      loose.push_back(node);
    } else {
      by_host[described.host].push_back(node);
    }
  }
  std::vector<HostParts> parts;
  for (const auto& [host, adapters] : by_host) {
    if (names_one_host(fabric, adapters)) {
      parts.push_back({std::string(host), NamedBy::kDescription, adapters});
    } else {
      loose.insert(loose.end(), adapters.begin(), adapters.end());
    }
  }
  std::sort(loose.begin(), loose.end());
  add_loose(fabric, loose, parts);
  return Hosts(fabric, std::move(parts));
}

std::vector<Terminal> terminals_of(const Fabric& fabric, const Hosts& hosts, Host m) {
  std::vector<Terminal> found;
  for (const Node node : hosts.adapters(m)) {
    for (const Channel c : fabric.channels(node)) {
      const Terminal t = fabric.terminal_at(c);
      if (t != kNone<Terminal>) found.push_back(t);
    }
  }
  return found;
}

}  // namespace fatwood
