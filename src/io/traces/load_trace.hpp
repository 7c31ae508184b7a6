// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Reads a trace; the format is recognised by the name or the first bytes.

#include "io/base/input.hpp"
#include "traffic/jobs/recorded_run.hpp"

namespace fatwood {

// For Chakra, reads all files of the set. InputError if it is no trace.
LoadedTrace load_trace(Input& input);

}  // namespace fatwood
