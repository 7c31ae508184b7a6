// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/among.hpp"

#include <utility>

#include "io/lists/host_list.hpp"
#include "routing/tables/among_paths.hpp"

namespace fatwood::cli {

void add_among(Verb& verb, AmongChoice& among) {
  verb.add_option("--among", among.text,
                  "hosts that take part: all, compute, storage, service, or a file of hosts")
      ->show_default();
}

Participants find_participants(const Model& model, const AmongChoice& among) {
  if (among.text == "all") return all_participants(model);
  for (const Role role : kRoles) {
    if (among.text == name_of(role)) return participants_with(model, role);
  }
  const std::string list = among.text.starts_with('@') ? among.text : "@" + among.text;
  const std::vector<Host> hosts =
      read_host_list(model.fabric(), model.hosts().hosts, list, {.file = "--among"});
  return participants_of(model, hosts, among.text);
}

Measured::Measured(const Model& model, Participants who) : model_(model), who_(std::move(who)) {
  if (who_.adapters.size() == model.adapters().size()) return;
  own_model_ = std::unique_ptr<const Model>(new Model(measured_model(model, who_)));
}

Measured::Measured(const Model& model, const PathSource& paths, Participants who)
    : Measured(model, std::move(who)) {
  paths_ = &paths;
  if (own_model_) own_paths_ = paths_among(*own_model_, model, paths);
}

}  // namespace fatwood::cli
