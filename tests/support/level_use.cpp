// SPDX-License-Identifier: BSD-3-Clause
#include "support/level_use.hpp"

#include <algorithm>

#include "core/union_find.hpp"

namespace fatwood {

namespace {

// Channels between switches, as (channel, from, to).
template <class Visit>
void each_switch_channel(const Fabric& fabric, const Visit& visit) {
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    for (const SwitchLink& link : fabric.links(s)) visit(link.channel, s, link.to);
  }
}

std::uint32_t over(std::uint64_t destinations, std::uint64_t channels) {
  return static_cast<std::uint32_t>((destinations + channels - 1) / channels);
}

using Use = Table<Channel, std::uint32_t>;

// Destinations carried by each channel: from every switch with a counted terminal along the row,
// until where another has been. A route that loops or ends nowhere counts as far as it goes.
Use destinations_carried(const Fabric& fabric, const Table<Terminal, std::uint8_t>& counted,
                         const ForwardingTables& tables) {
  Use use(fabric.num_channels());
  std::vector<std::uint8_t> sends(fabric.num_switches());
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (counted[t] != 0 && fabric.leaf(t) != kNone<Switch>) sends[index(fabric.leaf(t))] = 1;
  }
  std::vector<std::uint32_t> passed(fabric.num_switches(), 0xffffffffU);
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (counted[t] == 0) continue;
    const auto row = tables.row(tables.destination(t));
    for (std::uint32_t start = 0; start < sends.size(); ++start) {
      if (sends[start] == 0) continue;
      for (std::uint32_t s = start; passed[s] != index(t);) {
        passed[s] = index(t);
        const Node node = fabric.node(Switch{s});
        if (row[s] == kOwnPort || index(row[s]) > fabric.ports(node)) break;
        const Channel c = fabric.channel(node, row[s]);
        if (!fabric.to_switch(c)) break;
        ++use[c];
        s = index(fabric.next_switch(c));
      }
    }
  }
  return use;
}

LevelUse use_of_level(const Fabric& fabric, const Levels& levels,
                      const Table<Terminal, std::uint8_t>& counted, const Use& use, Level below) {
  LevelUse result{.below = below};
  UnionFind parts(fabric.num_switches());  // connected parts of the switches up to the level
  std::vector<std::uint64_t> channels(fabric.num_switches());
  std::vector<std::uint64_t> terminals(fabric.num_switches());
  std::uint64_t all = 0;
  each_switch_channel(fabric, [&](Channel, Switch from, Switch to) {
    if (levels.level[from] <= below && levels.level[to] <= below) {
      parts.join(index(from), index(to));
    }
  });
  each_switch_channel(fabric, [&](Channel c, Switch from, Switch to) {
    if (levels.level[from] > below || levels.level[to] <= below) return;
    ++result.channels;
    ++channels[parts.find(index(from))];
    result.up = std::max(result.up, use[c]);
    result.down = std::max(result.down, use[fabric.peer(c)]);
  });
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (counted[t] == 0 || fabric.leaf(t) == kNone<Switch>) continue;
    ++all;
    if (levels.level[fabric.leaf(t)] <= below) ++terminals[parts.find(index(fabric.leaf(t)))];
  }
  for (std::size_t part = 0; part < channels.size(); ++part) {
    if (channels[part] == 0 || terminals[part] == 0) continue;
    result.least_up = std::max(result.least_up, over(all - terminals[part], channels[part]));
    result.least_down = std::max(result.least_down, over(terminals[part], channels[part]));
  }
  return result;
}

}  // namespace

std::vector<LevelUse> level_use(const Fabric& fabric, const Levels& levels,
                                const Table<Terminal, std::uint8_t>& counted,
                                const ForwardingTables& tables) {
  const Use use = destinations_carried(fabric, counted, tables);
  std::vector<LevelUse> result;
  for (Level below = 1; below < levels.height; ++below) {
    const LevelUse found = use_of_level(fabric, levels, counted, use, below);
    if (found.channels > 0) result.push_back(found);
  }
  return result;
}

}  // namespace fatwood
