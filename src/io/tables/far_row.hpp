// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One row of a table in a .far file: "0x0001 12 Free 3", that is LID, port, state, group.

#include <array>

#include "io/base/cursor.hpp"
#include "routing/adaptive/port_sets.hpp"
#include "routing/tables/lids.hpp"

namespace fatwood {

inline constexpr std::uint64_t kMaxFarGroup = kNoGroup - 1;

struct FarRow {
  Lid lid = kNoLid;
  Port port = kOwnPort;
  EntryState state = EntryState::kStatic;
  GroupNumber group = 0;
};

// Reads a row that begins with "0x" in its common form. Returns its line end, or nullptr if it has
// another form. Throws nothing. REQUIRES a line end somewhere.
const char* scan_far_row(const char* at, FarRow& row);

// Reads a row in any form. InputError says what is wrong with it.
FarRow read_far_row(Cursor& line);

inline constexpr std::size_t kFarLidEnd = 6;  // of a row that begins "0x0001"

// The LID of a row that begins with "0x0001" or the like; more than any LID for other rows.
inline Lid lid_of_far_row(const char* row) {
  static constexpr auto kDigits = [] {
    std::array<std::uint8_t, 256> digits{};
    digits.fill(255);
    for (unsigned i = 0; i < 10; ++i) digits['0' + i] = static_cast<std::uint8_t>(i);
    for (unsigned i = 0; i < 6; ++i) {
      digits['a' + i] = digits['A' + i] = static_cast<std::uint8_t>(10 + i);
    }
    return digits;
  }();
  const auto digit = [&](std::size_t i) {
    return std::uint32_t{kDigits[static_cast<unsigned char>(row[i])]};
  };
  const std::uint32_t a = digit(2), b = digit(3), c = digit(4), d = digit(5);
  const bool shape = row[0] == '0' && row[1] == 'x' && (a | b | c | d) < 16;
  return shape ? Lid{a << 12U | b << 8U | c << 4U | d} : kNone<Lid>;
}

}  // namespace fatwood
