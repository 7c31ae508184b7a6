// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A node-name-map of OpenSM and infiniband-diags: descriptions by node GUID.
//
//   # comment
//   0x0008f10500200b50 "leaf one"

#include <cstdint>
#include <string>
#include <unordered_map>

#include "io/base/input.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

using NodeNameMap = std::unordered_map<std::uint64_t, std::string>;

NodeNameMap read_node_name_map(Input& input);
// The fabric with the names of the map as descriptions.
Fabric with_names(const Fabric& fabric, const NodeNameMap& map);

}  // namespace fatwood
