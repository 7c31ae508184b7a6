// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What lengths of channels prove about a traffic, by other means than
// analysis/bounds/length_bound.cpp. Distances from every source switch, by
// going over all channels until nothing gets shorter. Exact. Cost: O(switches * channels * hops).

#include <cstdint>

#include "core/fraction.hpp"
#include "core/table.hpp"
#include "topology/model.hpp"
#include "traffic/traffic.hpp"

namespace fatwood::oracle {

// Whether every routing gives the traffic a channel with that load or more, if lengths prove it.
bool proves_bound(const Model& model, const Traffic& traffic,
                  const Table<Channel, std::uint32_t>& length, Fraction bound);

}  // namespace fatwood::oracle
