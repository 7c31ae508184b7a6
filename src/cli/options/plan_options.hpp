// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The words of `fatwood plan`: sizes, and the files that users may bring.

#include <optional>
#include <string>
#include <vector>

#include "cli/verb.hpp"
#include "tasks/plan/plan.hpp"

namespace fatwood::cli {

struct PlanArguments {
  unsigned hosts = 0;
  unsigned rails = 1;
  unsigned adapter_ports = 1;
  unsigned rate = 200;
  unsigned radix = 0;       // 0: by the catalogue
  std::string spine_radix;  // "800:40"; "": as leaves
  unsigned split = 1;
  std::string oversubscription;  // "2:1,1:1"
  unsigned unit = 0, pod = 0, planes = 0;
  std::vector<std::string> reserve;  // "storage=8"
  std::string growth;                // "128", "25%"
  bool twin = false;
  bool unit_spine = false;
  std::string catalogue, prices, layout, cables;  // files; "": none
  std::string figures = "small";
  std::string engine = "even";
  unsigned choose = 0;
  std::string output;  // a folder; "": none
};

// Returns --hosts, which most of them need.
const Option* add_plan_options(Verb& verb, PlanArguments& arguments);

// InputError for words that make no sense.
PlanOptions plan_options(const PlanArguments& arguments, const Session& session);
// Files alone; defaults where there are none.
LayoutRules layout_of(const PlanArguments& arguments);
CableTable cables_of(const PlanArguments& arguments);

}  // namespace fatwood::cli
