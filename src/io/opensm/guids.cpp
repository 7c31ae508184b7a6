// SPDX-License-Identifier: BSD-3-Clause
#include "io/opensm/guids.hpp"

#include <fmt/format.h>

namespace fatwood {

void write_guids(std::ostream& out, const Fabric& fabric, std::span<const Switch> switches) {
  for (const Switch s : switches) {
    out << fmt::format("0x{:016x}\n", fabric.guid(fabric.node(s)));
  }
}

void write_guids(std::ostream& out, const Fabric& fabric, std::span<const Terminal> terminals) {
  for (const Terminal t : terminals) out << fmt::format("0x{:016x}\n", fabric.address(t).guid);
}

}  // namespace fatwood
