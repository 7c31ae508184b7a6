// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The traffic that a routing serves worst.
//
//   fatwood::find_worst(model, paths, name, options)      exactly on complete trees, else bounds
//
// `paths` as in fatwood/load.hpp.

#include "tasks/worst.hpp"
