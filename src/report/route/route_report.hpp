// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood route`, whose man page explains the keys.

#include <optional>
#include <string>
#include <vector>

#include "routing/tables/lids.hpp"
#include "tasks/route.hpp"
#include "topology/labels.hpp"

namespace fatwood {

// The files written, with notes on them.
struct RouteFiles {
  std::vector<std::string> names;
  std::optional<bool> own_lids;  // whether they have the fabric's LIDs
  std::vector<std::string> warnings;
};

// Notes on addresses in the files: LIDs that cannot be kept, GUIDs of several ports.
std::vector<std::string> address_warnings(const Fabric& fabric, const Labels& labels,
                                          const Lids& lids);

// `seconds`: of the engine alone.
std::string route_text(const RouteFigures& figures, double seconds, const RouteFiles& files);
std::string route_json(const RouteFigures& figures, double seconds, const RouteFiles& files);

}  // namespace fatwood
