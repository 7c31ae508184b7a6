// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The width and signalling of a link as InfiniBand names them ("4xHDR"), in two bytes; 0: unknown.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fatwood {

enum class Speed : std::uint8_t {
  kUnknown,
  kSdr,
  kDdr,
  kQdr,
  kFdr10,
  kFdr,
  kEdr,
  kHdr,
  kNdr,
  kXdr,
  kEdr20  // old hardware with 20 Gb/s per lane
};

struct Rate {
  std::uint8_t width = 0;  // lanes of the cable: 1, 2, 4, 8 or 12; 0 unknown
  Speed speed = Speed::kUnknown;

  friend auto operator<=>(const Rate&, const Rate&) = default;
};

inline constexpr Rate kDefaultRate{4, Speed::kQdr};

// "4xHDR"; "" if unknown.
std::string to_string(Rate rate);
// The inverse; no value if the text is not a rate.
std::optional<Rate> parse_rate(std::string_view text);
// Data rate in Gb/s (after line coding); 0 if unknown.
double gigabits(Rate rate);

}  // namespace fatwood
