// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Runs fatwood-check, the program that checks proofs. It shares no code with fatwood, so it gets
// files: fabric, tables and lanes are written to a temporary folder.

#include <string>

#include "cli/verb.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood::cli {

// Prints what fatwood-check prints, as text or JSON, and sets the exit status: 0 the proof holds, 1
// it does not. InputError if the proof cannot be read or fatwood-check cannot be run.
void run_checker(const Fabric& fabric, const Routing& routing, const std::string& proof,
                 Session& session);

}  // namespace fatwood::cli
