// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Reads a trace; the format is recognised by the name or the first bytes.

#include "io/base/input.hpp"
#include "traffic/jobs/recorded_run.hpp"

namespace fatwood {

// Of Chakra, all files of the set that this one belongs to. InputError if it is none of them.
LoadedTrace load_trace(Input& input);

}  // namespace fatwood
