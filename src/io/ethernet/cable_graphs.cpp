// SPDX-License-Identifier: BSD-3-Clause
#include "io/ethernet/cable_graphs.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "plan/model/device_words.hpp"

namespace fatwood {

namespace {

constexpr unsigned kLevelsAroundGraph = 3;  // levels that NetQ puts around its graph

bool says_any(std::string_view text, std::initializer_list<std::string_view> words) {
  const std::string lower = lower_case(text);
  return std::ranges::any_of(
      words, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

}  // namespace

std::optional<NodeKind> kind_of_function(std::string_view function, std::string_view system) {
  if (says_any(function, {"leaf", "spine", "tor", "exit", "switch", "core", "border"})) {
    return NodeKind::kSwitch;
  }
  if (says_any(function, {"host", "server", "gpu", "client"})) return NodeKind::kAdapter;
  if (says_any(system, {"cumulus", "sonic"})) return NodeKind::kSwitch;
  if (says_any(system, {"ubuntu", "debian", "centos", "rocky", "generic"})) {
    return NodeKind::kAdapter;
  }
  return std::nullopt;
}

bool read_netq(const Tree& value, DeviceReports& reports) {
  std::map<std::string, std::string, std::less<>> name_of;
  bool any = false;
  for (const Tree* graph : value.list()) {
    for (const Tree* group : (*graph)["nodes"].list()) {
      for (const Tree* node : (*group)["compounded_nodes"].list()) {
        any = true;
        std::string_view name = node->text("name");
        if (name.empty()) name = node->text("id");
        name_of.emplace(node->text("id"), name);
        const auto tier = parse_number<int>(node->text("tier"));
        const bool is_switch = node->text("device_type") == "switch" || (tier && *tier > 0);
        const bool is_host = node->text("device_type") == "host" || (tier && *tier < 0);
        DeviceReport& device = reports.listed(name, node->line);
        if (is_switch || is_host) device.kind = is_host ? NodeKind::kAdapter : NodeKind::kSwitch;
      }
    }
    for (const Tree* bundle : (*graph)["links"].list()) {
      for (const Tree* link : (*bundle)["compounded_links"].list()) {
        const Tree& ends = (*link)["interfaces"];
        if (ends.items.size() != 2) continue;
        any = true;
        const auto name = [&](const Tree& end) {
          const auto at = name_of.find(end.text("node"));
          return at == name_of.end() ? end.text("node") : std::string_view(at->second);
        };
        reports.add_cable(name(ends.items[0]), ends.items[0].text("interface"), name(ends.items[1]),
                          ends.items[1].text("interface"), link->line);
      }
    }
  }
  return any;
}

bool read_air_json(const Tree& value, DeviceReports& reports) {
  const Tree& links = value.find("links", kLevelsAroundGraph);
  const Tree& nodes = value.find("nodes", kLevelsAroundGraph);
  if (!links.is_list() || !nodes.is_map()) return false;
  reports.meant = true;
  for (std::size_t i = 0; i < nodes.keys.size(); ++i) {
    const Tree& node = nodes.items[i];
    reports.listed(nodes.keys[i], node.line).kind =
        kind_of_function(node.text("function"), node.text("os"));
  }
  for (const Tree& link : links.items) {
    const std::vector<const Tree*> ends = link.list();
    if (ends.size() != 2 || !ends[0]->is_map() || !ends[1]->is_map()) continue;  // "exit"
    reports.add_cable(ends[0]->text("node"), ends[0]->text("interface"), ends[1]->text("node"),
                      ends[1]->text("interface"), link.line);
  }
  return true;
}

bool read_layer1_json(const Tree& value, DeviceReports& reports) {
  const Tree& edges = value["edges"];
  if (!edges.is_list()) return false;
  reports.meant = true;
  for (const Tree& edge : edges.items) {
    const Tree& a = edge["node1"];
    const Tree& b = edge["node2"];
    if (!a.has("hostname") || !b.has("hostname")) continue;
    reports.add_cable(a.text("hostname"), a.text("interfaceName"), b.text("hostname"),
                      b.text("interfaceName"), edge.line);
  }
  return !reports.devices.empty();
}

bool looks_like_containerlab(std::string_view head) {
  return head.find("topology:") != std::string_view::npos &&
         (head.find("endpoints:") != std::string_view::npos ||
          head.find("links:") != std::string_view::npos);
}

namespace {

// A container that forwards: by the kind of its image, or, if that is any Linux, by its name.
std::optional<NodeKind> kind_of_container(const Tree& node, std::string_view name) {
  const std::string_view kind = node.text("kind");
  if (kind.empty()) return std::nullopt;
  if (kind != "linux") return NodeKind::kSwitch;
  if (says_any(node.text("image"), {"frr", "sonic", "cumulus", "vyos", "bird"})) {
    return NodeKind::kSwitch;
  }
  return kind_of_name(name) ? std::optional<NodeKind>{} : NodeKind::kAdapter;
}

struct ContainerEnd {
  std::string_view node, port;
};
ContainerEnd container_end(const Tree& end) {
  if (end.is_map()) return {end.text("node"), end.text("interface")};
  const std::string_view text = end.text();
  const std::size_t colon = text.find(':');
  return {text.substr(0, colon),
          colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1)};
}

}  // namespace

void read_containerlab(Input& input, DeviceReports& reports) {
  reports.meant = true;
  const Tree file = read_yaml(input, reports.warnings);
  const Tree& topology = file["topology"];
  const Tree& nodes = topology["nodes"];
  std::vector<std::string_view> bridges{"host", "mgmt-net", "macvlan", "dummy"};
  for (std::size_t i = 0; i < nodes.keys.size(); ++i) {
    if (says_any(nodes.items[i].text("kind"), {"bridge"})) {
      bridges.push_back(nodes.keys[i]);
      continue;
    }
    reports.listed(nodes.keys[i], nodes.items[i].line).kind =
        kind_of_container(nodes.items[i], nodes.keys[i]);
  }
  if (!topology["links"].is_list()) {
    throw cut_short({input.name(), std::max<std::size_t>(1, input.line_number()), 1},
                    "expected topology: with links:");
  }
  for (const Tree* link : topology["links"].list()) {
    if (!link->is_map() || std::ranges::find(link->keys, "endpoints") == link->keys.end()) continue;
    const Tree& ends = (*link)["endpoints"];
    if (ends.items.size() != 2) {
      throw cut_short({input.name(), link->line, 1}, "expected two endpoints");
    }
    const ContainerEnd a = container_end(ends.items[0]);
    const ContainerEnd b = container_end(ends.items[1]);
    const auto is_cable = [&](const ContainerEnd& end) {
      return !end.port.empty() && std::ranges::find(bridges, end.node) == bridges.end();
    };
    if (is_cable(a) && is_cable(b)) {
      reports.add_cable(a.node, a.port, b.node, b.port, ends.items[0].line);
    } else {
      reports.warnings.count("a link to something else than a port, left out", ends.line);
    }
  }
}

}  // namespace fatwood
