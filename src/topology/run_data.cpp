// SPDX-License-Identifier: BSD-3-Clause
#include "topology/run_data.hpp"

#include <algorithm>
#include <unordered_map>

namespace fatwood {

namespace {

std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') {
      text += static_cast<char>(c - 'A' + 'a');
    } else if (c != '_') {
      text += c;
    }
  }
  constexpr std::string_view kLong = "extended";
  if (text.ends_with(kLong)) text.resize(text.size() - kLong.size() + 3);
  return text;
}

bool is_empty(const RunData& run) {
  return run.labels.size() == 0 && run.counters.empty() && run.adaptive.empty() &&
         run.lanes.empty() && run.reordered_levels.empty() && run.cables.empty() &&
         run.signals.empty() && run.celsius.empty();
}

}  // namespace

RunData carried(const RunData& run, const Fabric& from, const Fabric& to) {
  if (is_empty(run)) return {};
  std::unordered_map<std::uint64_t, Node> node_of;
  for (const Node node : ids<Node>(from.num_nodes())) node_of.emplace(from.guid(node), node);
  const auto source = [&](Node node) {
    const auto found = node_of.find(to.guid(node));
    return found == node_of.end() ? kNone<Node> : found->second;
  };
  Table<Channel, Channel> slot(to.num_channels(), kNone<Channel>);  // in `from`
  for (const Node node : ids<Node>(to.num_nodes())) {
    const Node old = source(node);
    if (old == kNone<Node>) continue;
    for (const Port port : ids<Port>(std::min(to.ports(node), from.ports(old)) + 1)) {
      slot[to.channel(node, port)] = from.channel(old, port);
    }
  }
  RunData made;
  made.counters = {run.counters.names, {}, run.counters.values};
  for (const Channel c : slot) {
    const bool known = c != kNone<Channel>;
    if (run.labels.size() != 0) made.labels.push_back(known ? run.label(c) : std::string_view{});
    const auto carry = [&](const auto& from_column, auto& column, auto unknown) {
      if (!from_column.empty()) column.push_back(known ? from_column[c] : unknown);
    };
    carry(run.counters.row, made.counters.row, PortCounters::kNoRow);
    carry(run.lanes, made.lanes, std::uint8_t{0});
    carry(run.reordered_levels, made.reordered_levels, std::uint16_t{0});
    carry(run.cables, made.cables, CableFacts{});
    carry(run.signals, made.signals, SignalQuality{});
  }
  for (const Node node : ids<Node>(run.celsius.empty() ? 0 : to.num_nodes())) {
    const Node old = source(node);
    made.celsius.push_back(old == kNone<Node> ? std::nullopt : run.celsius[old]);
  }
  for (const Switch s : ids<Switch>(run.adaptive.empty() ? 0 : to.num_switches())) {
    const Node old = source(to.node(s));
    const bool known = old != kNone<Node> && from.is_switch(old);
    made.adaptive.push_back(known ? run.adaptive[from.as_switch(old)] : AdaptiveSettings{});
  }
  return made;
}

void SignalQuality::fill(const SignalQuality& other) {
  if (!raw_ber) raw_ber = other.raw_ber;
  if (!effective_ber) effective_ber = other.effective_ber;
  if (!symbol_ber) symbol_ber = other.symbol_ber;
  if (symbol_errors == kNoCount) symbol_errors = other.symbol_errors;
  if (fec.empty()) fec = other.fec;
}

std::optional<std::size_t> PortCounters::column(std::string_view name) const {
  const std::string wanted = plain(name);
  const auto found =
      std::ranges::find(names, wanted, [](const auto& known) { return plain(known); });
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace fatwood
