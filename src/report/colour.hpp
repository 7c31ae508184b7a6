// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Coloured text for terminals.

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace fatwood {

enum class Colour : std::uint8_t { kNone, kAnsi };
enum class Hue : std::uint8_t { kGreen, kYellow, kRed, kBold, kFaint };

inline std::string painted(Colour colour, Hue hue, std::string_view text) {
  if (colour == Colour::kNone || text.empty()) return std::string(text);
  constexpr std::string_view kCodes[] = {"32", "33", "31", "1", "2"};
  return fmt::format("\033[{}m{}\033[0m", kCodes[static_cast<std::size_t>(hue)], text);
}

}  // namespace fatwood
