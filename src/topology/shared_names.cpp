// SPDX-License-Identifier: BSD-3-Clause
#include "topology/shared_names.hpp"

#include <unordered_map>
#include <unordered_set>

#include "core/text/split.hpp"

namespace fatwood {

Table<Node, std::uint8_t> shared_names(const Fabric& fabric) {
  bool described = false;
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    described = described || !fabric.description(node).empty();
  }
  if (!described) return {};
  std::unordered_map<std::string_view, Node> first;
  std::unordered_set<std::string_view> known_ids;
  first.reserve(fabric.num_nodes());
  known_ids.reserve(fabric.num_nodes());
  for (const Node node : ids<Node>(fabric.num_nodes())) known_ids.insert(fabric.id(node));

  Table<Node, std::uint8_t> shared(fabric.num_nodes(), 0);
  bool any = false;
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    const std::string_view name = trimmed(display_name(fabric, node), " \t");
    const auto [at, added] = first.emplace(name, node);
    if (!added) shared[at->second] = 1;
    const bool own_id = name == fabric.id(node);
    const bool misleads = name.starts_with("0x") || name.starts_with("0X") || name.ends_with(']') ||
                          known_ids.contains(name) || known_ids.contains(id_in_name(name));
    shared[node] = !added || (misleads && !own_id) ? 1 : 0;
    any = any || shared[node] != 0;
  }
  return any ? shared : Table<Node, std::uint8_t>();
}

std::string_view id_in_name(std::string_view text) {
  const std::size_t open = text.rfind(" (");
  if (open == std::string_view::npos || !text.ends_with(')')) return {};
  return text.substr(open + 2, text.size() - open - 3);
}

}  // namespace fatwood
