// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood trace`.

#include <string>

#include "routing/tables/trace.hpp"

namespace fatwood {

std::string trace_text(const Fabric& fabric, const PacketTrace& trace, unsigned lane);
std::string trace_json(const Fabric& fabric, const PacketTrace& trace, unsigned lane);

}  // namespace fatwood
