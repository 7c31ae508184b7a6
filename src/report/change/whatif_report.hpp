// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text, JSON and CSV of `fatwood whatif`, whose man page explains the keys.
//
// Faults are sorted, worst first, by lost pairs, rate of a host, most loaded channel, entries.
// "mload" and "gigabits_per_second" are those of analysis/load/all_to_all.hpp.

#include <string>

#include "tasks/change/whatif.hpp"

namespace fatwood {

std::string whatif_text(const Model& model, const WhatifResult& report, std::size_t top);
std::string whatif_json(const Model& model, const WhatifResult& report);
std::string whatif_csv(const Model& model, const WhatifResult& report);

}  // namespace fatwood
