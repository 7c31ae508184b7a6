// SPDX-License-Identifier: BSD-3-Clause
#include "topology/node_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/sort_unique.hpp"
#include "core/text/closest.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"
#include "topology/labels.hpp"
#include "topology/shared_names.hpp"

namespace fatwood {

NodeNames::NodeNames(const Fabric& fabric) : fabric_(&fabric) {
  for (const Node n : ids<Node>(fabric.num_nodes())) {
    by_guid_.emplace(fabric.guid(n), n);
    by_id_.emplace(fabric.id(n), n);
    by_name_.emplace_back(trimmed(fabric.description(n), " \t"), n);
    by_name_.emplace_back(display_name(fabric, n), n);
  }
  sort_unique(by_name_);
}

std::vector<Node> NodeNames::called(std::string_view text) const {
  if (const auto at = by_id_.find(text); at != by_id_.end()) return {at->second};
  if (text.starts_with("0x") || text.starts_with("0X")) {
    const auto guid = parse_number<std::uint64_t>(text.substr(2), 16);
    const auto at = guid ? by_guid_.find(*guid) : by_guid_.end();
    if (at != by_guid_.end()) return {at->second};
  }
  if (const auto at = by_id_.find(id_in_name(text)); at != by_id_.end()) {
    // The name of the node, or of the host that it is in.
    const std::string_view name = text.substr(0, text.rfind(" ("));
    const std::string_view own = fabric_->description(at->second);
    if ((own.empty() ? at->first : own).find(name) != name.npos) return {at->second};
  }
  std::vector<Node> found;
  if (text.empty()) return found;
  for (auto at = std::ranges::lower_bound(by_name_, std::pair(text, Node{}));
       at != by_name_.end() && at->first == text; ++at) {
    found.push_back(at->second);
  }
  return found;
}

Node NodeNames::find(std::string_view text, const Location& where) const {
  const std::vector<Node> found = called(text);
  if (found.size() > 1) {
    std::vector<std::string> names;
    for (const Node node : found) names.push_back(unique_name(*fabric_, node));
    throw InputError(
        where, fmt::format("{} nodes are called \"{}\": {}", found.size(), text, listed(names, 4)));
  }
  return found.empty() ? kNone<Node> : found.front();
}

Channel NodeNames::find_port(std::string_view text, const Location& where) const {
  for (const std::string_view between : {"] - ", "] -> ", "] > ", "] on "}) {
    const std::size_t at = text.find(between);
    if (at == std::string_view::npos) continue;
    const std::string_view one = text.substr(0, at + 1), other = text.substr(at + between.size());
    const Channel near = find_one_port(one, where), far = find_one_port(other, where);
    if (near == kNone<Channel> || far == kNone<Channel>) continue;
    if (fabric_->peer(near) == far) return near;
    throw InputError(where, fmt::format("no cable joins \"{}\" and \"{}\"", one, other));
  }
  return find_one_port(text, where);
}

Channel NodeNames::find_one_port(std::string_view text, const Location& where) const {
  const std::size_t open = text.rfind('[');
  if (open == std::string_view::npos || text.back() != ']') return kNone<Channel>;
  const auto port = parse_number<std::uint32_t>(text.substr(open + 1, text.size() - open - 2));
  const Node node = port ? find(text.substr(0, open), where) : kNone<Node>;
  if (node == kNone<Node>) return kNone<Channel>;
  if (*port > fabric_->ports(node) || (*port == 0 && !fabric_->is_switch(node))) {
    throw InputError(where, fmt::format("\"{}\" has no port {}: its ports are 1 to {}",
                                        text.substr(0, open), *port, fabric_->ports(node)));
  }
  return fabric_->channel(node, static_cast<Port>(*port));
}

Node NodeNames::node(std::string_view text, const Location& where) const {
  const Node found = find(text, where);
  if (found == kNone<Node>) {
    throw InputError(where, fmt::format("the fabric has no node \"{}\"{}", text, suggestion(text)));
  }
  return found;
}

Switch NodeNames::switch_of(std::string_view text, const Location& where) const {
  const Node found = node(text, where);
  if (!fabric_->is_switch(found)) {
    throw InputError(where, fmt::format("\"{}\" is an adapter; a switch is expected", text));
  }
  return fabric_->as_switch(found);
}

std::string NodeNames::suggestion(std::string_view text) const {
  std::vector<std::string> names;
  for (const Node n : ids<Node>(fabric_->num_nodes())) names.push_back(unique_name(*fabric_, n));
  return did_you_mean(text, names);
}

}  // namespace fatwood
