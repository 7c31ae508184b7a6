// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// --among all|compute|storage|service|FILE: whose traffic is measured (app/among.hpp).

#include <string>

#include "app/among.hpp"
#include "cli/verb.hpp"

namespace fatwood::cli {

// `among`: "" if the default depends on the fabric.
Option* add_among(Verb& verb, std::string& among);
// find_participants() with its note to stderr.
Participants participants(const OpenFabric& fabric, const std::string& among);

}  // namespace fatwood::cli
