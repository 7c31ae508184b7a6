// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// In which order can switches be rewritten from old to new tables, so that no packet loops and
// nothing deadlocks meanwhile?
//
//   const fatwood::Transition change = fatwood::transition(model, old, now);
//   change.safety                   any order, in rounds, or not at all
//   fatwood::tables_of_rounds(old.tables, now.tables, change)      the tables after each round

#include "tasks/change/transition.hpp"
