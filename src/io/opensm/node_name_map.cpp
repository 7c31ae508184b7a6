// SPDX-License-Identifier: BSD-3-Clause
#include "io/opensm/node_name_map.hpp"

#include <utility>

#include "io/base/cursor.hpp"

namespace fatwood {

NodeNameMap read_node_name_map(Input& input) {
  NodeNameMap map;
  while (const auto text = input.next_line()) {
    Cursor line(*text, input.name(), input.line_number());
    line.skip_space();
    if (line.at_end() || line.peek() == '#') continue;
    const std::size_t column = line.column();
    const std::uint64_t guid = line.hex("a node's GUID");
    line.skip_space();
    const std::string_view name = line.quoted("a name in quotes");
    line.skip_space();
    if (!line.at_end() && line.peek() != '#') line.expected("the end of the line");
    if (!map.emplace(guid, name).second) line.fail_at(column, "this GUID is named already");
  }
  return map;
}

Fabric with_names(const Fabric& fabric, const NodeNameMap& map) {
  Names names;
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    const auto found = map.find(fabric.guid(node));
    names.push_back(found == map.end() ? fabric.description(node)
                                       : std::string_view(found->second));
  }
  return fabric.renamed(std::move(names));
}

}  // namespace fatwood
