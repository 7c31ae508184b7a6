// SPDX-License-Identifier: BSD-3-Clause
#include "topology/hosts/participants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.hpp"
#include "topology/labels.hpp"

namespace fatwood {
namespace {

template <class TakesPart>
Participants participants_if(const Model& model, std::string among, const TakesPart& takes_part) {
  const Roles& roles = model.roles();
  Participants result{std::move(among), {}, {}};
  for (const Adapter a : ids<Adapter>(model.adapters().size())) {
    if (!takes_part(a)) continue;
    result.adapters.push_back(a);
    ++result.by_role[static_cast<std::size_t>(roles.of(a))];
  }
  return result;
}

Participants at_least_two(Participants participants) {
  if (participants.adapters.size() >= 2) return participants;
  throw InputError(fmt::format(
      "{}: {} here, and figures are about pairs. `fatwood show` lists the roles",
      param("among", participants.among), counted(participants.adapters.size(), "adapter")));
}

}  // namespace

bool Participants::mixed() const {
  return std::ranges::count_if(by_role, [](std::size_t n) { return n > 0; }) > 1;
}

Participants all_participants(const Model& model) {
  return participants_if(model, "all", [](Adapter) { return true; });
}

Participants participants_with(const Model& model, Role role) {
  return at_least_two(participants_if(model, std::string(name_of(role)),
                                      [&](Adapter a) { return model.roles().of(a) == role; }));
}

Participants participants_of(const Model& model, std::span<const Host> hosts, std::string among) {
  const Hosts& all = model.hosts().hosts;
  Table<Host, std::uint8_t> listed(all.size());
  for (const Host h : hosts) listed[h] = 1;
  return at_least_two(participants_if(model, std::move(among), [&](Adapter a) {
    const Host h = all.of(model.adapters().node(model.fabric(), a));
    return h != kNone<Host> && listed[h] != 0;
  }));
}

std::string describe(const Participants& participants) {
  std::vector<std::string> parts;
  for (const Role role : kRoles) {
    if (participants.with(role) == 0) continue;
    parts.push_back(fmt::format("{} {}", participants.with(role), name_of(role)));
  }
  return fmt::format("{} adapter{}", listed(parts), participants.adapters.size() == 1 ? "" : "s");
}

std::uint64_t connected_pairs(const Model& model, const Participants& participants) {
  // Adapters by the components that their ports are in: few different sets.
  std::map<std::set<std::uint32_t>, std::uint64_t> count;
  for (const Adapter adapter : participants.adapters) {
    std::set<std::uint32_t> components;
    for (const Terminal t : model.adapters().terminals(adapter)) {
      const Switch leaf = model.fabric().leaf(t);
      if (leaf != kNone<Switch>) components.insert(model.components().component[leaf]);
    }
    ++count[components];
  }
  std::uint64_t pairs = 0;
  for (const auto& [a, many] : count) {
    for (const auto& [b, others] : count) {
      const bool share = std::ranges::any_of(a, [&](std::uint32_t c) { return b.contains(c); });
      if (share) pairs += many * (&a == &b ? others - 1 : others);
    }
  }
  return pairs;
}

Model measured_model(const Model& model, const Participants& participants) {
  Table<Terminal, std::uint8_t> takes_part(model.fabric().num_terminals());
  for (const Adapter a : participants.adapters) {
    for (const Terminal t : model.adapters().terminals(a)) takes_part[t] = 1;
  }
  ModelHints hints = model.hints();
  for (const Terminal t : model.adapters().all_terminals()) {
    if (takes_part[t] == 0) hints.silent.push_back(t);
  }
  return Model(model.fabric(), std::move(hints));
}

}  // namespace fatwood
