// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The cuts of a tree, and the fair share of all-to-all traffic on their links: a lower bound on the
// most loaded link.
//
// A cut is a set P of switches that is closed downwards: a component of the switches up to some
// level, such as a leaf or a pod. Every link out of P leads up. A switch above the leaves that has
// hosts is no cut by itself: most of its traffic is transit, which the bound ignores. It belongs to
// the cut of its pod.
//
// Fair share. Let D be the traffic from hosts in P to hosts outside, and u the capacity of the
// links out of P. All of D crosses these links, whatever the routing. So the mean of their loads
// (traffic divided by capacity) is at least D / u, and so is the maximum. The same holds for the
// links into P.
//
// Table bound. A switch has one entry per address. So the traffic from the hosts of a leaf to an
// address is a bundle: it takes one path. Links carry whole bundles, which gives larger bounds:
// - Let g divide the size of every bundle across the cut. Then D / g pieces of size g are dealt out
//   to the links, and the smallest possible maximum is known (core/deal_out.hpp). For example, h
//   hosts of a leaf with k equal uplinks that send to N-h others put h * ceil((N-h) / k) on one
//   link.
// - The largest j * k + 1 bundles on k links put j + 1 of them on one link. Its load is at least
//   the sum of the j + 1 smallest of these. With 10 bundles of 24 and 5 of 21 on 12 links, some
//   link has 42.
// - If all links into P come from one switch, that switch has one port per address in P. So all
//   traffic from outside to an address is one bundle.
//
// Hosts with several ports divide each flow as in topology/flow_sources.hpp. Disconnected pairs
// have no flow. Loads are those of topology/channel_speeds.hpp: 1 is one flow on a link of the
// usual speed. Order: by level, then by lowest switch.
// Cost: O(links) per level; for the shares also O(cuts * switches with hosts).

#include <cstdint>
#include <string>
#include <vector>

#include "core/fraction.hpp"
#include "topology/flow_sources.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct TreeCut {
  Level level = 1;               // upper limit of the levels of its switches
  std::vector<Switch> switches;  // ascending
  std::vector<Channel> links;    // out of P; their peers lead into P
};

// Cuts with links. Each set occurs once, with its lowest level.
std::vector<TreeCut> tree_cuts(const Fabric& fabric, const Levels& levels);

// "LG13-07", or "LG13-07 and 19 more up to level 2".
std::string cut_name(const Fabric& fabric, const TreeCut& cut);

enum class CutDirection : std::uint8_t { kOut, kIn };

struct CutShare {
  std::uint32_t cut = 0;  // index in the list of cuts
  CutDirection crossing = CutDirection::kOut;
  double flows = 0;     // D: flows across the cut
  Fraction fair = 0;    // lower bound on the most loaded link for any routing
  Fraction tables = 0;  // the same for forwarding tables; at least `fair`
};

// All-to-all between the hosts that take part. For each cut with traffic: out, then in. Each port
// has `addresses` addresses, used in equal shares.
std::vector<CutShare> all_to_all_shares(const Model& model, const std::vector<TreeCut>& cuts,
                                        const Table<Terminal, std::uint8_t>& takes_part,
                                        std::uint32_t addresses = 1);
// The largest fair share: the least load of the most loaded link between switches, whatever the
// routing, if all counted hosts send to each other. REQUIRES a connected fabric.
Fraction all_to_all_bound(const Model& model);

}  // namespace fatwood
