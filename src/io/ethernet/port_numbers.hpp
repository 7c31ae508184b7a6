// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Numbers for the ports of Ethernet switches, which have names only.
//
// A port that an earlier fabric has, too (a plan that is compared with this one), keeps its number.
// Otherwise swp7 is 7 if all names of the device are one word and a number from 1 to 254, each
// different; else the names are counted in natural order.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/loaded_fabric.hpp"
#include "topology/fabric.hpp"
#include "topology/run_data.hpp"

namespace fatwood {

// The numbers in a fabric, by its labels. Empty if it has none.
PortNumbers port_numbers(const Fabric& fabric, const RunData& run);

// A number from 1 up for each name; the names are different. 255 and more where there are too many.
std::vector<std::uint32_t> number_ports(std::string_view device,
                                        const std::vector<std::string>& names,
                                        const PortNumbers* like);

}  // namespace fatwood
