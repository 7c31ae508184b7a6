// SPDX-License-Identifier: BSD-3-Clause
#include "topology/fabric.hpp"

#include <algorithm>
#include <utility>

#include "core/invariant.hpp"
#include "core/text/printable.hpp"
#include "topology/shared_names.hpp"

namespace fatwood {

Terminal Fabric::terminal_at(Channel c) const {
  if (is_switch(owner(c))) return kNone<Terminal>;
  const auto at = std::lower_bound(terminal_channel_.begin(), terminal_channel_.end(), c);
  if (at == terminal_channel_.end() || *at != c) return kNone<Terminal>;
  return static_cast<Terminal>(at - terminal_channel_.begin());
}

Fabric Fabric::renamed(Names descriptions) const {
  invariant(descriptions.size() == num_nodes(), "not one description for each node");
  Fabric copy = *this;
  copy.descriptions_ = {};
  for (std::size_t i = 0; i < descriptions.size(); ++i) {
    copy.descriptions_.push_back(printable(descriptions[i]));
  }
  copy.shares_name_ = shared_names(copy);
  return copy;
}

bool operator==(const Fabric& a, const Fabric& b) {
  return a.first_ == b.first_ && a.num_adapters_ == b.num_adapters_ && a.peer_ == b.peer_ &&
         a.rate_ == b.rate_ && a.kind_ == b.kind_ && a.ids_ == b.ids_ &&
         a.descriptions_ == b.descriptions_ && a.guid_ == b.guid_ && a.hardware_ == b.hardware_ &&
         a.terminal_address_ == b.terminal_address_ && a.switch_address_ == b.switch_address_;
}

Table<Switch, std::uint32_t> terminals_on(const Fabric& fabric) {
  Table<Switch, std::uint32_t> count(fabric.num_switches(), 0);
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) != kNone<Switch>) ++count[fabric.leaf(t)];
  }
  return count;
}

std::string_view display_name(const Fabric& fabric, Node node) {
  std::string_view text = fabric.description(node);
  if (text.empty()) return fabric.id(node);
  // Mellanox switches: "MF0;name:model/U1". The chips of a director, "MF0;name:model/L03/U1", share
  // their name: model and board stay.
  if (const std::size_t semicolon = text.find(';'); semicolon != std::string_view::npos) {
    const std::size_t colon = text.find(':', semicolon);
    if (text.starts_with("MF") && colon != std::string_view::npos && colon > semicolon + 1) {
      const std::string_view place = text.substr(colon);
      const bool board = std::count(place.begin(), place.end(), '/') > 1;
      return text.substr(semicolon + 1, board ? std::string_view::npos : colon - semicolon - 1);
    }
  }
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text.empty() ? fabric.id(node) : text;
}

std::string unique_name(const Fabric& fabric, Node node) {
  std::string name(display_name(fabric, node));
  if (fabric.shares_name(node)) name.append(" (").append(fabric.id(node)).append(")");
  return name;
}

std::string unique_name(const Fabric& fabric, Switch s) {
  return unique_name(fabric, fabric.node(s));
}

std::string port_name(const Fabric& fabric, Channel c) {
  return unique_name(fabric, fabric.owner(c)) + '[' + std::to_string(index(fabric.port(c))) + ']';
}

std::string cable_name(const Fabric& fabric, Channel c) {
  return port_name(fabric, c) + " - " + port_name(fabric, fabric.peer(c));
}

std::string channel_name(const Fabric& fabric, Channel c) {
  return port_name(fabric, c) + " -> " + port_name(fabric, fabric.peer(c));
}

}  // namespace fatwood
