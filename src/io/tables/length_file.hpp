// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lengths of channels that prove a lower bound of a traffic's load
// (analysis/bounds/length_bound.hpp).
//
//   fatwood-lengths 1
//   bound 11556/5
//   LENGTH NODE[PORT]       of the channel that leaves this port; an integer; 0 if left out
//
// Blank lines and lines that begin with '#' are skipped. NODE is a GUID (0x and 16 digits), as
// Fatwood writes it, or a name of the fabric's file or formula.

#include <cstdint>
#include <string>

#include "core/fraction.hpp"
#include "core/table.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

struct LengthFile {
  Fraction bound;  // as claimed by the file
  Table<Channel, std::uint32_t> length;
};

std::string length_text(const Fabric& fabric, const LengthFile& lengths);
// InputError with file, line and column.
LengthFile read_lengths(const std::string& path, const Fabric& fabric);

}  // namespace fatwood
