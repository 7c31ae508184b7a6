#pragma once
// A number that tells one fabric, or one set of tables, from another: for files that speak of
// them. FNV-1a over 64-bit words; no protection against malice.

#include <cstdint>

#include "routing/lane_map.hpp"
#include "routing/routing.hpp"

namespace fatwood {

// Of nodes' GUIDs and the cables between their ports; names, LIDs and speeds don't count.
std::uint64_t fingerprint(const Fabric& fabric);
// Of every entry, or source route, and the lane of each.
std::uint64_t fingerprint(const Routing& routing);
// Of the lane of each (switch, port in, port out, level).
std::uint64_t fingerprint(const Fabric& fabric, const LaneMap& map);

}  // namespace fatwood
