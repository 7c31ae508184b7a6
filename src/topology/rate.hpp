// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The width and signalling of a link as InfiniBand names them ("4xHDR"), or the speed of an
// Ethernet link ("400G", width 1), in two bytes; 0: unknown.

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
  kEdr20,  // old hardware with 20 Gb/s per lane
  kEth1,   // Ethernet: the whole link
  kEth10,
  kEth25,
  kEth40,
  kEth50,
  kEth100,
  kEth200,
  kEth400,
  kEth800,
  kEth1600
};

struct Rate {
  std::uint8_t width = 0;  // lanes of the cable: 1, 2, 4, 8 or 12; 0 unknown
  Speed speed = Speed::kUnknown;

  friend auto operator<=>(const Rate&, const Rate&) = default;
};

inline constexpr Rate kDefaultRate{4, Speed::kQdr};

inline constexpr Rate kDefaultEthernetRate{1, Speed::kEth100};

inline bool is_ethernet(Rate rate) { return rate.speed >= Speed::kEth1; }
// 400 for "400G"; no value for speeds that Ethernet does not have.
std::optional<Rate> ethernet_rate(double gigabits);
// The same for "400" and "400G", as people ask for it.
std::optional<Rate> parse_ethernet_rate(std::string_view text);
// "4xHDR", "400G"; "" if unknown.
std::string to_string(Rate rate);
// The inverse; no value if the text is not a rate.
std::optional<Rate> parse_rate(std::string_view text);
// Data rate in Gb/s (after line coding); 0 if unknown.
double gigabits(Rate rate);

}  // namespace fatwood
