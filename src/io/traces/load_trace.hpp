// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A trace, of whatever format its name or first bytes tell.

#include <string>

#include "io/base/input.hpp"
#include "traffic/jobs/trace.hpp"

namespace fatwood {

struct LoadedTrace {
  std::string format;  // "GOAL", "GOAL binary", "Chakra"
  Trace trace;
};

// Of Chakra, all files of the set that this one belongs to. InputError when it is none of them.
LoadedTrace load_trace(Input& input);

}  // namespace fatwood
