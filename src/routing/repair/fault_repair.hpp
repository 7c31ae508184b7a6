// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Repairs tables after cable cuts, by following the damage from the cut.
//
// Problem: the same as in forced.hpp, but fast. One cable of thousands is cut, and about a thousand
// of millions of entries must change. They must be found without reading the others.
//
// Method: only rows with an entry over a cut port can change. In each of these rows:
// 1. From the cut upwards. A switch must choose again if its entry uses the cut cable, or leads
//    down to a switch that no longer goes down. It takes another cable down to a switch that goes
//    down. If there is none, the switches above that went down through it must choose next.
// 2. From the top downwards. A switch that found no way down, or that goes up to a switch without a
//    route, goes up by another cable to a switch with a route, or else down. If it cannot, it loses
//    its route, and the switches below that went up through it must choose next.
// The result equals that of keep_what_can_stay on the fabric without the cables.
//
// Special cases
// - Fallback routes (sftree) stay while they arrive. If the destination is a switch, an entry
//   without a legal path stays while its cable works (forced.hpp).
// - A row is repaired as a whole (row_repair.hpp) if a switch has an up*/down* path but does not
//   use it.
// - A cable that works again only fills entries of switches without a route; their rows are
//   repaired as a whole.
// - A removed switch has all its cables cut. Destinations on it are left alone.
//
// Choice of port: the one with the fewest destinations at that switch, then the lowest. Changes are
// listed by destination.
// Cost: two columns of the tables per cable; per row, the ports of the switches that change and of
// their neighbours.

#include <cstdint>
#include <span>
#include <vector>

#include "routing/repair/tables_in_use.hpp"

namespace fatwood {

// Working memory of one thread. Tables may change between calls, but not their size.
class FaultRepair {
 public:
  explicit FaultRepair(const TablesInUse& in_use);
  FaultRepair(const FaultRepair&) = delete;
  FaultRepair& operator=(const FaultRepair&) = delete;

  // Cuts these cables, in addition to those that are marked dead in the tables. `gone`: a switch
  // whose destinations are left alone.
  std::span<const EntryChange> cut(std::span<const Channel> cables, Switch gone = kNone<Switch>);
  // Cuts all cables of a switch. Its own entries are among the changes, as kNoRoute.
  std::span<const EntryChange> remove(Switch gone);
  // Fills missing entries, over cables that work again. Call it after TablesInUse::mark_working().
  std::span<const EntryChange> fill_holes();

 private:
  enum class Mark : std::uint8_t { kNone, kQueued, kGoesDown, kFallen, kGoesUp, kLost };
  struct Seed {
    Destination destination;
    Switch at;
  };

  void take_marks();
  void collect_seeds(std::span<const Channel> cables);
  void collect_column(Switch s, std::span<const Channel> out);
  void repair_rows(Switch gone);
  void repair_row(Destination destination, std::span<const Seed> seeds);
  void repair_whole(Destination destination);
  void settle_down(std::uint32_t s);
  void settle_up(std::uint32_t s);
  void drop(std::uint32_t s);
  void drop_fallback_by(std::uint32_t s);
  bool goes_down(std::uint32_t n) const;
  bool has_route(std::uint32_t n) const;
  // Whether the neighbour of a trunk forwards the current row over that trunk.
  bool comes_by(Trunk trunk) const;
  bool is_fallback(std::uint32_t s) const { return look_->is_fallback(s); }
  Mark mark(std::uint32_t s) const {
    return mark_[s] >> 8U == stamp_now_ ? static_cast<Mark>(mark_[s] & 0xffU) : Mark::kNone;
  }
  void set_mark(std::uint32_t s, Mark mark) {
    mark_[s] = stamp_now_ << 8U | static_cast<std::uint64_t>(mark);
  }
  Level level(std::uint32_t s) const { return level_[s]; }
  // Trunks of the port graph to lower and to higher switches.
  std::span<const Trunk> down(std::uint32_t s) const {
    return std::span(down_).subspan(first_down_[s], first_down_[s + 1] - first_down_[s]);
  }
  std::span<const Trunk> up(std::uint32_t s) const {
    return std::span(up_).subspan(first_up_[s], first_up_[s + 1] - first_up_[s]);
  }
  bool works(std::uint32_t s, Port port) const {
    return dead_[static_cast<Channel>(first_channel_[s] + index(port))] == 0;
  }
  // The least used live port of a trunk of the port graph, if any.
  struct Choice {
    std::uint32_t use = 0xffffffffU;
    Port port = kNoRoute;
  };
  void queue(std::uint32_t s, std::vector<std::vector<std::uint32_t>>& waiting);
  // Destinations of a port, with the changes so far.
  std::uint32_t use(std::uint32_t s, Port port) const {
    return in_use_.use(Switch{s}, port) +
           static_cast<std::uint32_t>(use_change_[(std::size_t{s} << 8) | index(port)]);
  }
  void consider(std::uint32_t s, Trunk trunk, Choice& best) const;
  void change(std::uint32_t s, Port port);
  void reset_use();

  const TablesInUse& in_use_;
  const PortGraph& graph_;
  const HopMap& map_;
  std::vector<Level> level_;
  std::vector<std::uint32_t> first_channel_;
  std::vector<Port> back_port_;   // for each port of the graph: that at the other end
  std::vector<Trunk> down_, up_;  // towards lower, towards higher levels
  std::vector<std::uint32_t> first_down_{0}, first_up_{0};
  std::vector<std::uint8_t> leads_down_;  // [switch * 256 + port]
  Table<Channel, std::uint8_t> dead_;
  RowRepair whole_;
  std::vector<Seed> seeds_;
  std::vector<Seed> by_column_;            // the same before they are sorted
  std::vector<std::uint32_t> first_seed_;  // by destination
  std::vector<std::int32_t> use_change_;   // [switch * 256 + port]
  std::vector<std::uint32_t> used_;        // indices changed there
  std::uint64_t stamp_now_ = 0;
  std::vector<std::uint64_t> mark_;                   // stamp of the row, then the mark
  std::vector<std::vector<std::uint32_t>> by_level_;  // waiting for step 1
  std::vector<std::vector<std::uint32_t>> up_level_;  // waiting for step 2
  std::vector<EntryChange> changes_;
  std::uint64_t marks_ = 0;
  // The current row.
  Destination destination_ = kNone<Destination>;
  std::span<const Port> row_;
  const RowLook* look_ = nullptr;
  std::uint32_t home_ = 0;
};

}  // namespace fatwood
