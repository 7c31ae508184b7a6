// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Adaptive tables: what a switch may do with a packet besides taking the one port of
// ForwardingTables.
//
// An entry (switch, destination) has a default port, which stays in ForwardingTables, a state, and,
// unless the state is static, a group of the switch: a numbered list of sub-groups of ports. Free
// takes any port of the group packet by packet, bounded keeps a port for a burst, hashed takes the
// port that a hash of the packet says. Which packets may do so is a matter of switch and sender;
// for proofs each entry stands for all that can happen: its default port and every port of its
// group that has a cable.
//
// Encoding. On a switch, entries of one state and group are of one *kind*; kind 0 is static. A
// destination's row has a byte for each switch, its kind there (a second byte only where a switch
// has more than 256 kinds); rows that agree are stored once, and so are groups and lists of ports
// that agree. Where the default port is not in the group, the entry is of a kind of its own, so
// that a kind alone gives the list of ports. Cost: at most a byte for each (destination, switch) in
// practice, far less on trees, where the destinations of a leaf share a row.
//
// There is one table a switch. Private tables, chosen by service level or port of arrival, are not
// held: the reader refuses files in which they differ.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/big_bytes.hpp"
#include "core/ids.hpp"
#include "core/table.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

enum class EntryState : std::uint8_t { kStatic, kFree, kBounded, kHashed };

// "Static", "Free", "Bounded", "HBF": as ibdiagnet writes them.
std::string_view to_string(EntryState state);

// Number of a group on its switch.
using GroupNumber = std::uint16_t;
inline constexpr GroupNumber kNoGroup = 0xffff;

struct SubGroup {
  std::vector<Port> ports;   // as given: a port may be without a cable
  std::uint16_t weight = 0;  // of the sub-group when ports are hashed by weight

  friend auto operator<=>(const SubGroup&, const SubGroup&) = default;
};

// Sub-group 0 comes first, the others are for when it fails.
using PortGroup = std::vector<SubGroup>;

class PortSets {
 public:
  // Of a switch.
  using Kind = std::uint16_t;
  struct KindOf {
    EntryState state = EntryState::kStatic;
    GroupNumber group = kNoGroup;
    std::span<const Port> ports;  // ascending; empty when static
  };
  struct Numbered {
    GroupNumber number = 0;
    std::uint32_t content = 0;

    friend bool operator==(const Numbered&, const Numbered&) = default;
  };

  // Every entry is its default port.
  bool empty() const { return row_of_.empty(); }

  EntryState state(Switch s, Destination destination) const {
    return of(s, kind(s, destination)).state;
  }
  GroupNumber group(Switch s, Destination destination) const {
    return of(s, kind(s, destination)).group;
  }
  // All that the entry can do, ascending; `own` is its default port. Empty: no route at all.
  std::span<const Port> ports(Switch s, Destination destination, Port own) const {
    const Kind k = kind(s, destination);
    return k == 0 ? one_port(own) : of(s, k).ports;
  }
  // A list of this port alone, or of none for kNoRoute.
  static std::span<const Port> one_port(Port port);

  // Entry by entry, for loops: REQUIRES !empty().
  std::uint32_t row(Destination destination) const { return row_of_[index(destination)]; }
  std::size_t num_rows() const { return switches_ == 0 ? 0 : low_.size() / switches_; }
  Kind kind_in(std::uint32_t row, Switch s) const {
    const std::size_t at = std::size_t{row} * switches_ + index(s);
    return static_cast<Kind>(low_[at] | (high_.empty() ? 0U : unsigned{high_[at]} << 8U));
  }
  Kind kind(Switch s, Destination destination) const {
    return empty() ? Kind{0} : kind_in(row(destination), s);
  }
  std::size_t num_kinds(Switch s) const {
    return first_kind_[index(s) + 1] - first_kind_[index(s)];
  }
  KindOf of(Switch s, Kind kind) const {
    if (kind == 0) return {};
    const StoredKind& stored = kinds_[first_kind_[index(s)] + kind];
    return {stored.state, stored.group, {lists_.data() + stored.list, stored.count}};
  }

  // The groups of a switch, by ascending number, used or not; and what is in one.
  std::span<const Numbered> groups(Switch s) const {
    return {groups_.data() + first_group_[index(s)], groups_.data() + first_group_[index(s) + 1]};
  }
  const PortGroup& content(const Numbered& group) const { return contents_[group.content]; }

  std::size_t bytes() const;  // of memory

  // The same entries and groups, however they are numbered inside.
  friend bool operator==(const PortSets& a, const PortSets& b);

 private:
  friend class PortSetsBuilder;
  struct StoredKind {
    std::uint32_t list = 0;  // where in lists_
    std::uint8_t count = 0;
    EntryState state = EntryState::kStatic;
    GroupNumber group = kNoGroup;
  };

  std::size_t switches_ = 0;
  std::vector<std::uint32_t> row_of_;      // by destination
  BigBytes low_, high_;                    // [row][switch]; high_ is empty where low_ will do
  std::vector<std::uint32_t> first_kind_;  // by switch, and the end
  std::vector<StoredKind> kinds_;          // of each switch, kind 0 first
  std::vector<Port> lists_;
  std::vector<std::uint32_t> first_group_;  // by switch, and the end
  std::vector<Numbered> groups_;
  std::vector<PortGroup> contents_;
};

}  // namespace fatwood
