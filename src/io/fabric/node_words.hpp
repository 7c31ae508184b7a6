// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shared by readers of reports of all tools: kinds of nodes, ids made of GUIDs, LIDs, ibsim's masks
// of rates.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "io/base/cursor.hpp"
#include "io/base/input.hpp"
#include "io/base/lane_speed.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

inline constexpr std::string_view kUnknownRate = "a link's rate is not known";  // a warning

// The first words of ibnetdiscover's and ibsim's records.
inline constexpr std::pair<std::string_view, NodeKind> kNodeKeywords[] = {
    {"Switch", NodeKind::kSwitch}, {"Hca", NodeKind::kAdapter},   {"Ca", NodeKind::kAdapter},
    {"Tca", NodeKind::kAdapter},   {"Router", NodeKind::kRouter}, {"Rt", NodeKind::kRouter}};

// "S-0008f10500200b50"; R for a router, H for any other end node.
std::string id_of_guid(NodeKind kind, std::uint64_t guid);
// Restores lost leading zeros: "S-8f10500200b50" becomes "S-0008f10500200b50".
std::string with_leading_zeros(std::string_view id);

// CA, SW or RT, with or without the mark of a subnet manager.
NodeKind read_kind(Cursor& line);
// 0 for a LID that is no unicast LID, such as the permissive one.
Lid unicast_lid(std::uint64_t lid);

// The highest bit of ibsim's masks of enabled widths and speeds.
std::uint8_t width_of_mask(std::uint64_t mask);
Speed speed_of_mask(std::uint64_t mask);

}  // namespace fatwood
