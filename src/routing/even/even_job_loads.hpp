// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The loads of links under all-to-all of each window of hosts (even_windows.hpp) and of the whole
// machine, and what they cost.
//
// The cost of a link is the sum of
//   weight * (load / bound)^8     for each window of hosts, and
//   hosts / 10 * (load / target load)^64     for the whole machine.
// The eighth power is what windows of a few hundred links need so that the most loaded one counts
// (12 and 16 give the same). The 64th power is a limit: at 1% above the target load a link
// costs less than one that is 15% above a bound, at 5% more than one that is 70% above it.
//
// Encoding: a link carries flows of few windows: those that have a host below its lower end. So the
// loads of a link are one array with, for each row of windows, those from the first to the last of
// them.
// Cost: added() and add() are O(windows of the current flows).

#include <cstdint>
#include <span>
#include <vector>

#include "routing/even/even_net.hpp"
#include "routing/even/even_windows.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood {

class EvenJobLoads {
 public:
  // `rank`: position of each switch in the order by which routes are legal, 0 is the highest;
  // `descending`: the switches by rank. `net` has the loads of the whole machine and target loads.
  EvenJobLoads(const Model& model, const EvenNet& net, const EvenWindows& windows,
               std::span<const std::uint32_t> rank, std::span<const std::uint32_t> descending,
               float near = 0);

  // Whether the loads fit the memory (kMostLoads). Otherwise nothing else may be called: fabrics in
  // which any link may carry any flow would need O(links * windows).
  bool fits() const { return !load_.empty(); }
  std::uint32_t rows() const { return rows_; }

  // Makes this terminal the destination of the flows below.
  void begin(std::uint32_t terminal);
  // By row of windows: the hosts of a source that send to it.
  std::span<const float> own(std::uint32_t source) const {
    return {own_.data() + std::size_t{source} * rows_, rows_};
  }
  // Sets the current flows: by row of windows, and of the whole machine.
  void gather(std::span<const float> flows, float whole);
  // The flows that an entry moves, in one window.
  struct Part {
    std::uint32_t row, window;
    float flows, scale, weight;
  };
  std::span<const Part> parts() const { return parts_; }
  float whole() const { return whole_; }

  float added(std::uint32_t slot) const;  // to the cost, if the current flows take this link
  void add(std::uint32_t slot, float sign);
  // More than `near` above the bound of a window of the current flows, or 2% above the target load.
  bool is_hot(std::uint32_t slot) const;
  float cost(std::uint32_t slot) const;  // of all windows of a link
  // The load of a window on a link. REQUIRES a window with a host at or below its lower end.
  float load(std::uint32_t slot, std::uint32_t row, std::uint32_t window) const {
    return load_[place(link_[slot], {row, window, 0, 0, 0})];
  }

 private:
  static constexpr std::size_t kMostLoads = std::size_t{1} << 26U;
  static constexpr float kWholeWeight = 0.1F;  // of a host
  static constexpr float kRounding = 0.001F, kWholeHot = 1.02F;

  struct Link {
    float whole = 0, per_target = 0;  // load of the whole machine, 1 / target load
    float slow = 0;                   // usual rate / rate
    std::uint32_t first = 0;          // of its loads
    std::uint32_t lower = 0;          // the switch at its lower end
  };
  // The windows of a row that the links above a switch carry: consecutive numbers.
  struct Range {
    std::uint32_t first = kNobody, last = 0;
    void include(const Range& other);
    std::uint32_t size() const { return first == kNobody ? 0 : last - first + 1; }
  };

  bool goes_up(std::uint32_t s, Port port) const {
    return rank_[net_.next(net_.slot(s, port))] < rank_[s];
  }
  // The load of a part's window on a link.
  std::size_t place(const Link& link, const Part& part) const {
    const std::uint32_t shift = shift_[std::size_t{link.lower} * rows_ + part.row];
    return link.first + (part.window - shift);
  }
  void find_links(const Model& model);
  void find_places(std::span<const std::uint32_t> descending);

  const EvenNet& net_;
  const EvenWindows& windows_;
  std::span<const std::uint32_t> rank_;
  std::uint32_t rows_;
  float whole_weight_;
  float hot_;
  std::vector<Link> link_;            // by slot
  std::vector<std::uint32_t> shift_;  // [switch][row]: see place()
  std::vector<Range> range_;          // [switch][row]
  std::vector<float> load_;
  // Of the current destination:
  std::uint32_t terminal_ = kNobody;
  std::vector<std::uint32_t> window_;  // by row
  std::vector<float> own_;             // [source][row]
  // The current flows:
  std::vector<Part> parts_;
  float whole_ = 0;
};

}  // namespace fatwood
