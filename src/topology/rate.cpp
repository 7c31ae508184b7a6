// SPDX-License-Identifier: BSD-3-Clause
#include "topology/rate.hpp"

#include <array>

#include "core/text/parse_number.hpp"

namespace fatwood {

namespace {
struct SpeedName {
  std::string_view name;
  double gigabits_per_lane;
};
// In the order of Speed.
constexpr std::array<SpeedName, 11> kSpeeds{{{"", 0},
                                             {"SDR", 2},
                                             {"DDR", 4},
                                             {"QDR", 8},
                                             {"FDR10", 10},
                                             {"FDR", 13.64},
                                             {"EDR", 25},
                                             {"HDR", 50},
                                             {"NDR", 100},
                                             {"XDR", 200},
                                             {"EDR20", 20}}};
}  // namespace

std::string to_string(Rate rate) {
  if (rate.width == 0 || rate.speed == Speed::kUnknown) return "";
  return std::to_string(rate.width) + 'x' +
         std::string(kSpeeds[static_cast<std::size_t>(rate.speed)].name);
}

std::optional<Rate> parse_rate(std::string_view text) {
  const std::size_t x = text.find('x');
  if (x == std::string_view::npos) return std::nullopt;
  const unsigned width = parse_number<unsigned>(text.substr(0, x)).value_or(0);
  if (width != 1 && width != 2 && width != 4 && width != 8 && width != 12) return std::nullopt;
  for (std::size_t i = 1; i < kSpeeds.size(); ++i) {
    if (text.substr(x + 1) == kSpeeds[i].name) {
      return Rate{static_cast<std::uint8_t>(width), static_cast<Speed>(i)};
    }
  }
  return std::nullopt;
}

double gigabits(Rate rate) {
  return rate.width * kSpeeds[static_cast<std::size_t>(rate.speed)].gigabits_per_lane;
}

}  // namespace fatwood
