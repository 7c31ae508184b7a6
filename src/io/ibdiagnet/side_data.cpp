// SPDX-License-Identifier: BSD-3-Clause
#include "io/ibdiagnet/side_data.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace fatwood {

namespace {

class GuidFinder {
 public:
  explicit GuidFinder(const Fabric& fabric) : fabric_(fabric) {
    for (const Node node : ids<Node>(fabric.num_nodes())) node_.emplace(fabric.guid(node), node);
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      terminal_.emplace(fabric.address(t).guid, fabric.terminal_channel(t));
    }
  }

  Node node(std::uint64_t guid) const {
    if (const auto found = node_.find(guid); found != node_.end()) return found->second;
    const auto found = terminal_.find(guid);
    return found == terminal_.end() ? kNone<Node> : fabric_.owner(found->second);
  }
  Channel channel(const PortKey& key) const {
    const Node owner = node(key.guid);
    return owner == kNone<Node> ? kNone<Channel> : fabric_.find_channel(owner, key.port);
  }

 private:
  const Fabric& fabric_;
  std::unordered_map<std::uint64_t, Node> node_;
  std::unordered_map<std::uint64_t, Channel> terminal_;
};

PortCounters counters_of(const std::vector<SideData::Counters>& sections, const Fabric& fabric,
                         const GuidFinder& find) {
  PortCounters made;
  for (const SideData::Counters& section : sections) {
    if (section.keys.empty()) continue;
    made.names.insert(made.names.end(), section.names.begin(), section.names.end());
  }
  if (made.empty()) return made;
  made.row = Table<Channel, std::uint32_t>(fabric.num_channels(), PortCounters::kNoRow);
  std::uint32_t rows = 0;
  std::size_t first = 0;  // column of the section
  for (const SideData::Counters& section : sections) {
    if (section.keys.empty()) continue;
    const std::size_t width = section.names.size();
    for (std::size_t i = 0; i < section.keys.size(); ++i) {
      const Channel c = find.channel(section.keys[i]);
      if (c == kNone<Channel>) continue;
      if (made.row[c] == PortCounters::kNoRow) {
        made.row[c] = rows++;
        made.values.resize(rows * made.names.size(), kNoCount);
      }
      std::copy_n(section.values.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                  made.values.begin() +
                      static_cast<std::ptrdiff_t>(made.row[c] * made.names.size() + first));
    }
    first += width;
  }
  return made;
}

}  // namespace

RunData run_data(const SideData& side, const Fabric& fabric) {
  const GuidFinder find(fabric);
  RunData run;
  run.counters = counters_of(side.counters, fabric, find);
  if (!side.labels.empty()) {
    std::vector<std::string_view> labels(fabric.num_channels());
    for (const SideData::Label& label : side.labels) {
      const Channel c = find.channel(label.key);
      if (c != kNone<Channel>) labels[index(c)] = label.text;
    }
    for (const std::string_view text : labels) run.labels.push_back(text);
  }
  if (!side.adaptive.empty()) run.adaptive.resize(fabric.num_switches());
  for (const SideData::Adaptive& row : side.adaptive) {
    const Node node = find.node(row.guid);
    if (node != kNone<Node> && fabric.is_switch(node)) {
      run.adaptive[fabric.as_switch(node)] = row.settings;
    }
  }
  if (!side.ports.empty()) {
    run.lanes.resize(fabric.num_channels());
    run.reordered_levels.resize(fabric.num_channels());
  }
  for (const SideData::PortFact& fact : side.ports) {
    const Channel c = find.channel(fact.key);
    if (c == kNone<Channel>) continue;
    run.lanes[c] = fact.lanes;
    run.reordered_levels[c] = fact.reordered_levels;
  }
  if (!side.cables.empty()) run.cables.resize(fabric.num_channels());
  for (const SideData::Cable& cable : side.cables) {
    const Channel c = find.channel(cable.key);
    if (c != kNone<Channel>) run.cables[c] = cable.facts;
  }
  return run;
}

RunData merged(RunData first, RunData second) {
  if (first.labels.size() == 0) first.labels = std::move(second.labels);
  if (first.counters.empty()) first.counters = std::move(second.counters);
  if (first.adaptive.empty()) first.adaptive = std::move(second.adaptive);
  if (first.lanes.empty()) first.lanes = std::move(second.lanes);
  if (first.reordered_levels.empty()) first.reordered_levels = std::move(second.reordered_levels);
  if (first.cables.empty()) first.cables = std::move(second.cables);
  return first;
}

}  // namespace fatwood
