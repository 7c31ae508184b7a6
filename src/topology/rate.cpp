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
constexpr std::array<SpeedName, 21> kSpeeds{
    {{"", 0},       {"SDR", 2},    {"DDR", 4},     {"QDR", 8},   {"FDR10", 10}, {"FDR", 13.64},
     {"EDR", 25},   {"HDR", 50},   {"NDR", 100},   {"XDR", 200}, {"EDR20", 20}, {"1G", 1},
     {"10G", 10},   {"25G", 25},   {"40G", 40},    {"50G", 50},  {"100G", 100}, {"200G", 200},
     {"400G", 400}, {"800G", 800}, {"1600G", 1600}}};
constexpr std::size_t kFirstEthernet = static_cast<std::size_t>(Speed::kEth1);
}  // namespace

std::string to_string(Rate rate) {
  if (rate.width == 0 || rate.speed == Speed::kUnknown) return "";
  std::string name(kSpeeds[static_cast<std::size_t>(rate.speed)].name);
  return is_ethernet(rate) ? name : std::to_string(rate.width) + 'x' + name;
}

std::optional<Rate> parse_rate(std::string_view text) {
  const std::size_t x = text.find('x');
  if (x == std::string_view::npos) {
    for (std::size_t i = kFirstEthernet; i < kSpeeds.size(); ++i) {
      if (text == kSpeeds[i].name) return Rate{1, static_cast<Speed>(i)};
    }
    return std::nullopt;
  }
  const unsigned width = parse_number<unsigned>(text.substr(0, x)).value_or(0);
  if (width != 1 && width != 2 && width != 4 && width != 8 && width != 12) return std::nullopt;
  for (std::size_t i = 1; i < kFirstEthernet; ++i) {
    if (text.substr(x + 1) == kSpeeds[i].name) {
      return Rate{static_cast<std::uint8_t>(width), static_cast<Speed>(i)};
    }
  }
  return std::nullopt;
}

std::optional<Rate> ethernet_rate(double gigabits) {
  for (std::size_t i = kFirstEthernet; i < kSpeeds.size(); ++i) {
    if (gigabits == kSpeeds[i].gigabits_per_lane) return Rate{1, static_cast<Speed>(i)};
  }
  return std::nullopt;
}

std::optional<Rate> parse_ethernet_rate(std::string_view text) {
  if (text.ends_with('G') || text.ends_with('g')) text.remove_suffix(1);
  const auto number = parse_number<double>(text);
  return number ? ethernet_rate(*number) : std::nullopt;
}

double gigabits(Rate rate) {
  return rate.width * kSpeeds[static_cast<std::size_t>(rate.speed)].gigabits_per_lane;
}

}  // namespace fatwood
