// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The cuts of a tree, and the fair share of all-to-all traffic on their links.
//
// A cut is a set P of switches that is closed downwards: what is connected by switches up to some
// level, such as a leaf or a pod. Every link out of P leads upwards.
//
// Fair share. Let D be the traffic from hosts in P to hosts outside, u the capacity of the links
// out of P. Under any routing all of D crosses these links, so their loads (traffic over capacity),
// averaged by capacity, are at least D / u, and so is the largest. The same holds for the links
// into P. A switch above leaves with a host attached is no cut: the traffic of others through it
// dwarfs D. It belongs to its pod.
//
// Table bound. A switch has one entry for an address, so what the hosts of a leaf send to an
// address is a bundle that takes one path. A link carries whole bundles, so multiples of any number
// g that divides all bundles which cross. D / g pieces of size g on the links of the cut have a
// least possible largest load (core/deal_out.hpp): h * ceil((N-h) / k) for what h hosts of a leaf
// with k equal uplinks send to the other N-h. Large bundles can't share links well: of the largest
// j * k + 1 bundles some link has j + 1, which are no smaller than the last j + 1 of them. With 10
// bundles of 24 and 5 of 21 on 12 links, some link has 42. Where all links into P come from one
// switch, that has one port for an address in P, and all that the address gets from outside is one
// bundle.
//
// Hosts with several ports share each flow as in topology/flow_sources.hpp; pairs that no cables
// join have no flow. Loads are those of topology/channel_speeds.hpp: 1 is one flow on a link of
// the usual speed. Order: by level, then by lowest switch. Cost: O(links) per level; shares
// O(cuts * switches with hosts) more.

#include <cstdint>
#include <string>
#include <vector>

#include "core/fraction.hpp"
#include "topology/flow_sources.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct TreeCut {
  Level level = 1;               // of its highest switches, at most
  std::vector<Switch> switches;  // ascending
  std::vector<Channel> links;    // out of it; their peers lead into it
};

// Those with links; each set once, with its lowest level.
std::vector<TreeCut> tree_cuts(const Fabric& fabric, const Levels& levels);

// "LG13-07", or "LG13-07 and 19 more up to level 2".
std::string cut_name(const Fabric& fabric, const TreeCut& cut);

enum class CutDirection : std::uint8_t { kOut, kIn };

struct CutShare {
  std::uint32_t cut = 0;  // in the list of cuts
  CutDirection crossing = CutDirection::kOut;
  double flows = 0;     // that cross: D
  Fraction fair = 0;    // no routing has less on its most loaded link
  Fraction tables = 0;  // no forwarding tables have less; at least `fair`
};

// All to all between the hosts that take part: of each cut with traffic first out, then in.
// `addresses`: of each port, used in equal shares.
std::vector<CutShare> all_to_all_shares(const Model& model, const std::vector<TreeCut>& cuts,
                                        const Table<Terminal, std::uint8_t>& takes_part,
                                        std::uint32_t addresses = 1);

}  // namespace fatwood
