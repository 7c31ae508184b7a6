// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The text after the LID in a row of a far file (far.hpp): port, state, group and line end. A
// switch has some tens of different tails and tens of thousands of rows. So a row is read by
// finding its tail among those seen before; text that is not identical goes to the careful parser.
//
// Encoding: one slot per hash of the first and last eight bytes; a new tail replaces the old one in
// its slot. A tail ends with its only line end, so equal bytes are a complete row. Cost: a few
// loads and compares per row.

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "routing/adaptive/port_sets.hpp"

namespace fatwood {

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
