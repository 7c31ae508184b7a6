// SPDX-License-Identifier: BSD-3-Clause
#include "io/fabric/node_words.hpp"

#include <fmt/format.h>

#include "core/text/parse_number.hpp"
#include "routing/tables/lids.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kGuidDigits = 16;  // of a GUID

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
