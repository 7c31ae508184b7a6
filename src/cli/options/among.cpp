// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/among.hpp"

#include <fmt/format.h>

#include "io/lists/host_list.hpp"

namespace fatwood::cli {

Option* add_among(Verb& verb, AmongChoice& among) {
  return verb.add_option("--among", among.text,
                         std::string("hosts that take part: all, compute, storage, service, or a "
                                     "file of hosts") +
                             (among.text.empty() ? " (default: compute where roles differ)" : ""));
}

Participants find_participants(const Model& model, const AmongChoice& among) {
  if (among.text.empty()) return default_participants(model);
  if (among.text == "all") return all_participants(model);
  for (const Role role : kRoles) {
    if (among.text == name_of(role)) return participants_with(model, role);
  }
  const std::string list = among.text.starts_with('@') ? among.text : "@" + among.text;
  const KnownHosts known =
      read_host_list(model.fabric(), model.hosts().hosts, list, {.file = "--among"});
  print_note(known.warning());
  return participants_of(model, known.hosts, among.text);
}

}  // namespace fatwood::cli
