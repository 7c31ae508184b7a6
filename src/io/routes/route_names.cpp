// SPDX-License-Identifier: BSD-3-Clause
#include "io/routes/route_names.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "core/text/parse_number.hpp"
#include "io/ethernet/read_ethernet.hpp"

namespace fatwood {

namespace {

namespace fs = std::filesystem;

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace

SwitchNames::SwitchNames(const Fabric& fabric) {
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const Node node = fabric.node(s);
    for (const std::string_view name :
         {fabric.id(node), fabric.description(node), display_name(fabric, node)}) {
      const auto [at, added] = by_name_.emplace(lowered(name), s);
      if (!added && at->second != s) at->second = kNone<Switch>;
    }
  }
}

Switch SwitchNames::of_file(const std::string& name) const {
  // Without a root, which is its own parent.
  for (fs::path path = fs::path(name).relative_path(); !path.empty(); path = path.parent_path()) {
    for (std::string word = lowered(path.filename().string());;) {
      const auto found = by_name_.find(word);
      if (found != by_name_.end()) return found->second;
      const std::size_t cut = word.find_last_of("._- ");
      if (cut == std::string::npos) break;
      word.resize(cut);
    }
    // "sonic_dump_leaf1_20240131_101500"
    const auto found = by_name_.find(lowered(device_in_path(path.filename().string())));
    if (found != by_name_.end()) return found->second;
  }
  return kNone<Switch>;
}

PortNames::PortNames(const Fabric& fabric, const Names& labels, Switch s)
    : fabric_(fabric), switch_(s) {
  for (const Channel c : fabric.channels(fabric.node(s))) {
    if (labels.size() == 0 || labels[index(c)].empty()) continue;
    by_label_.emplace(lowered(labels[index(c)]), fabric.port(c));
  }
}

Port PortNames::find(std::string_view name) const {
  const std::string word = lowered(name);
  if (const Port port = find_word(word); port != kNoRoute) return port;
  const std::size_t dot = word.find_first_of(".:");
  return dot == std::string::npos ? kNoRoute : find_word(word.substr(0, dot));
}

Port PortNames::find_word(const std::string& word) const {
  if (!by_label_.empty()) {
    const auto found = by_label_.find(word);
    return found == by_label_.end() ? kNoRoute : found->second;
  }
  for (const std::string_view start : {"swp", "ethernet", "eth"}) {
    if (!word.starts_with(start)) continue;
    const auto number = parse_number<std::uint32_t>(word.substr(start.size()));
    const bool there = number && *number > 0 && *number <= fabric_.ports(fabric_.node(switch_));
    return there ? static_cast<Port>(*number) : kNoRoute;
  }
  return kNoRoute;
}

bool is_for_hosts(std::string_view name) {
  const std::string word = lowered(name);
  constexpr std::string_view kStarts[] = {"vlan", "br", "irb", "hosts", "lo"};
  return std::ranges::any_of(kStarts,
                             [&](std::string_view start) { return word.starts_with(start); });
}

}  // namespace fatwood
