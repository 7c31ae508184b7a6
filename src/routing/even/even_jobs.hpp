// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Moves entries so that jobs get more.
//
// Problem: tables that are even for the whole machine may send two destinations of a leaf over one
// up link of another leaf, as long as the sums are equal. A job on these leaves gets half.
// Objective: the sum over links of their cost (even_job_loads.hpp).
//
// Method: passes over all rows. For each destination, first the sources, then the switches with
// transit traffic, from the lowest. Each takes the port with the least sum, if a link of its path
// is above the bound of a window, or 2% above its target load. On large fabrics links up to `near`
// above the bound are left, which takes a fifth of the time. A path is as long as before and legal
// in the same order (even_moves.hpp), and puts no more flows of a shift on a link than `shared`.
//
// Cost of a pass: O(ports * hops * windows of both ends) for each entry on such a link,
// O(sources * (hops * rows)) for each destination. All passes together look at no more than `work`
// prices of a window on a link for each entry of the tables; after that, entries stay as they are.

#include <cstdint>
#include <span>
#include <vector>

#include "routing/even/even_job_loads.hpp"
#include "routing/even/even_net.hpp"
#include "routing/even/even_windows.hpp"
#include "routing/even/shift_contention.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood {

class EvenJobs {
 public:
  // `rank`, `descending`: as in EvenMoves. `net` and `contention` have the loads and counts of the
  // tables, and `net` has target loads.
  EvenJobs(const Model& model, const EvenNet& net, const EvenWindows& windows,
           ShiftContention& contention, std::uint32_t shared, std::span<const std::uint32_t> rank,
           std::span<const std::uint32_t> descending, ForwardingTables& tables, std::uint64_t work,
           float near = 0);

  // Otherwise passes move nothing (EvenJobLoads::fits).
  bool fits() const { return loads_.fits(); }
  // One pass over all rows; returns the number of moved entries.
  std::uint64_t pass();
  // The load of window `window` of row `row` on a link, as counted while entries moved; for tests.
  // REQUIRES a window with a host at or below the lower end of the link.
  float load(std::uint32_t slot, std::uint32_t row, std::uint32_t window) const {
    return loads_.load(slot, row, window);
  }

 private:
  // A new port must cost less than this part of the old path: rounding must not move entries.
  static constexpr float kGain = 0.999F;

  struct Candidate {
    float cost;
    Port port;
  };

  bool goes_up(std::uint32_t s, Port port) const {
    return rank_[net_.next(net_.slot(s, port))] < rank_[s];
  }
  std::uint32_t slot_of(std::uint32_t s) const { return net_.slot(s, row_[s]); }
  std::uint32_t next(std::uint32_t s) const { return net_.next(slot_of(s)); }
  void count();
  void begin(std::uint32_t source, const EvenDestination& to);
  std::uint32_t hops(std::uint32_t s);
  float* behind(std::uint32_t s) { return behind_.data() + std::size_t{s} * rows_; }
  void find_behind(std::uint32_t home, const EvenDestination& to);
  // What the whole machine sends from a source to the destination.
  float sent(std::uint32_t source, const EvenDestination& to) const {
    return static_cast<float>(net_.sent(source, to.kind));
  }
  void add_behind(std::uint32_t s, std::span<const std::uint32_t> sources);
  void find_shifts(std::uint32_t s);
  std::uint64_t improve_sources(std::uint32_t home, const EvenDestination& to);
  std::uint64_t improve_transit(const EvenDestination& to);
  // Moves the entry of s, with all traffic behind it, to the best port.
  bool improve(std::uint32_t s);
  bool is_congested(std::uint32_t first) const;  // the path over this slot
  // What the current flows add to the cost of a link.
  float price(std::uint32_t slot) {
    looks_ += loads_.parts().size();
    return loads_.added(slot);
  }
  void find_candidates(std::uint32_t s, float most);
  Port choose(std::uint32_t s);
  void move(std::uint32_t s, Port port);

  const EvenNet& net_;
  ShiftContention& contention_;
  std::uint32_t shared_;
  std::span<const std::uint32_t> rank_;
  ForwardingTables& tables_;
  std::uint32_t rows_;
  EvenJobLoads loads_;
  std::uint64_t looks_ = 0, most_looks_;
  // Of the current destination:
  std::uint32_t at_ = 0;
  std::uint32_t terminal_ = kNobody;
  std::span<Port> row_;
  std::vector<std::uint32_t> hops_, hops_of_;
  std::uint32_t version_ = 0;
  std::vector<float> behind_;                               // [switch][row]: flows that arrive
  std::vector<float> whole_behind_;                         // by switch
  std::vector<std::vector<std::uint32_t>> sources_behind_;  // by switch
  std::vector<std::uint32_t> touched_;                      // switches where flows arrived
  // Of the current entry:
  std::vector<ShiftContention::Window> shifts_;
  std::vector<Candidate> candidates_;
};

}  // namespace fatwood
