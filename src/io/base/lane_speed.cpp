// SPDX-License-Identifier: BSD-3-Clause
#include "io/base/lane_speed.hpp"

#include <utility>

namespace fatwood {

namespace {

constexpr std::pair<std::string_view, Speed> kLaneSpeeds[] = {
    {"2.5", Speed::kSdr}, {"5", Speed::kDdr},       {"10", Speed::kQdr},      {"14", Speed::kFdr},
    {"25", Speed::kEdr},  {"FDR10", Speed::kFdr10}, {"EDR20", Speed::kEdr20}, {"50", Speed::kHdr},
    {"100", Speed::kNdr}, {"200", Speed::kXdr}};

}  // namespace

Speed speed_of_lane(std::string_view text) {
  for (const auto& [name, speed] : kLaneSpeeds) {
    if (name == text) return speed;
  }
  return Speed::kUnknown;
}

}  // namespace fatwood
