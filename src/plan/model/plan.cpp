// SPDX-License-Identifier: BSD-3-Clause
#include "plan/model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "plan/model/device_words.hpp"

namespace fatwood {

std::string place_text(const PlanDevice& device) {
  if (device.unit == 0) return device.rack;
  return fmt::format("{}{}U{}", device.rack, device.rack.empty() ? "" : "-", device.unit);
}

std::string end_text(const Plan& plan, const PlanEnd& end) {
  const PlanDevice& device = plan.device(end);
  const std::string place = place_text(device);
  return fmt::format("{} {}{}", device.name, end.text,
                     place.empty() ? "" : fmt::format(" ({})", place));
}

namespace {

struct SoldSpeed {
  Speed speed;
  std::string_view name;
  double gbps;  // of four lanes
};
// In the order in which a speed without a name is taken.
constexpr std::array<SoldSpeed, 9> kSold{{{Speed::kSdr, "sdr", 10},
                                          {Speed::kDdr, "ddr", 20},
                                          {Speed::kQdr, "qdr", 40},
                                          {Speed::kFdr, "fdr", 56},
                                          {Speed::kEdr, "edr", 100},
                                          {Speed::kHdr, "hdr", 200},
                                          {Speed::kNdr, "ndr", 400},
                                          {Speed::kXdr, "xdr", 800},
                                          {Speed::kFdr10, "fdr10", 40}}};

std::optional<Rate> as_rate(const SoldSpeed& sold, double gbps) {
  for (const unsigned width : {4U, 2U, 1U, 8U, 12U}) {
    if (sold.gbps * width == gbps * 4) return Rate{static_cast<std::uint8_t>(width), sold.speed};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Rate> rate_of_speed(double gbps, std::string_view text) {
  const std::string words = lower_case(text);
  for (auto sold = kSold.rbegin(); sold != kSold.rend(); ++sold) {
    if (words.find(sold->name) == std::string::npos) continue;
    if (const auto rate = as_rate(*sold, gbps)) return rate;
  }
  for (const SoldSpeed& sold : kSold) {
    if (sold.gbps == gbps) return Rate{4, sold.speed};
  }
  // 25 and 50 Gb/s are parts of faster ports.
  for (const SoldSpeed& sold : kSold) {
    if (sold.gbps < 100) continue;
    if (const auto rate = as_rate(sold, gbps)) return rate;
  }
  return std::nullopt;
}

double sold_speed(Rate rate) {
  const auto at = std::ranges::find(kSold, rate.speed, &SoldSpeed::speed);
  return at == kSold.end() ? gigabits(rate) : at->gbps * rate.width / 4;
}

}  // namespace fatwood
