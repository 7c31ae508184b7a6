// SPDX-License-Identifier: BSD-3-Clause
#include "io/fabric/node_words.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/text/parse_number.hpp"
#include "routing/tables/lids.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kGuidDigits = 16;  // of a GUID

constexpr std::pair<std::string_view, Speed> kLaneSpeeds[] = {
    {"2.5", Speed::kSdr}, {"5", Speed::kDdr},       {"10", Speed::kQdr},      {"14", Speed::kFdr},
    {"25", Speed::kEdr},  {"FDR10", Speed::kFdr10}, {"EDR20", Speed::kEdr20}, {"50", Speed::kHdr},
    {"100", Speed::kNdr}, {"200", Speed::kXdr}};

}  // namespace

std::string id_of_guid(NodeKind kind, std::uint64_t guid) {
  const char letter = kind == NodeKind::kSwitch ? 'S' : kind == NodeKind::kRouter ? 'R' : 'H';
  return fmt::format("{}-{:016x}", letter, guid);
}

std::string with_leading_zeros(std::string_view id) {
  if (guid_in_id(id) == 0 || id.size() >= kGuidDigits + 2) return std::string(id);
  return fmt::format("{}{:0>{}}", id.substr(0, 2), id.substr(2), kGuidDigits);
}

NodeKind read_kind(Cursor& line) {
  NodeKind kind = NodeKind::kAdapter;
  if (line.accept("SW")) {
    kind = NodeKind::kSwitch;
  } else if (line.accept("RTR") || line.accept("RT") || line.accept("Rt")) {
    kind = NodeKind::kRouter;
  } else if (!line.accept("CA")) {
    line.expected("CA, SW or RT");
  }
  line.accept("-SM");
  return kind;
}

Speed speed_of_lane(std::string_view text) {
  for (const auto& [name, speed] : kLaneSpeeds) {
    if (name == text) return speed;
  }
  return Speed::kUnknown;
}

Lid unicast_lid(std::uint64_t lid) { return lid > index(kMaxLid) ? kNoLid : static_cast<Lid>(lid); }

std::uint8_t width_of_mask(std::uint64_t mask) {
  if ((mask & 8) != 0) return 12;
  if ((mask & 4) != 0) return 8;
  return (mask & 2) != 0 ? 4 : 1;
}

Speed speed_of_mask(std::uint64_t mask) {
  if ((mask & 4) != 0) return Speed::kQdr;
  return (mask & 2) != 0 ? Speed::kDdr : Speed::kSdr;
}

}  // namespace fatwood
