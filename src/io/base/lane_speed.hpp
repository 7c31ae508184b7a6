// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The speed of a link as tools write it, by lane.

#include <string_view>

#include "topology/rate.hpp"

namespace fatwood {

// Gb/s per lane: "10" is QDR; or "FDR10", "EDR20". kUnknown for anything else.
Speed speed_of_lane(std::string_view text);

}  // namespace fatwood
