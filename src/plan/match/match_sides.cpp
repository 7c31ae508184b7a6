// SPDX-License-Identifier: BSD-3-Clause
// The two sides of node_match.hpp: a plan, and a fabric as discovery finds it.

#include <string>

#include "plan/match/node_match.hpp"
#include "plan/model/device_words.hpp"
#include "topology/hosts/device_name.hpp"

namespace fatwood {

namespace {

// Without the domain: "leaf1.example.com" is "leaf1".
std::string plain_name(std::string_view name) {
  std::string text = lower_case(name);
  const std::size_t dot = text.find('.');
  if (dot != std::string::npos && dot > 0 && dot + 1 < text.size() && is_letter(text[dot + 1])) {
    text.erase(dot);
  }
  return text;
}

std::string device_key(const Device& device) {
  std::string key = device.style;
  for (const std::uint32_t number : device.numbers) key += '.' + std::to_string(number);
  return key;
}

MatchSide empty_side(const Fabric& fabric) {
  return {fabric,
          Table<Node, std::uint64_t>(fabric.num_nodes()),
          Table<Node, std::string>(fabric.num_nodes()),
          Table<Node, std::string>(fabric.num_nodes()),
          Table<Node, std::string>(fabric.num_nodes()),
          Table<Channel, Channel>(fabric.num_channels(), kNone<Channel>)};
}

}  // namespace

bool other_adapter(const MatchSide& planned, Node p, const MatchSide& found, Node u, bool counted) {
  const std::string& mine = planned.device[p];
  const std::string& its = found.device[u];
  if (mine.empty() || its.empty() || mine == its || planned.host[p] != found.host[u]) return false;
  const std::string_view kind = std::string_view(mine).substr(0, mine.find('.'));
  return kind == std::string_view(its).substr(0, its.find('.')) && (counted || kind != "#");
}

MatchSide planned_side(const Plan& plan, const PlannedFabric& planned) {
  MatchSide side = empty_side(planned.fabric);
  for (std::size_t d = 0; d < plan.devices.size(); ++d) {
    const PlanDevice& device = plan.devices[d];
    const std::string name = plain_name(device.name);
    for (std::size_t c = 0; c < device.chips.size(); ++c) {
      const Node node = planned.nodes[d][c];
      const std::string& chip = device.chips[c].name;
      side.guid[node] = device.chips[c].guid;
      if (device.is_host()) {
        const std::string described = "x " + chip;
        const Device known = described_adapter(described).device;
        side.host[node] = name;
        if (known.known()) side.device[node] = device_key(known);
        side.name[node] = name + '|' + (known.known() ? device_key(known) : lower_case(chip));
      } else {
        side.name[node] = chip.empty() ? name : name + '/' + lower_case(chip);
      }
    }
  }
  for (const auto& [a, b] : planned.cables) {
    side.peer[a] = b;
    side.peer[b] = a;
  }
  return side;
}

MatchSide found_side(const Model& model) {
  const Fabric& fabric = model.fabric();
  MatchSide side = empty_side(fabric);
  Table<Node, std::string> box(fabric.num_nodes());  // of switches of several chips
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    side.guid[node] = is_made_up(fabric.guid(node)) ? 0 : fabric.guid(node);
    const std::string_view text =
        fabric.description(node).empty() ? fabric.id(node) : fabric.description(node);
    if (fabric.is_switch(node)) {
      const SystemName system = system_name(text);
      side.name[node] = plain_name(system.name);
      if (!system.chip.empty()) {
        box[node] = side.name[node];
        side.name[node] += '/' + lower_case(system.chip);
      }
      continue;
    }
    const DescribedAdapter described = described_adapter(text);
    if (described.host.empty() || described.stock) continue;
    side.host[node] = plain_name(described.host);
    if (described.device.known()) side.device[node] = device_key(described.device);
    side.name[node] = side.host[node] + '|' + device_key(described.device);
  }
  const Table<Terminal, std::uint8_t>& aggregation = model.aggregation();
  const auto is_part = [&](Channel c) {
    const Terminal t = fabric.terminal_at(c);
    return t != kNone<Terminal> && aggregation[t] != 0;
  };
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c) || is_part(c) || is_part(fabric.peer(c))) continue;
    const std::string& here = box[fabric.owner(c)];
    if (!here.empty() && here == box[fabric.neighbour(c)]) continue;
    side.peer[c] = fabric.peer(c);
  }
  return side;
}

}  // namespace fatwood
