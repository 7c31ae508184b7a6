// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The bill of materials of a plan, and its cost by a user's prices.
//
// Items are switches by model, cards of directors, and cables by type and length. A splitter is one
// cable for all links of a leaf port, as long as the longest. Links that share twin-port cables are
// paired within their level (hosts to leaves, leaves to spines, ...), by length: a cable is as long
// as the longer link. Splitters are not paired. The most specific price of the list counts: "DAC 2
// m" before "DAC" plus "DAC per m" times the length, before "cable"; "64-port switch" before
// "switch". Hosts are not on the bill. Adapters are if the list has a price or a power for them,
// transceivers if it says how many a type of cable needs.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plan/model/plan.hpp"

namespace fatwood {

struct BillLine {
  enum class Kind : std::uint8_t { kSwitch, kCard, kCable, kTransceiver, kAdapter };
  Kind kind = Kind::kSwitch;
  std::string item;     // "64-port switch", "director card", "DAC"
  double length_m = 0;  // of cables
  std::uint64_t count = 0;

  std::string name() const;  // "DAC 2 m"
};

struct Sharing {
  bool splitters = false;             // cables of hosts are; otherwise those whose type says so
  std::uint32_t links_per_cable = 1;  // links that share a twin-port cable
};

std::vector<BillLine> bill_of(const Plan& plan, const Sharing& sharing);

struct PriceList {
  std::string currency;                                    // "" if the file has none
  std::map<std::string, double> each;                      // by item, in lower case
  std::map<std::string, double> watts = {};                // by item, in lower case
  std::map<std::string, std::uint64_t> transceivers = {};  // by type of cable, in lower case
};

// bill_of() with transceivers ("MMF transceiver") and adapters, as the list asks for them.
std::vector<BillLine> bill_with_ends(const Plan& plan, const Sharing& sharing,
                                     const PriceList& prices);

// No value if the list has no price for it.
std::optional<double> price_of(const PriceList& prices, const BillLine& line);

struct Cost {
  double switches = 0, cables = 0, transceivers = 0, adapters = 0;
  std::vector<std::string> unpriced;  // items without a price, which are not in the sums
  std::optional<double> watts = {};   // of all items with a power; no value: the list has none

  double total() const { return switches + cables + transceivers + adapters; }
};
Cost cost_of(const PriceList& prices, const std::vector<BillLine>& bill);

}  // namespace fatwood
