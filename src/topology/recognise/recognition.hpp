// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Recognises a fabric: its levels, the tree that it is or resembles, its side parts, and findings
// that name ports, so that a technician can act on them.
//
// Method:
// 1. From given levels (levels.hpp), find blocks (tree_blocks.hpp), side parts (side_parts.hpp),
//    the tree (tree_map.hpp) and missing cables (missing_cables.hpp), in this order.
// 2. Derive findings from them: whole_findings, cabling_findings, host_findings, rate_findings,
//    address_findings.
// The summary names a tree if tree_map.hpp finds one; switches without a place are counted apart.
// Otherwise it describes the blocks. Cost: that of levels, and O(ports).

#include <optional>
#include <string>
#include <vector>

#include "topology/labels.hpp"
#include "topology/recognise/finding.hpp"

namespace fatwood {

struct Recognition {
  Levels levels;
  PortGraph graph;
  TreeBlocks blocks;
  SideParts side;
  std::optional<TreeMap> map;
  std::vector<CableGap> missing;
  // "This is pgft(3;18,18,6;1,18,3;1,1,6) less 13 cables.", or a description of the blocks.
  std::string summary;
  std::vector<Finding> findings;  // by kind, and within a kind by level
};

Recognition recognise(const Fabric& fabric, const Levels& levels, const PortGraph& graph);

// "leaf"; "spine" or "core" in trees of up to three levels, "level-2 switch" in higher ones;
// "switch" if there is only one level.
std::string level_name(const Levels& levels, Level level);

// The level of the first node of a finding; 0 if that is not a switch.
Level first_level(const Fabric& fabric, const Levels& levels, const Finding& finding);

// Each function reports only certain findings.
std::vector<Finding> cabling_findings(const Fabric& fabric, const Recognition& known);
std::vector<Finding> host_findings(const Fabric& fabric, const Recognition& known);
std::vector<Finding> rate_findings(const Fabric& fabric, const Recognition& known);
std::vector<Finding> address_findings(const Fabric& fabric);

// A slow host is intended if several hosts (kIntended) have its rate, and more than one lane:
// storage and service hosts often have older cards. One lane of four is always a fault.
// By finding, in the order of Recognition::findings.
std::vector<Severity> severities(const Recognition& known);

// Estimates the cost of each finding, in hosts' worth of bandwidth, so that a list can start with
// the most expensive one. Routes are not considered; `fatwood whatif` computes exact costs.
//
// Model: the traffic of hosts is spread evenly over the cables up, level by level. A leaf with 20
// hosts and 20 cables up puts one host's worth on each.
// - A missing cable costs the share of its lower switch's traffic that it would carry.
// - A slow cable costs the part of its share that it cannot carry.
// - A slow host costs the bandwidth that it lacks, a host without a cable one host.
// - A finding that disconnects the fabric, or that it is no tree, costs all hosts.
// - Other findings (names, aggregation nodes, extra cables) cost nothing.
// Cost of the computation: O(ports + missing cables).
//
// By finding, in the order of Recognition::findings.
std::vector<double> finding_costs(const Fabric& fabric, const Recognition& known);

}  // namespace fatwood
