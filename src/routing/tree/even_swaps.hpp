// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Exchanges entries of routed tables where channels are full and no entry can move alone: so that
// less is above limits, and fewer flows of a shift or a random permutation meet.
//
// Problem: an entry may leave an overloaded link or a congested channel only for channels with
// room. A leaf whose links all carry their target loads has none, though one of the links that
// descend behind them is slow. Method: a source that sends to two destinations by two ports
// exchanges these, so that what goes up from it stays as it is. That is done if both paths are as
// long and legal, and the sum over channels of (load above the limit / capacity)^2 falls; or stays,
// and this sum falls: over (shift, channel) of count^4, less that over (channel, destination) of 2
// (sources)^2. A channel that carries few destinations has few flows that a random permutation can
// send at once, however many sources they are from. Sources that others can send over are left out.
// Order: by source, then by number of the destinations. Cost: O(hops) per exchange that is looked
// at, O(sources * destinations^2) of these a pass: for small fabrics.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "routing/tables/routing.hpp"
#include "routing/tree/even_net.hpp"
#include "routing/tree/shift_contention.hpp"

namespace fatwood {

class EvenSwaps {
 public:
  // `rank`: of switches in the order by which the tables are legal, 0 the highest. Loads and
  // contention are those of the tables. REQUIRES all to all.
  EvenSwaps(EvenNet& net, ShiftContention& contention, std::span<const std::uint32_t> rank,
            ForwardingTables& tables);

  // The exchanges made, in so many passes, or until one makes none.
  std::size_t run(int passes);

 private:
  static constexpr std::size_t kMostHops = 16;  // longer ways are left as they are
  // A destination and its row.
  struct Entry {
    std::uint32_t at;
    const EvenDestination* to;
    Port* row;
  };
  // What a source sends to a destination: by these channels, in these shifts.
  struct Path {
    std::array<std::uint32_t, kMostHops> slots;
    std::size_t size = 0;
  };
  struct Flows {
    const Entry* entry = nullptr;
    std::uint64_t units = 0;  // 0: none that could be exchanged
    Path old_path, new_path;
    std::size_t differ = 0;  // channels from the source on, until the ways are one
    std::vector<ShiftContention::Window> windows;
  };

  bool goes_up(std::uint32_t s, std::uint32_t next) const { return rank_[next] < rank_[s]; }
  // From s by that port, then as the row says; false where that is not legal or too long.
  bool follow(std::uint32_t s, Port port, const Entry& entry, Path& path) const;
  void set_old(std::uint32_t source, const Entry& entry, Flows& flows) const;
  std::size_t swap_entries_of(std::uint32_t source);
  bool try_swap(std::uint32_t s, Flows& a, Flows& b);
  // What an exchange adds to the sum over links of (load above the limit / capacity)^2.
  double overload_change(const Flows& a, const Flows& b);
  bool set_new(std::uint32_t s, Port port, Flows& flows) const;
  // Of twice the squares, when one more source joins others that send to the same destination.
  static std::int64_t gain(std::uint32_t others) { return 2 * (2 * std::int64_t{others} + 1); }
  static bool overlap(const Flows& a, const Flows& b);  // in shifts
  // What a change of way adds to the sum, if it is the only one; what parts of it do.
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
  std::vector<std::uint8_t> passable_;   // by switch: others can send over it
  std::vector<Flows> flows_;             // of the source in hand, by entry
  struct LoadChange {
    std::uint32_t slot;
    std::int64_t units;
  };
  std::vector<LoadChange> changes_;  // of the exchange in hand
};

}  // namespace fatwood
