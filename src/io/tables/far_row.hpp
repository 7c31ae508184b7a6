// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One row of a table in a .far file: "0x0001 12 Free 3", that is LID, port, state, group.

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

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

// The text after the LID in a row: port, state, group and line end. A switch has some tens of
// different tails and tens of thousands of rows. So a row is read by finding its tail among those
// seen before; text that is not identical goes to the careful parser.
//
// Encoding: one slot per hash of the first and last eight bytes; a new tail replaces the old one in
// its slot. A tail ends with its only line end, so equal bytes are a complete row. Cost: a few
// loads and compares per row.
class FarTails {
 public:
  static constexpr std::size_t kLeast = 8, kMost = 64;  // bytes, with the line end

  struct Tail {
    std::array<char, kMost> text{};
    std::size_t size = 0;
    std::size_t section = 0;  // of the switch for which it was parsed; sections count from 1
    Port port = kNoRoute;
    PortSets::Kind kind = 0;
  };

  // nullptr: not seen in this section. REQUIRES kLeast <= size <= kMost.
  const Tail* find(const char* text, std::size_t size, std::size_t section) const {
    const Tail& tail = tails_[place(text, size)];
    const bool same = tail.section == section && tail.size == size && equal(tail, text);
    return same ? &tail : nullptr;
  }

  void keep(std::string_view text, std::size_t section, Port port, PortSets::Kind kind) {
    if (text.size() < kLeast || text.size() > kMost) return;
    Tail& tail = tails_[place(text.data(), text.size())];
    std::memcpy(tail.text.data(), text.data(), text.size());
    tail.size = text.size();
    tail.section = section;
    tail.port = port;
    tail.kind = kind;
  }

 private:
  static constexpr unsigned kBits = 10;

  static std::uint64_t word(const char* at) {
    std::uint64_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  static std::size_t place(const char* text, std::size_t size) {
    constexpr std::uint64_t kPrime = 0x9e3779b97f4a7c15U;
    const std::uint64_t first = word(text) * kPrime;
    return ((first >> 23U ^ first) + word(text + size - 8)) * kPrime >> (64U - kBits);
  }
  static bool equal(const Tail& tail, const char* text) {
    std::size_t i = 0;
    std::uint64_t differ = 0;
    for (; i + 8 <= tail.size; i += 8) differ |= word(text + i) ^ word(tail.text.data() + i);
    const std::size_t last = tail.size - 8;
    differ |= word(text + last) ^ word(tail.text.data() + last);
    return differ == 0;
  }

  std::array<Tail, std::size_t{1} << kBits> tails_{};
};

}  // namespace fatwood
