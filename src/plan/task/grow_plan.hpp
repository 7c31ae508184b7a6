// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// `fatwood plan --grow OLD`: is each step of a growth (plan/sizing/growth.hpp) safe?
//
// Each step changes the tables twice, and each change is checked:
// 1. Before cables are unplugged: the tables are repaired so that they do not use these cables.
// 2. After cables are plugged: the tables are repaired again, so that new hosts and switches have
//    routes.
// `transition` checks whether old and new tables may be mixed on the present fabric. At the end the
// engine routes the whole fabric, and the change to these tables is checked, too.
//
// Connected: in every state, end ports that were in one component before the growth are in one
// component, except those whose own cable is out; every host of before that has more than one cable
// has at least one; and any two hosts that had a plane in common have one. A host with a single
// cable is off while that is moved (hosts_off).
//
// The state without all cables that a step unplugs is the worst of the step: any order of its
// actions passes only through states with more cables.

#include <cstdint>
#include <string>
#include <vector>

#include "plan/sizing/growth.hpp"
#include "plan/task/plan_figures.hpp"
#include "verify/transition.hpp"

namespace fatwood {

// One change of tables.
struct TableChange {
  std::string when;  // "before unplugging", "after plugging", "at the end"
  Safety transition = Safety::kNone;
  std::uint64_t entries = 0;  // that change
  bool deadlock_free = false;
  bool connected = false;  // the state without the unplugged cables, or with the new ones
  std::string cut_off;     // why it is not connected, with the first hosts; "": it is
  std::string fault;       // the reason if it could not be checked; "": it was

  bool safe() const {
    return fault.empty() && connected && deadlock_free && transition != Safety::kNone;
  }
};

struct CheckedStep {
  std::vector<TableChange> changes;
};

struct GrowResult {
  Growth growth;
  std::vector<CheckedStep> steps;  // by step of the growth
  TableChange last;                // to the tables of the whole fabric

  // Every change is; hosts_off() are the only hosts that are off in a step.
  bool safe() const;
  std::vector<std::uint32_t> hosts_off() const;  // devices
};

struct GrowOptions {
  GrowthOptions growth;
  FigureOptions route;
  bool verify = true;  // false: no step is routed
};

GrowResult grow_plan(const Plan& old, const Plan& wanted, const GrowOptions& options = {});

}  // namespace fatwood
