// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A trace, of whatever format its name or first bytes tell.

#include <string>

#include "traffic/trace.hpp"

namespace fatwood {

struct LoadedTrace {
  std::string format;  // "GOAL", "GOAL binary", "Chakra"
  Trace trace;
};

// InputError when it is none of them.
LoadedTrace load_trace(const std::string& path);

}  // namespace fatwood
