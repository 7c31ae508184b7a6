// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Tables after the fabric has changed: as few entries change as possible, and the result is proved.
//
//   const fatwood::RepairResult repaired = fatwood::repair(model, old, lids, options);
//   repaired.routing                the new tables
//   repaired.changes                entries and blocks of 64 LIDs to write
//   repaired.transition.safety      in which order the switches may be rewritten
//
// `old` are tables of the changed fabric's size, for example those of fatwood::load_tables; `lids`
// come with them, or from fatwood::assign_lids(fabric, lmc).

#include "tasks/change/repair.hpp"
