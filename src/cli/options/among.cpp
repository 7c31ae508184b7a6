// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/among.hpp"

namespace fatwood::cli {

Option* add_among(Verb& verb, std::string& among) {
  return verb.add_option("--among", among,
                         std::string("hosts that take part: all, compute, storage, service, or a "
                                     "file of hosts") +
                             (among.empty() ? " (default: compute where roles differ)" : ""));
}

Participants participants(const OpenFabric& fabric, const std::string& among) {
  FoundParticipants found = find_participants(*fabric.model, among);
  print_note(found.note);
  return std::move(found.who);
}

}  // namespace fatwood::cli
