// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The switches of a tree-like fabric in one total order, and who is below whom: the ground that
// ftree and sftree stand on.
//
// Order: by level, then by number, so that a horizontal cable has an upper end too. A legal route
// climbs, then descends; up channels ascending followed by down channels descending are then an
// order that every route ascends, whatever cables are missing or skip levels.
//
// Switch s is below a when it reaches a by climbing alone. A peak has no switch of a higher level
// next to it. Peaks are above most of the fabric and have rows of bytes for every switch; the
// others are above few and have lists. Rows of hops are shared by peaks that agree (in a whole
// tree all roots of a column do).
//
// Up-groups of a switch are sorted by column: the lowest root number above the neighbour. Columns
// of a whole tree then come in the same order everywhere, whatever the numbers of its switches.
//
// Cost: O(pairs of switches one above the other), and a byte for each (class of peaks, switch).

#include <cstdint>
#include <span>
#include <vector>

#include "topology/levels.hpp"
#include "topology/port_graph.hpp"

namespace fatwood {

inline constexpr std::uint8_t kNotBelow = 255;
inline constexpr std::uint8_t kMostHops = 120;  // longer climbs than this are not taken

// A switch below another, and its ports that lead there in the fewest hops: the first of each
// parallel bundle in order of columns, then the seconds, and so on (as [Zahavi10] orders up-ports).
struct Below {
  std::uint32_t at;
  std::uint32_t first;  // in TreeClimb::choice
  std::uint16_t choices;
  std::uint8_t hops;
};

constexpr std::uint32_t kNobody = 0xffffffffU;  // no switch, peak or group
constexpr std::size_t kPorts = 256;             // slots of a switch in a table by port

struct TreeClimb {
  PortGraph graph;                       // groups of a switch: down, then up by column
  std::vector<std::uint32_t> reverse;    // of a group: the group of the other end
  std::vector<Level> level;              // by switch
  std::vector<std::uint32_t> ascending;  // switches, lowest first
  std::vector<std::uint32_t> position;   // 0: the highest switch of all
  std::vector<std::uint32_t> column;     // by switch
  std::vector<std::uint32_t> next;       // [switch * kPorts + port]: switch there, or kNobody

  std::vector<std::uint32_t> peak;         // number among the peaks, or kNobody
  std::vector<std::uint32_t> peaks;        // their switches
  std::vector<std::uint32_t> hop_row;      // by peak: its class
  std::vector<std::uint8_t> hops;          // [class][switch]; kNotBelow
  std::vector<std::uint8_t> even_hops;     // by switch: where all peaks agree, else kNotBelow
  std::vector<std::uint32_t> first_below;  // by switch and the end; peaks: only those with a choice
  std::vector<Below> below;
  std::vector<std::uint8_t> choice;
  std::vector<std::uint8_t> only_port;  // [peak][switch]: where there is no choice, else kNoRoute
  std::uint32_t most_choices = 1;       // least common multiple of all choices, within reason

  std::size_t size() const { return graph.switches; }
  std::span<const Below> below_of(std::uint32_t s) const {
    return {below.data() + first_below[s], below.data() + first_below[s + 1]};
  }
  const std::uint8_t* hops_to(std::uint32_t peak_number) const {
    return hops.data() + std::size_t{hop_row[peak_number]} * size();
  }
  bool is_up(std::uint32_t from, std::uint32_t to) const { return position[to] < position[from]; }
};

TreeClimb tree_climb(const PortGraph& graph, const Levels& levels);

}  // namespace fatwood
