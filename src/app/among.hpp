// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Whose traffic is measured ("among"): all, compute, storage, service, or a file of hosts. One
// parameter for all requests.

#include <string>

#include "app/parameter.hpp"
#include "tasks/measured.hpp"

namespace fatwood {

template <class Visitor>
void describe_among(Visitor& visit, std::string& among) {
  visit(among, {.name = "among",
                .help = std::string("hosts that take part: all, compute, storage, service, or a "
                                    "file of hosts") +
                        (among.empty() ? " (default: compute where roles differ)" : ""),
                .pattern = "(all|compute|storage|service)"});
}

struct FoundParticipants {
  Participants who;
  std::string note = {};  // for the user; "" if none
};

// "": default_participants(). InputError for a file that cannot be read, names that are not there,
// and fewer than two adapters.
FoundParticipants find_participants(const Model& model, const std::string& among);

}  // namespace fatwood
