// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/among.hpp"

#include "cli/options/add_options.hpp"

namespace fatwood::cli {

Option* add_among(Verb& verb, std::string& among) {
  AddOptions options(verb);
  describe_among(options, among);
  return options["among"];
}

Participants participants(const OpenFabric& fabric, const std::string& among) {
  FoundParticipants found = find_participants(*fabric.model, among);
  print_note(found.note);
  return std::move(found.who);
}

}  // namespace fatwood::cli
