// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Adaptive tables: the ports that a switch may use besides the one of ForwardingTables.
//
// Model: an entry (switch, destination) has a default port, which is in ForwardingTables, a state
// and, unless the state is static, a group. A group is a numbered list of sub-groups of ports of
// the switch. The state says how a port is chosen:
//   free      any port of the group, packet by packet
//   bounded   any port, kept for a burst
//   hashed    by a hash of the packet
// Whether a packet may choose depends on the switch and the sender. Proofs must hold for everything
// that can happen: an entry stands for its default port and every port of its group that has a
// cable.
//
// Encoding: entries of a switch with the same state and group have the same *kind*; kind 0 is
// static. The row of a destination has the kind at each switch, in one byte (two if a switch has
// more than 256 kinds). Equal rows, groups and port lists are stored once. An entry whose default
// port is not in its group has a kind of its own, so that a kind alone gives the port list.
// Size: at most a byte per (destination, switch) in practice; far less on trees, where the
// destinations of a leaf share a row.
//
// Limit: one table per switch. The reader refuses files with private tables (by SL or by port of
// arrival) that differ.

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
  std::vector<Port> ports;   // as given; some may have no cable
  std::uint16_t weight = 0;  // for ports hashed by weight

  friend auto operator<=>(const SubGroup&, const SubGroup&) = default;
};

// Sub-group 0 is used first, the others if it fails.
using PortGroup = std::vector<SubGroup>;

class PortSets {
 public:
  // Numbered per switch.
  using Kind = std::uint16_t;
  struct KindOf {
    EntryState state = EntryState::kStatic;
    GroupNumber group = kNoGroup;
    std::span<const Port> ports;  // ascending; empty if static
  };
  struct Numbered {
    GroupNumber number = 0;
    std::uint32_t content = 0;

    friend bool operator==(const Numbered&, const Numbered&) = default;
  };

  // True: every entry has only its default port.
  bool empty() const { return row_of_.empty(); }

  EntryState state(Switch s, Destination destination) const {
    return of(s, kind(s, destination)).state;
  }
  GroupNumber group(Switch s, Destination destination) const {
    return of(s, kind(s, destination)).group;
  }
  // All ports of the entry, ascending; `own` is its default port. Empty: no route.
  std::span<const Port> ports(Switch s, Destination destination, Port own) const {
    const Kind k = kind(s, destination);
    return k == 0 ? one_port(own) : of(s, k).ports;
  }
  // A list of this port alone, or of none for kNoRoute.
  static std::span<const Port> one_port(Port port);

  // Access by row and kind, for fast loops. REQUIRES !empty().
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

  // The groups of a switch, used or not, by ascending number; and the content of a group.
  std::span<const Numbered> groups(Switch s) const {
    return {groups_.data() + first_group_[index(s)], groups_.data() + first_group_[index(s) + 1]};
  }
  const PortGroup& content(const Numbered& group) const { return contents_[group.content]; }

  std::size_t bytes() const;  // of memory

  // Same entries and groups; the internal numbering may differ.
  friend bool operator==(const PortSets& a, const PortSets& b);

 private:
  friend class PortSetsBuilder;
  struct StoredKind {
    std::uint32_t list = 0;  // index into lists_
    std::uint8_t count = 0;
    EntryState state = EntryState::kStatic;
    GroupNumber group = kNoGroup;
  };

  std::size_t switches_ = 0;
  std::vector<std::uint32_t> row_of_;      // by destination
  BigBytes low_, high_;                    // [row][switch]; high_ is empty if low_ is enough
  std::vector<std::uint32_t> first_kind_;  // by switch, and the end
  std::vector<StoredKind> kinds_;          // by switch, kind 0 first
  std::vector<Port> lists_;
  std::vector<std::uint32_t> first_group_;  // by switch, and the end
  std::vector<Numbered> groups_;
  std::vector<PortGroup> contents_;
};

}  // namespace fatwood
