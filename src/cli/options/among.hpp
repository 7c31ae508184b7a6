// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// --among all|compute|storage|service|FILE: whose traffic is measured. One option for all verbs.

#include <string>

#include "cli/verb.hpp"
#include "tasks/measured.hpp"

namespace fatwood::cli {

struct AmongChoice {
  std::string text = "";  // "": default_participants()
};
Option* add_among(Verb& verb, AmongChoice& among);

// InputError for a file that cannot be read, names that are not there, and fewer than two adapters.
Participants find_participants(const Model& model, const AmongChoice& among);

}  // namespace fatwood::cli
