// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Whose traffic is measured ("among"): all, compute, storage, service, or a file of hosts. One
// parameter for all requests.

#include <string>

#include "tasks/measured.hpp"

namespace fatwood {

struct FoundParticipants {
  Participants who;
  std::string note = {};  // for the user; "" if none
};

// "": default_participants(). InputError for a file that cannot be read, names that are not there,
// and fewer than two adapters.
FoundParticipants find_participants(const Model& model, const std::string& among);

}  // namespace fatwood
