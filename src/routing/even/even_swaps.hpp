// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Exchanges pairs of entries where no single entry can move, to reduce overload and the contention
// of shifts and random permutations. For small fabrics only.
//
// Problem: an entry can move only to channels with room. If all up links of a leaf carry their
// target loads, none has room, although a down link behind them may be overloaded.
// Idea: a source sends to two destinations over two ports and exchanges these ports. Its own up
// links keep their loads, and other links change.
//
// An exchange is made if both new paths are legal and as long as before, and
// - the overload decreases: the sum over channels of (load above the limit / capacity)^2; or
// - the overload is unchanged and the contention decreases: the sum over (shift, channel) of
//   count^4, minus the sum over (channel, destination) of 2 (sources)^2. The second term favours
//   channels with few destinations, because a random permutation sends only one flow per
//   destination over them.
//
// A switch is left out as a source if other switches can send over it.
// Order: by source, then by number of the destinations. Cost: O(hops) per exchange considered,
// O(sources * destinations^2) of these per pass.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "routing/even/even_net.hpp"
#include "routing/even/shift_contention.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood {

class EvenSwaps {
 public:
  // `rank`: position of each switch in the order by which the tables are legal, 0 is the highest.
  // `net` and `contention` have the loads and counts of the tables. REQUIRES all-to-all.
  EvenSwaps(EvenNet& net, ShiftContention& contention, std::span<const std::uint32_t> rank,
            ForwardingTables& tables);

  // One pass over all sources.
  void run();

 private:
  static constexpr std::size_t kMostHops = 16;  // longer paths are not changed
  // A destination and its row.
  struct Entry {
    std::uint32_t at;
    const EvenDestination* to;
    Port* row;
  };
  // The flows of a source to a destination: their channels and shifts.
  struct Path {
    std::array<std::uint32_t, kMostHops> slots;
    std::size_t size = 0;
  };
  struct Flows {
    const Entry* entry = nullptr;
    std::uint64_t units = 0;  // 0: cannot be exchanged
    Path old_path, new_path;
    std::size_t differ = 0;  // channels from the source to where both paths meet again
    std::vector<ShiftContention::Window> windows;
  };

  bool goes_up(std::uint32_t s, std::uint32_t next) const { return rank_[next] < rank_[s]; }
  // The path from s over this port, then along the row. False if it is not legal, or too long.
  bool follow(std::uint32_t s, Port port, const Entry& entry, Path& path) const;
  void set_old(std::uint32_t source, const Entry& entry, Flows& flows) const;
  void swap_entries_of(std::uint32_t source);
  void try_swap(std::uint32_t s, Flows& a, Flows& b);
  // The change of the overload: the sum over links of (load above the limit / capacity)^2.
  double overload_change(const Flows& a, const Flows& b);
  bool set_new(std::uint32_t s, Port port, Flows& flows) const;
  // Change of 2 (sources)^2 if one more source joins `others` that send to the same destination.
  static std::int64_t gain(std::uint32_t others) { return 2 * (2 * std::int64_t{others} + 1); }
  static bool overlap(const Flows& a, const Flows& b);  // in shifts
  // The change of the contention (see above) by one new path alone, and by parts of it.
  std::int64_t change_of(const Flows& flows) const;
  std::int64_t take(const Flows& flows, const Path& path);
  std::int64_t add(const Flows& flows, const Path& path);
  std::size_t place(std::uint32_t slot, const EvenDestination& to) const {
    return std::size_t{net_.channel[slot].number} * net_.num_terminals() + to.number;
  }

  EvenNet& net_;
  ShiftContention& contention_;
  std::span<const std::uint32_t> rank_;
  std::vector<Entry> entries_;
  std::vector<std::uint16_t> together_;  // by channel and terminal: sources that send to it there
  std::vector<std::uint8_t> passable_;   // by switch: other switches can send over it
  std::vector<Flows> flows_;             // of the current source, by entry
  struct LoadChange {
    std::uint32_t slot;
    std::int64_t units;
  };
  std::vector<LoadChange> changes_;  // of the current exchange
};

}  // namespace fatwood
