// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Graphs whose edges are cables.
//
// NetQ's topology graph (seen):
//   [{"nodes": [{"compounded_nodes": [{"id": "n1", "name": "leaf1", "tier": 1}]}],
//     "links": [{"compounded_links": [{"interfaces": [{"node": "n1", "interface": "swp1"},
//     ...]}]}]}]
// NVIDIA Air as JSON (meant); an end may be the word "exit":
//   {"nodes": {"leaf1": {}}, "links": [[{"node": "leaf1", "interface": "swp51"}, {...}]]}
// Batfish's layer1_topology.json (meant):
//   {"edges": [{"node1": {"hostname": "leaf1", "interfaceName": "Ethernet1"}, "node2": {...}}]}
// DOT of Air and PTM (meant):
//   graph g { "leaf1" [function="leaf"] "leaf1":"swp51" -- "spine1":"swp1" }
// containerlab (meant), also with maps {node, interface} as endpoints:
//   topology: {links: [{endpoints: ["leaf1:e1-1", "spine1:e1-1"]}]}

#include "io/ethernet/reports.hpp"
#include "io/ethernet/tree.hpp"

namespace fatwood {

// Each returns whether the value is of its kind.
bool read_netq(const Tree& value, DeviceReports& reports);
bool read_air_json(const Tree& value, DeviceReports& reports);
bool read_layer1_json(const Tree& value, DeviceReports& reports);

// By the attributes "function" and "os" of a node in Air; no value if they do not say.
std::optional<NodeKind> kind_of_function(std::string_view function, std::string_view system);

bool looks_like_dot(std::string_view head);
void read_dot(Input& input, DeviceReports& reports);
bool looks_like_containerlab(std::string_view head);
void read_containerlab(Input& input, DeviceReports& reports);

}  // namespace fatwood
