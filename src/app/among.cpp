// SPDX-License-Identifier: BSD-3-Clause
#include "app/among.hpp"

#include "io/lists/host_list.hpp"

namespace fatwood {

FoundParticipants find_participants(const Model& model, const std::string& among) {
  if (among.empty()) return {default_participants(model)};
  if (among == "all") return {all_participants(model)};
  for (const Role role : kRoles) {
    if (among == name_of(role)) return {participants_with(model, role)};
  }
  const std::string list = among.starts_with('@') ? among : "@" + among;
  const KnownHosts known =
      read_host_list(model.fabric(), model.hosts().hosts, list, {.file = param("among")});
  return {participants_of(model, known.hosts, among), known.warning()};
}

}  // namespace fatwood
