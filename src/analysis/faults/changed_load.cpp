// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/faults/changed_load.hpp"

namespace fatwood {

AllToAllLoad ChangedLoad::most_loaded(std::size_t hosts) const {
  Channel best = kNone<Channel>;
  const auto look = [&](Channel c) {
    if (best == kNone<Channel> || most_.before(c, flow_on(c), best, flow_on(best))) best = c;
  };
  for (const Channel c : touched_) look(c);
  const auto rest =
      std::ranges::find_if(order_, [&](Channel c) { return !change_.touched(index(c)); });
  if (rest != order_.end()) look(*rest);
  if (best == kNone<Channel> || flow_on(best) == 0) return {};
  return most_.result(best, flow_on(best), hosts);
}

std::vector<std::uint32_t> counted_terminals_on(const Model& model) {
  std::vector<std::uint32_t> on(model.fabric().num_switches());
  for (const Terminal t : model.adapters().all_terminals()) {
    const Switch leaf = model.fabric().leaf(t);
    if (leaf != kNone<Switch>) ++on[index(leaf)];
  }
  return on;
}

std::uint64_t pairs_of_switch(const Model& model, std::span<const std::uint32_t> on, Switch gone) {
  const Table<Switch, std::uint32_t>& component = model.components().component;
  std::uint64_t all = 0;  // that cables join to those of the switch
  for (const Switch s : ids<Switch>(component.size())) {
    if (component[s] == component[gone]) all += on[index(s)];
  }
  const std::uint64_t lost = on[index(gone)];
  return lost == 0 ? 0 : 2 * lost * (all - lost) + lost * (lost - 1);
}

std::size_t hosts_without(const Model& model, Switch gone) {
  const Adapters& adapters = model.adapters();
  if (gone == kNone<Switch>) return adapters.size();
  std::size_t left = 0;
  for (const Adapter adapter : ids<Adapter>(adapters.size())) {
    const auto is_left = [&](Terminal t) { return model.fabric().leaf(t) != gone; };
    if (std::ranges::any_of(adapters.terminals(adapter), is_left)) ++left;
  }
  return left;
}

}  // namespace fatwood
