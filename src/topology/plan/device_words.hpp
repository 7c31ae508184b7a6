// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What names and type words of devices say. Letter case never counts.

#include <optional>
#include <string>
#include <string_view>

#include "topology/fabric.hpp"

namespace fatwood {

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
std::string lower_case(std::string_view text);
bool starts_with_word(std::string_view text, std::string_view word);

// "SW", "leaf", "MQM9700": a switch; "FI", "HCA", "server": a host. Nothing for other words.
std::optional<NodeKind> kind_of_type(std::string_view type);
// By a part of the name: "ib-leaf-03", "spine1", "sw-hsn001". Nothing where it has none.
std::optional<NodeKind> kind_of_name(std::string_view name);

// A description of a found node, taken apart: "MF0;dir1:CS8500/L03/U1" is system dir1 of model
// CS8500, chip L03/U1. A single chip is "": "MF0;leaf1:MQM8700/U1" and "leaf1" are leaf1.
struct SystemName {
  std::string_view name;   // points into the description, as the others
  std::string_view model;  // "" where it has none
  std::string_view chip;
};
SystemName system_name(std::string_view description);

}  // namespace fatwood
