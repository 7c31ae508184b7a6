// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/kept_choices.hpp"

#include <algorithm>
#include <map>

#include "routing/adaptive/destination_classes.hpp"
#include "routing/adaptive/port_sets_builder.hpp"

namespace fatwood {

namespace {

class ChoiceKeeper {
 public:
  ChoiceKeeper(const Model& model, const Routing& old)
      : model_(model),
        fabric_(model.fabric()),
        old_(old),
        builder_(fabric_),
        shrunk_(fabric_.num_switches()),
        next_number_(fabric_.num_switches(), 0),
        reaches_(fabric_.num_switches()),
        row_(fabric_.num_switches()) {
    kept_.routing = {
        .engine = old.engine, .tables = old.tables, .lanes = old.lanes, .sl2vl = old.sl2vl};
    kept_.routing.may_return = old.may_return;
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      for (const PortSets::Numbered& group : old.sets.groups(s)) {
        builder_.add_group(s, group.number, old.sets.content(group));
        next_number_[s] = static_cast<GroupNumber>(group.number + 1);
      }
    }
  }

  KeptChoices keep(const DestinationClasses& classes) {
    for (std::size_t c = 0; c < classes.size(); ++c) {
      find_reaching(classes.of(c).front());
      for (const Destination destination : classes.of(c)) keep_row(destination);
    }
    kept_.routing.sets = std::move(builder_).build(old_.tables.num_destinations());
    return std::move(kept_);
  }

 private:
  // The switches from which some choice leads to the destination: a search from its own.
  void find_reaching(Destination destination) {
    std::ranges::fill(reaches_, 0);
    home_ = home_of(fabric_, old_.tables, destination);
    if (home_ == kNone<Switch>) return;
    std::vector<Switch> queue{home_};
    reaches_[index(home_)] = 1;
    while (!queue.empty()) {
      const Switch s = queue.back();
      queue.pop_back();
      for (const auto& [out, from, port] : fabric_.links(s)) {
        const Port back = fabric_.port(fabric_.peer(out));
        if (reaches_[index(from)] != 0 ||
            !std::ranges::binary_search(old_.ports(from, destination), back)) {
          continue;
        }
        reaches_[index(from)] = 1;
        queue.push_back(from);
      }
    }
  }

  void keep_row(Destination destination) {
    const auto row = kept_.routing.tables.row(destination);
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      const PortSets::KindOf of = old_.sets.of(s, old_.sets.kind(s, destination));
      Port& own = row[index(s)];
      if (s == home_) {
        row_[index(s)] = builder_.kind(s, of.state, of.group, own);
        continue;
      }
      const std::span<const Port> ports = old_.ports(s, destination);
      left_.clear();
      for (const Port port : ports) {
        const Hop hop = model_.hop_map().at(s, port);
        if (hop.to_switch() && reaches_[hop.next()] != 0) left_.push_back(port);
      }
      const bool shrinks = left_.size() != ports.size();
      const bool loses_own = own != kNoRoute && !std::ranges::binary_search(left_, own);
      if (loses_own) own = left_.empty() ? kNoRoute : left_.front();
      if (shrinks || loses_own) kept_.changed.push_back({destination, s});
      row_[index(s)] = builder_.kind(s, of.state, shrinks ? shrunk_group(s) : of.group, own);
    }
    builder_.set_row(destination, row_);
  }
  // The number of a group of the ports that are left.
  GroupNumber shrunk_group(Switch s) {
    const auto [at, fresh] = shrunk_[s].emplace(left_, next_number_[s]);
    if (fresh) builder_.add_group(s, next_number_[s]++, {SubGroup{.ports = left_}});
    return at->second;
  }

  const Model& model_;
  const Fabric& fabric_;
  const Routing& old_;
  PortSetsBuilder builder_;
  Table<Switch, std::map<std::vector<Port>, GroupNumber>> shrunk_;
  Table<Switch, GroupNumber> next_number_;
  KeptChoices kept_;
  // Of the destination in hand.
  Switch home_ = kNone<Switch>;
  std::vector<std::uint8_t> reaches_;  // by switch
  std::vector<Port> left_;
  std::vector<PortSets::Kind> row_;
};

}  // namespace

KeptChoices keep_choices(const Model& model, const Routing& old, int threads) {
  return ChoiceKeeper(model, old).keep(destination_classes(model.fabric(), old, threads));
}

}  // namespace fatwood
