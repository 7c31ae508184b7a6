// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shared by readers of reports of all tools: kinds of nodes, ids made of GUIDs, LIDs, ibsim's masks
// of rates, and the loop over records of one line each.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "io/base/cursor.hpp"
#include "io/base/input.hpp"
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
// Gb/s per lane as tools write it: "10" is QDR; or "FDR10", "EDR20". kUnknown for anything else.
Speed speed_of_lane(std::string_view text);
// 0 for a LID that is no unicast LID, such as the permissive one.
Lid unicast_lid(std::uint64_t lid);

// The highest bit of ibsim's masks of enabled widths and speeds.
std::uint8_t width_of_mask(std::uint64_t mask);
Speed speed_of_mask(std::uint64_t mask);

// Whether some line satisfies `test`, which gets the line without leading blanks.
template <class Test>
bool any_line(std::string_view text, const Test& test) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    while (line.ends_with('\r')) line.remove_suffix(1);
    while (line.starts_with(' ') || line.starts_with('\t')) line.remove_prefix(1);
    if (test(line)) return true;
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
  return false;
}

// Calls read(Cursor&) with each line that is neither empty nor a comment, without leading blanks.
template <class Read>
void each_record(Input& input, Warnings& warnings, const Read& read) {
  while (const auto text = input.next_line(warnings)) {
    Cursor line(*text, input.name(), input.line_number());
    line.skip_space();
    if (!line.at_end() && line.peek() != '#') read(line);
  }
}

}  // namespace fatwood
