// SPDX-License-Identifier: BSD-3-Clause
#include "topology/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>

namespace fatwood {

Labels::Labels(const Fabric& fabric) : fabric_(fabric), shared_(fabric.num_nodes()) {
  // The first node of each name and kind, in slots by hash: made for every report, so it is quick.
  std::vector<Node> first(std::bit_ceil(2 * fabric.num_nodes() + 1), kNone<Node>);
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    const std::string_view name = display_name(fabric, node);
    std::size_t at = std::hash<std::string_view>{}(name) & (first.size() - 1);
    while (first[at] != kNone<Node> && (fabric.is_switch(first[at]) != fabric.is_switch(node) ||
                                        display_name(fabric, first[at]) != name)) {
      at = (at + 1) & (first.size() - 1);
    }
    if (first[at] == kNone<Node>) {
      first[at] = node;
    } else {
      shared_[node] = shared_[first[at]] = 1;
    }
  }
}

std::string Labels::operator()(Node node) const {
  const std::string_view name = display_name(fabric_, node);
  if (shared_[node] == 0 || name == fabric_.id(node)) return std::string(name);
  return fmt::format("{} ({})", name, fabric_.id(node));
}

std::string Labels::port(Channel c) const {
  return fmt::format("{}[{}]", (*this)(fabric_.owner(c)), index(fabric_.port(c)));
}

std::string Labels::cable(Channel c) const { return port(c) + " - " + port(fabric_.peer(c)); }

std::string counted(std::uint64_t count, std::string_view noun) {
  if (count == 1) return fmt::format("1 {}", noun);
  const bool hisses = noun.ends_with("ch") || noun.ends_with("s");
  if (noun.ends_with("leaf")) {
    noun.remove_suffix(1);
    return fmt::format("{} {}ves", count, noun);
  }
  return fmt::format("{} {}{}", count, noun, hisses ? "es" : "s");
}

std::string listed(const std::vector<std::string>& words, std::size_t most) {
  std::string text;
  const std::size_t shown = words.size() <= most + 1 ? words.size() : most;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == words.size();
    text += i == 0 ? "" : last ? " and " : ", ";
    text += words[i];
  }
  if (shown < words.size()) text += fmt::format(" and {} more", words.size() - shown);
  return text;
}

std::string ranges(std::vector<Port> ports) {
  std::sort(ports.begin(), ports.end());
  std::string text;
  for (std::size_t i = 0; i < ports.size();) {
    std::size_t end = i + 1;
    while (end < ports.size() && index(ports[end]) == index(ports[end - 1]) + 1) ++end;
    text += text.empty() ? "" : ", ";
    text += end - i < 3 ? fmt::format("{}", index(ports[i]))
                        : fmt::format("{}-{}", index(ports[i]), index(ports[end - 1]));
    i = end - i < 3 ? i + 1 : end;
  }
  return text;
}

}  // namespace fatwood
