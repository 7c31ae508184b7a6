// SPDX-License-Identifier: BSD-3-Clause
#include "io/lists/node_list.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <optional>

#include "core/closest.hpp"
#include "core/hostlist.hpp"
#include "io/base/input.hpp"
#include "io/base/text.hpp"
#include "io/lists/host_list.hpp"
#include "topology/hosts/rails.hpp"

namespace fatwood {

namespace {

std::optional<std::uint64_t> as_guid(std::string_view text) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) return std::nullopt;
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + 2, end, value, 16);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

// "name[3]" as name and 3.
std::optional<std::pair<std::string_view, std::uint32_t>> as_port(std::string_view text) {
  const std::size_t open = text.rfind('[');
  if (open == std::string_view::npos || text.back() != ']') return std::nullopt;
  std::uint32_t port = 0;
  const char* end = text.data() + text.size() - 1;
  const auto [stop, error] = std::from_chars(text.data() + open + 1, end, port);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return std::pair{text.substr(0, open), port};
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

NodeNames::NodeNames(const Fabric& fabric) : fabric_(&fabric) {
  for (const Node n : ids<Node>(fabric.num_nodes())) {
    by_guid_.emplace(fabric.guid(n), n);
    by_name_.emplace(fabric.id(n), n);  // unique
  }
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    by_port_guid_.emplace(fabric.address(t).guid, t);
  }
  for (const Node n : ids<Node>(fabric.num_nodes())) {
    for (const std::string_view name : {trimmed(fabric.description(n)), display_name(fabric, n)}) {
      const auto [at, added] = by_name_.emplace(name, n);
      if (!added && at->second != n && fabric.id(n) != name) {
        const bool is_id = at->second != kNone<Node> && fabric.id(at->second) == name;
        if (!is_id) at->second = kNone<Node>;
      }
    }
  }
}

Node NodeNames::node(std::string_view text, const Location& where) const {
  if (const auto guid = as_guid(text)) {
    if (const auto at = by_guid_.find(*guid); at != by_guid_.end()) return at->second;
  }
  const auto at = by_name_.find(text);
  if (at == by_name_.end()) {
    std::vector<std::string_view> names;
    for (const Node n : ids<Node>(fabric_->num_nodes())) names.push_back(display_name(*fabric_, n));
    throw InputError(
        where, fmt::format("the fabric has no node \"{}\"{}", text, did_you_mean(text, names)));
  }
  if (at->second == kNone<Node>) {
    throw InputError(where, fmt::format("several nodes are called \"{}\": give a GUID", text));
  }
  return at->second;
}

std::vector<Terminal> NodeNames::terminals(std::string_view text, const Location& where) const {
  if (const auto guid = as_guid(text)) {
    if (const auto at = by_port_guid_.find(*guid); at != by_port_guid_.end()) return {at->second};
  }
  if (const auto port = as_port(text); port && by_name_.contains(port->first)) {
    const Node n = node(port->first, where);
    const Channel c = fabric_->find_channel(n, port->second);
    const Terminal t = c == kNone<Channel> ? kNone<Terminal> : fabric_->terminal_at(c);
    if (t != kNone<Terminal>) return {t};
    throw InputError(where, fmt::format("\"{}\" is not a connected adapter port", text));
  }
  if (!is_known(text)) {
    std::vector<Terminal> of_list = of_hosts(text, where);
    if (!of_list.empty()) return of_list;
  }
  const Node n = node(text, where);
  if (fabric_->is_switch(n)) {
    throw InputError(where, fmt::format("\"{}\" is a switch; an adapter is expected", text));
  }
  std::vector<Terminal> found = terminals_of(*fabric_, n);
  if (found.empty()) throw InputError(where, fmt::format("\"{}\" has no connected port", text));
  return found;
}

bool NodeNames::is_known(std::string_view text) const {
  const auto guid = as_guid(text);
  return by_name_.contains(text) || (guid && by_guid_.contains(*guid));
}

std::vector<Terminal> NodeNames::of_hosts(std::string_view text, const Location& where) const {
  std::vector<std::string> list;
  try {
    list = expand_hostlist(text, where);
  } catch (const InputError&) {
    if (text.find('[') != std::string_view::npos) throw;
    return {};
  }
  const Hosts& hosts = hosts_.get([&] { return std::move(map_hosts(*fabric_).hosts); });
  if (list.empty() || hosts.called(list.front()).empty()) return {};
  std::vector<Terminal> found;
  for (const Host m : find_hosts_named(*fabric_, hosts, list, where, Repeats::kRefused)) {
    for (const Terminal t : fatwood::terminals_of(*fabric_, hosts, m)) found.push_back(t);
  }
  return found;
}

Switch NodeNames::switch_of(std::string_view text, const Location& where) const {
  const Node n = node(text, where);
  if (!fabric_->is_switch(n)) {
    throw InputError(where, fmt::format("\"{}\" is an adapter; a switch is expected", text));
  }
  return fabric_->as_switch(n);
}

Switch NodeNames::leaf_of(std::string_view text, const Location& where) const {
  const auto at = by_name_.find(text);
  if (at != by_name_.end() && at->second != kNone<Node> && fabric_->is_switch(at->second)) {
    return fabric_->as_switch(at->second);
  }
  if (const auto guid = as_guid(text)) {
    const auto found = by_guid_.find(*guid);
    if (found != by_guid_.end() && fabric_->is_switch(found->second)) {
      return fabric_->as_switch(found->second);
    }
  }
  const Switch leaf = fabric_->leaf(terminals(text, where).front());
  if (leaf == kNone<Switch>) {
    throw InputError(where, fmt::format("\"{}\" hangs on no switch", text));
  }
  return leaf;
}

std::vector<Terminal> read_terminal_list(const Fabric& fabric, const std::string& path) {
  const NodeNames names(fabric);
  std::vector<Terminal> result;
  each_line(path, [&](std::string_view text, const Location& where) {
    const std::vector<Terminal> found = names.terminals(text, where);
    result.insert(result.end(), found.begin(), found.end());
  });
  return result;
}

namespace {

// Each host once, however many of its ports the text names.
void add_hosts(const Model& model, const NodeNames& names, std::string_view text,
               const Location& where, std::vector<Adapter>& result) {
  const std::size_t before = result.size();
  for (const Terminal t : names.terminals(text, where)) {
    const Adapter host = model.adapters().host(t);
    if (host == kNone<Adapter>) {
      throw InputError(where, "\"" + std::string(text) +
                                  "\" is an aggregation node of a switch, not a host "
                                  "(--count-aggregation takes it for one)");
    }
    if (result.size() == before || result.back() != host) result.push_back(host);
  }
}

}  // namespace

std::vector<Adapter> read_adapter_list(const Model& model, const std::string& path) {
  const NodeNames names(model.fabric());
  std::vector<Adapter> result;
  each_line(path, [&](std::string_view text, const Location& where) {
    add_hosts(model, names, text, where, result);
  });
  return result;
}

std::vector<Adapter> hosts_of(const Model& model, const std::string& file_or_list) {
  if (file_or_list == "-" || std::filesystem::exists(file_or_list)) {
    return read_adapter_list(model, file_or_list);
  }
  std::vector<Adapter> result;
  if (file_or_list == "all") {
    for (const Adapter host : ids<Adapter>(model.adapters().size())) result.push_back(host);
    return result;
  }
  add_hosts(model, NodeNames(model.fabric()), file_or_list, {.file = "--hosts"}, result);
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
