// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Reads a request for a plan from text: sizes as words, and optional files. Used by the command
// line and Python.

#include <string>
#include <vector>

#include "plan/sizing/request.hpp"

namespace fatwood {

inline constexpr unsigned kMostPlanHosts = 1'000'000;

struct PlanWords {
  unsigned hosts = 0;
  unsigned rails = 1;
  unsigned adapter_ports = 1;
  unsigned rate = 200;
  unsigned radix = 0;       // 0: from the catalogue
  std::string spine_radix;  // "800:40"; "": as leaves
  unsigned split = 1;
  std::string oversubscription;  // "2:1,1:1"
  unsigned unit = 0, pod = 0, planes = 0;
  std::vector<std::string> reserve;  // "storage=8"
  std::string growth;                // "128", "25%"
  bool twin = false;
  bool unit_spine = false;
  std::string catalogue, prices, layout, cables;  // files; "": none
};

// InputError for invalid words.
PlanRequest read_plan_words(const PlanWords& words);
// Reads only the files; defaults if there are none.
LayoutRules layout_of(const PlanWords& words);
CableTable cables_of(const PlanWords& words);

}  // namespace fatwood
