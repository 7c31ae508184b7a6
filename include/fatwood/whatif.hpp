// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the loss of each cable or switch would cost, and what an addition would give.
//
//   fatwood::whatif(model, routing, options)        all single losses, or random sets
//   fatwood::lose(model, routing, lids, faults, options)  one loss: unrepaired, repaired, rerouted

#include "tasks/change/lose.hpp"
#include "tasks/change/whatif.hpp"
