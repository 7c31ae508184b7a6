// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Recognises a fabric: levels, the tree it is or is nearest to, what hangs off the side, and
// findings with the names of ports, so that a technician can act on them.
//
// Levels (levels.hpp), blocks (blocks.hpp), side parts (side_parts.hpp), the tree (tree_map.hpp)
// and the missing cables (missing_cables.hpp) are found in that order; each finding is then derived
// from them: cabling_findings.cpp, host_findings.cpp, rate_findings.cpp, address_findings.cpp. A
// shape is
// named only when every switch of the tree has its place in it; else blocks are described. Cost:
// that of levels, and O(ports).

#include <optional>
#include <string>
#include <vector>

#include "topology/labels.hpp"
#include "topology/recognise/finding.hpp"

namespace fatwood {

struct Recognition {
  Levels levels;
  SwitchNet net;
  Blocks blocks;
  SideParts side;
  std::optional<TreeMap> map;
  std::vector<MissingCable> missing;
  // "This is pgft(3;18,18,6;1,18,3;1,1,6) less 13 cables.", or what there is instead of a shape.
  std::string summary;
  std::vector<Finding> findings;  // by kind, and within a kind by level
};

Recognition recognise(const Fabric& fabric, const Levels& levels, const SwitchNet& net);

// "leaf", "spine", "core" of up to three levels, "level 2" of more; "switch" of one.
std::string level_name(const Levels& levels, Level level);

// Of the first node that a finding is about; 0 when that is no switch.
Level first_level(const Fabric& fabric, const Levels& levels, const Finding& finding);

// Each reports only certain findings.
std::vector<Finding> cabling_findings(const Fabric& fabric, const Recognition& known);
std::vector<Finding> host_findings(const Fabric& fabric, const Recognition& known);
std::vector<Finding> rate_findings(const Fabric& fabric, const Recognition& known);
std::vector<Finding> address_findings(const Fabric& fabric);

}  // namespace fatwood
