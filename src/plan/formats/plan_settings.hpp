// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Small settings files for `fatwood plan`. A line is a keyword and its words; '#' starts a
// comment; texts with blanks are in double quotes.
//
//   catalogue   switch "64-port NDR" ports 64 speed 400 split 2 cage 2 height 1
//               switch "800-port director" ports 800 speed 200 chips 40 height 29
//   cables      cable DAC speed 400 reach 2 lengths 0.5,1,1.5,2 diameter 9.4 weight 0.045
//               cable "DAC splitter" speed 200 reach 3 lengths 1,2,3 splitter
//   prices      currency EUR
//               price "64-port switch" 1000      price DAC 50      price "AOC per m" 4.5
//               transceivers MMF 2      price "MMF transceiver" 300      power adapter 25
//   layout      rack-units 48                    rack A01 row A position 1 units 48
//               racks-a-row 16                   place leaf-01 A01 40
//               slack 0.5                        distance 2 5
//
// `distance N METRES`: cables between racks at most N apart have that length, in order of lines.
// An unknown keyword or a wrong value is an InputError with line and column.

#include <vector>

#include "io/base/input.hpp"
#include "plan/model/cable_table.hpp"
#include "plan/sizing/bill.hpp"
#include "plan/sizing/layout.hpp"
#include "plan/sizing/sizing.hpp"

namespace fatwood {

std::vector<SwitchModel> read_catalogue(Input& input);
CableTable read_cable_table(Input& input);
PriceList read_prices(Input& input);
LayoutRules read_layout(Input& input);

}  // namespace fatwood
