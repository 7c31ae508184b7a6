// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Builds PortSets. Equal groups and rows are stored once.
// Cost: O(log) per group or kind, linear per row.

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "routing/adaptive/port_mask.hpp"
#include "routing/adaptive/port_sets.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

// Groups and rows come in any order, but the groups of a switch before its kinds, and a row after
// all its kinds.
class PortSetsBuilder {
 public:
  explicit PortSetsBuilder(const Fabric& fabric);

  // REQUIRES a number that is new on the switch, and ports that the switch has.
  void add_group(Switch s, GroupNumber number, PortGroup group);
  bool has_group(Switch s, GroupNumber number) const;
  bool has_group(Switch s, GroupNumber number, const PortGroup& content) const;
  // The kind of an entry with this state, group and default port; 0 for static. A group that was
  // not added has no ports. InputError if a switch has more than 65,535 kinds.
  PortSets::Kind kind(Switch s, EntryState state, GroupNumber number, Port own);
  // `kinds` by switch. A destination without a row is static everywhere.
  void set_row(Destination destination, std::span<const PortSets::Kind> kinds);

  // Empty if all rows are static.
  PortSets build(std::size_t destinations) &&;

 private:
  struct Group {
    std::uint32_t content = 0;
    PortMask live{};  // ports with a cable
  };
  struct Key {
    EntryState state;
    GroupNumber number;
    Port outside;  // the default port if it is not in the group, otherwise kNoRoute
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct OfSwitch {
    std::map<GroupNumber, Group> groups;
    std::map<Key, PortSets::Kind> kinds;
    std::vector<PortSets::StoredKind> stored{1};
  };
  std::uint32_t list_of(const PortMask& ports);
  std::uint32_t find_row(std::span<const PortSets::Kind> kinds);
  void append_row(std::span<const PortSets::Kind> kinds);

  const Fabric& fabric_;
  PortSets sets_;
  Table<Switch, OfSwitch> switches_;
  std::map<PortGroup, std::uint32_t> contents_;
  std::map<PortMask, std::uint32_t> lists_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> rows_;  // by hash
  std::vector<PortSets::Kind> last_kinds_;                      // of the row last set
  std::uint32_t last_row_ = 0;
  bool any_ = false;
};

}  // namespace fatwood
