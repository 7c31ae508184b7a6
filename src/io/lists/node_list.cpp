// SPDX-License-Identifier: BSD-3-Clause
#include "io/lists/node_list.hpp"

#include <fmt/format.h>

#include <optional>

#include "core/text/hostlist.hpp"
#include "core/text/parse_number.hpp"
#include "io/base/input.hpp"
#include "io/base/text.hpp"
#include "io/lists/host_list.hpp"
#include "topology/hosts/rails.hpp"

namespace fatwood {

namespace {

std::optional<std::uint64_t> as_guid(std::string_view text) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) return std::nullopt;
  return parse_number<std::uint64_t>(text.substr(2), 16);
}

std::vector<Terminal> terminals_of(const Fabric& fabric, Node node) {
  std::vector<Terminal> result;
  for (const Channel c : fabric.channels(node)) {
    const Terminal t = fabric.terminal_at(c);
    if (t != kNone<Terminal>) result.push_back(t);
  }
  return result;
}

// Calls take(text, where) for each line that names something.
template <class Take>
void each_line(const std::string& path, const Take& take) {
  Input input(path);
  while (const auto line = input.next_line()) {
    const std::string_view text = trimmed(*line);
    if (!text.empty() && text.front() != '#') take(text, input.at(1));
  }
}

}  // namespace

TerminalNames::TerminalNames(const Fabric& fabric) : NodeNames(fabric) {
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    by_port_guid_.emplace(fabric.address(t).guid, t);
  }
}

std::vector<Terminal> TerminalNames::terminals(std::string_view text, const Location& where) const {
  if (const auto guid = as_guid(text)) {
    if (const auto at = by_port_guid_.find(*guid); at != by_port_guid_.end()) return {at->second};
  }
  if (const Channel c = find_port(text, where); c != kNone<Channel>) {
    const Terminal t = fabric().terminal_at(c);
    if (t != kNone<Terminal>) return {t};
    throw InputError(where, fmt::format("\"{}\" is not a connected adapter port", text));
  }
  if (called(text).empty()) {
    std::vector<Terminal> of_list = of_hosts(text, where);
    if (!of_list.empty()) return of_list;
  }
  const Node n = node(text, where);
  if (fabric().is_switch(n)) {
    throw InputError(where, fmt::format("\"{}\" is a switch; an adapter is expected", text));
  }
  std::vector<Terminal> found = terminals_of(fabric(), n);
  if (found.empty()) throw InputError(where, fmt::format("\"{}\" has no connected port", text));
  return found;
}

std::vector<Terminal> TerminalNames::of_hosts(std::string_view text, const Location& where) const {
  std::vector<std::string> list;
  try {
    list = expand_hostlist(text, where);
  } catch (const InputError&) {
    if (text.find('[') != std::string_view::npos) throw;
    return {};
  }
  const Hosts& hosts = hosts_.get([&] { return std::move(map_hosts(fabric()).hosts); });
  if (list.empty() || hosts.called(list.front()).empty()) return {};
  std::vector<Terminal> found;
  for (const Host m : find_hosts_named(fabric(), hosts, list, where, Repeats::kRefused)) {
    for (const Terminal t : fatwood::terminals_of(fabric(), hosts, m)) found.push_back(t);
  }
  return found;
}

Switch TerminalNames::leaf_of(std::string_view text, const Location& where) const {
  const std::vector<Node> nodes = called(text);
  if (nodes.size() == 1 && fabric().is_switch(nodes.front()))
    return fabric().as_switch(nodes.front());
  const Switch leaf = fabric().leaf(terminals(text, where).front());
  if (leaf == kNone<Switch>) {
    throw InputError(where, fmt::format("\"{}\" hangs on no switch", text));
  }
  return leaf;
}

std::vector<Terminal> read_terminal_list(const Fabric& fabric, const std::string& path) {
  const TerminalNames names(fabric);
  std::vector<Terminal> result;
  each_line(path, [&](std::string_view text, const Location& where) {
    const std::vector<Terminal> found = names.terminals(text, where);
    result.insert(result.end(), found.begin(), found.end());
  });
  return result;
}

std::vector<Switch> read_switch_list(const Fabric& fabric, const std::string& path) {
  const NodeNames names(fabric);
  std::vector<Switch> result;
  each_line(path, [&](std::string_view text, const Location& where) {
    result.push_back(names.switch_of(text, where));
  });
  return result;
}

}  // namespace fatwood
