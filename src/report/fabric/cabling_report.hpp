// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood diff PLAN FOUND` about an installation: faults with the places of both
// ends and what to do, progress, and how devices were matched; as text, JSON, CSV, a page, and in
// the format of UFM's NDT plug-in.

#include <string>

#include "report/json.hpp"
#include "tasks/check_cabling.hpp"

namespace fatwood {

// A check, and the found fabric of its channels.
struct CablingView {
  const CablingCheck& check;
  const Model& found;
};

std::string cabling_text(const CablingView& view);
// Adds "complete", "wrong", "matched_by", "devices", "progress", "faults", "moves" and
// "moves_needed" to the keys of diff.
void add_cabling(Json& json, const CablingView& view);
// One row per fault and cable.
std::string cabling_csv(const CablingView& view);
std::string cabling_page(const CablingView& view, std::string_view title);
// {"error", "timestamp", "report": {"miss_wired", "missing_in_ufm", "missing_in_ndt"}}
std::string cabling_ufm(const CablingView& view, std::string_view timestamp);

// The texts of one fault, for all formats.
struct FaultWords {
  std::string what;  // "leaf1 Port 33 (A01-U40) - spine1 Port 1 (B01-U20)"
  std::string todo;  // "move the end at spine2[1] to spine1 Port 1 (B01-U20)"
};
// "spine1 Port 1 (B01-U20)": where a move plugs the cable.
std::string destination_words(const CablingView& view, const CablingMove& move);
FaultWords words_of(const CablingView& view, const CablingFault& fault);
std::string found_port(const CablingView& view, Channel c);

}  // namespace fatwood
