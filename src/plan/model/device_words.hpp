// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Interprets names and type words of devices. Case is ignored.

#include <optional>
#include <string>
#include <string_view>

#include "topology/fabric.hpp"

namespace fatwood {

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
std::string lower_case(std::string_view text);
bool starts_with_word(std::string_view text, std::string_view word);

// "SW", "leaf", "MQM9700": a switch; "FI", "HCA", "server": a host. No value for other words.
std::optional<NodeKind> kind_of_type(std::string_view type);
// By a part of the name: "ib-leaf-03", "spine1", "sw-hsn001". No value if none is known.
std::optional<NodeKind> kind_of_name(std::string_view name);

// The parts of a found node's description: "MF0;dir1:CS8500/L03/U1" is system dir1 of model CS8500,
// chip L03/U1. A single chip is "": "MF0;leaf1:MQM8700/U1" and "leaf1" are leaf1.
struct SystemName {
  std::string_view name;   // all three point into the description
  std::string_view model;  // "" if there is none
  std::string_view chip;
};
SystemName system_name(std::string_view description);

}  // namespace fatwood
