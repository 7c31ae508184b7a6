// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood trace`. {"reached", "failure", "lane", "hops": [{"from", "out", "to",
// "in"}]}

#include <string>

#include "routing/tables/packet_path.hpp"

namespace fatwood {

std::string trace_text(const Fabric& fabric, const PacketPath& trace, unsigned lane);
std::string trace_json(const Fabric& fabric, const PacketPath& trace, unsigned lane);

}  // namespace fatwood
