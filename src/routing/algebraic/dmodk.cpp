// SPDX-License-Identifier: BSD-3-Clause
// dmodk: the algebraic routing d-mod-k as forwarding tables of a complete tree.
//
// Problem: shift permutations without conflicts on real-life fat-trees ([Zahavi10], sections IV and
// V).
// Method: towards host d, the up-port at level l is floor(d/W(l)) mod w(l+1)p(l+1) ([Zahavi10], eq.
// 3). On the way down to level l, the parallel cable is the one that eq. 3 gives for d at that
// level. So each down channel of a complete RLFT serves one destination (Theorem 2). In the
// canonical numbering, the switches above a host are one range of each level, and so are those that
// go up. So a row is a few memsets. A switch as destination is reached from below by the one path
// up that leads to it, and from elsewhere over the switches above it. If there is no such path,
// there is no route. A tree from a file, with switches and ports in any order, is recognised first
// (recognition.hpp).
// Result: tables on one lane. Routes go up, then down, so there is no cycle of dependencies.
// Cost: O(table bytes), at the speed of memset, and O(levels) per row.

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "routing/engine_list.hpp"
#include "topology/recognise/recognition.hpp"

namespace fatwood {

namespace {

// The numbers of one level of switches, worked out once.
struct LevelNumbers {
  std::uint64_t first;    // number of the level's first switch among all
  std::uint64_t trees;    // sub-trees of this height
  std::uint64_t M, W;     // terminals and top switches of one
  std::uint64_t M_below;  // M of the level below
  std::uint64_t W_below;  // W of the level below
  std::uint32_t m, w, p;  // digits of the edges below
  std::uint32_t up;       // up-ports of a switch here
};

std::vector<LevelNumbers> level_numbers(const TreeShape& shape) {
  std::vector<LevelNumbers> levels;
  for (unsigned l = 1; l <= shape.height(); ++l) {
    levels.push_back({shape.first_at(l) - shape.first_at(1), shape.terminals() / shape.M(l),
                      shape.M(l), shape.W(l), shape.M(l - 1), shape.W(l - 1), shape.m[l - 1],
                      shape.w[l - 1], shape.p[l - 1], shape.up_ports(l)});
  }
  return levels;
}

void put(std::span<Port> row, std::uint64_t first, std::uint64_t count, Port port) {
  std::fill_n(row.begin() + static_cast<std::ptrdiff_t>(first), count, port);
}

// Throws if a host is on a switch above the leaves: other switches of that level have no path up,
// then down, to it.
void require_every_route(const Fabric& fabric, Terminal t, std::span<const Port> row) {
  const auto lost = std::ranges::find(row, kNoRoute);
  if (lost == row.end()) return;
  const auto name = [&](Switch s) { return unique_name(fabric, s); };
  throw PromiseError(
      fmt::format("dmodk needs a complete tree with hosts on its leaves: {} is on {}, and {} has "
                  "no path up, then "
                  "down, to it",
                  port_name(fabric, fabric.terminal_channel(t)), name(fabric.leaf(t)),
                  name(static_cast<Switch>(lost - row.begin()))));
}

// From the switch `first` of each sub-tree of a level.
void put_in_each_tree(std::span<Port> row, const LevelNumbers& level, std::uint64_t first,
                      std::uint64_t count, Port port) {
  if (count == level.W) return put(row, level.first, level.trees * level.W, port);
  const std::uint64_t end = level.first + level.trees * level.W;
  const std::uint64_t step = level.W;  // a copy: bytes written might change what is read
  if (count == 1) {
    for (std::uint64_t s = level.first + first; s < end; s += step) row[s] = port;
    return;
  }
  for (std::uint64_t s = level.first + first; s < end; s += step) put(row, s, count, port);
}

// Eq. 3: the up-port that leads from a switch of this level towards number d.
Port up_port(const LevelNumbers& level, std::uint64_t d) {
  return level.up == 0 ? kNoRoute : static_cast<Port>(d / level.W % level.up + 1);
}

// Row of a host's port q: hosts with w1 > 1 parents have one port in each of w1 separate planes.
void fill_host_row(const std::vector<LevelNumbers>& levels, std::uint64_t d, std::uint32_t q,
                   std::span<Port> row) {
  const std::uint32_t planes = levels.front().w;
  const std::uint64_t plane = q % planes;
  for (const LevelNumbers& level : levels) {
    const std::uint64_t width = level.W / planes;  // of a plane in one sub-tree
    const std::uint64_t tree = d / level.M;
    if (planes == 1) {
      put(row, level.first, level.trees * level.W, up_port(level, d));
    } else {
      put(row, level.first, level.trees * level.W, kNoRoute);
      for (std::uint64_t t = 0; t < level.trees; ++t) {
        put(row, level.first + t * level.W + plane * width, width, up_port(level, d));
      }
    }
    const std::uint64_t copy =
        &level == &levels.front()
            ? q / planes
            : d / level.W_below % (std::uint64_t{level.w} * level.p) / level.w;
    put(row, level.first + tree * level.W + plane * width, width,
        static_cast<Port>(level.up + d / level.M_below % level.m + level.m * copy + 1));
  }
}

// Row of a switch, by its canonical number among all.
void fill_switch_row(const std::vector<LevelNumbers>& levels, std::uint64_t among_all,
                     std::span<Port> row) {
  std::fill(row.begin(), row.end(), kNoRoute);
  std::size_t l = levels.size();  // its level
  while (levels[l - 1].first > among_all) --l;
  const LevelNumbers& own = levels[l - 1];
  const std::uint64_t number = among_all - own.first;  // stands for d in eq. 3
  const std::uint64_t t = number / own.W;              // its sub-tree
  const std::uint64_t x = number % own.W;              // its number among the tops of that
  // Below: only the switches whose path up passes here, by the one port that leads here.
  for (std::size_t j = 1; j < l; ++j) {
    const LevelNumbers& level = levels[j - 1];
    const LevelNumbers& above = levels[j];
    const std::uint64_t parent = x / (own.W / above.W) % above.w;
    const std::uint64_t copy = number % above.p;
    put_in_each_tree(row, level, x / (own.W / level.W), 1,
                     static_cast<Port>(parent + above.w * copy + 1));
  }
  const std::uint64_t terminal = t * own.M;  // any below the destination
  for (std::size_t j = l; j <= levels.size(); ++j) {
    const LevelNumbers& level = levels[j - 1];
    const std::uint64_t width = level.W / own.W;
    put_in_each_tree(
        row, level, x * width, width,
        level.up == 0 ? kNoRoute : static_cast<Port>(number / (level.W / own.W) % level.up + 1));
    const auto down = static_cast<Port>(level.up + terminal / level.M_below % level.m +
                                        level.m * (number % level.p) + 1);
    put(row, level.first + terminal / level.M * level.W + x * width, width,
        j == l ? kOwnPort : down);
  }
}

// A recognised tree's own switches and ports, by canonical numbers.
struct Renumbering {
  std::vector<Switch> switch_at;
  std::vector<Port> port;  // [canonical switch * 256 + canonical port]
};

Renumbering renumbering(const Fabric& fabric, const TreeMap& map) {
  Renumbering result{map.switch_at, std::vector<Port>(map.switch_at.size() * 256)};
  for (std::size_t s = 0; s < map.switch_at.size(); ++s) {
    Port* const ports = result.port.data() + s * 256;
    ports[index(kNoRoute)] = kNoRoute;
    const std::size_t node = map.shape.terminals() + s;
    for (std::uint32_t slot = map.first_slot[node] + 1; slot < map.first_slot[node + 1]; ++slot) {
      ports[slot - map.first_slot[node]] = fabric.port(map.channel[slot]);
    }
  }
  return result;
}

void renumber(const Renumbering& numbers, std::span<const Port> canonical, std::span<Port> row) {
  for (std::size_t s = 0; s < canonical.size(); ++s) {
    row[index(numbers.switch_at[s])] = numbers.port[s * 256 + index(canonical[s])];
  }
}

// The tree of a fabric from a file; more cables may be connected, which dmodk does not use.
// PromiseError says what the fabric is instead.
const TreeMap& filled_tree(const Model& model) {
  const Recognition& known = model.recognition();
  const bool whole =
      known.map && known.map->trees == 1 && known.map->filled() && known.map->extra_switches == 0;
  if (!whole) {
    throw PromiseError(fmt::format(
        "dmodk needs a complete tree whose hosts have one port (ftree routes any fabric "
        "like a tree). {}",
        known.summary));
  }
  return *known.map;
}

// Tables of a recognised tree; terminals without a place (aggregation adapters) are routed like
// their switch.
ForwardingTables recognised_tables(const Model& model, const RouteOptions& options) {
  const Fabric& fabric = model.fabric();
  const TreeMap& map = filled_tree(model);
  const std::vector<LevelNumbers> levels = level_numbers(map.shape);
  const Renumbering numbers = renumbering(fabric, map);
  auto tables = ForwardingTables::unfilled(fabric.num_terminals(), fabric.num_switches(), 0);
  const std::size_t switches = fabric.num_switches();
  const auto fill_switch = [&](Switch destination, std::span<Port> row) {
    std::vector<Port> canonical(switches);
    fill_switch_row(levels, map.place[destination] - map.shape.terminals(), canonical);
    renumber(numbers, canonical, row);
  };
  parallel_for(
      tables.num_destinations(), options.threads,
      [&](std::size_t i, int) {
        const Destination destination{static_cast<std::uint32_t>(i)};
        const auto row = tables.row(destination);
        if (tables.is_switch(destination)) {
          fill_switch(tables.as_switch(destination), row);
          return;
        }
        const Terminal t = tables.terminal(destination);
        if (map.terminal_place[t] == kNoPlace) {
          if (fabric.leaf(t) == kNone<Switch>) {
            std::ranges::fill(row, kNoRoute);
            return;
          }
          fill_switch(fabric.leaf(t), row);
          if (model.aggregation()[t] == 0) require_every_route(fabric, t, row);
        } else {
          std::vector<Port> canonical(switches);
          fill_host_row(levels, map.terminal_place[t], 0, canonical);
          renumber(numbers, canonical, row);
        }
        row[index(fabric.leaf(t))] = fabric.leaf_port(t);
      },
      16);
  return tables;
}

}  // namespace

Routing route_dmodk(const Model& model, const RouteOptions& options) {
  const Fabric& fabric = model.fabric();
  if (!fabric.tree()) return {.tables = recognised_tables(model, options)};
  const TreeShape& shape = *fabric.tree();
  const std::vector<LevelNumbers> levels = level_numbers(shape);
  auto tables = ForwardingTables::unfilled(fabric.num_terminals(), fabric.num_switches(), 0);
  const std::uint32_t ports = shape.up_ports(0);
  parallel_for(
      fabric.num_terminals(), options.threads,
      [&](std::size_t t, int) {
        fill_host_row(levels, t / ports, static_cast<std::uint32_t>(t % ports),
                      tables.row(tables.destination(Terminal{static_cast<std::uint32_t>(t)})));
      },
      64);
  parallel_for(fabric.num_switches(), options.threads, [&](std::size_t s, int) {
    fill_switch_row(levels, s, tables.row(tables.destination(static_cast<Switch>(s))));
  });
  return {.tables = std::move(tables)};
}

}  // namespace fatwood
