// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the links cost with tables in use (routing/even/even_job_loads.hpp), and what single entries
// gain by a move.
//
// Flows are those of all-to-all of all hosts and of each window of neighbouring hosts. Flows on
// fallback routes are not counted: these are few, and stay (legal_moves.hpp). New paths are no
// longer than the old ones.
// Cost: O(addresses * sources * hops * windows) once; of a gain, O(ports * hops * windows of both
// ends), and O(sources * hops) at a switch with transit traffic.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "routing/even/even_job_loads.hpp"
#include "routing/improve/legal_moves.hpp"

namespace fatwood {

class JobCosts {
 public:
  // REQUIRES tables without dead cables. `host_order`: RouteOptions::host_order.
  JobCosts(TablesInUse& in_use, std::span<const Terminal> host_order);
  JobCosts(const JobCosts&) = delete;
  JobCosts& operator=(const JobCosts&) = delete;

  // Otherwise nothing else may be called: the fabric has fewer than two hosts in jobs, or
  // EvenJobLoads does not fit.
  bool fits() const { return loads_ && loads_->fits(); }
  const EvenNet& net() const { return net_; }
  bool is_counted(Destination destination) const { return to_[destination] != nullptr; }

  // A link, out of switch `at`.
  struct LinkCost {
    float cost;
    std::uint32_t at;
    Port port;
  };
  // All links, the one that costs most first.
  std::vector<LinkCost> by_cost() const;

  // Makes this destination the current one. REQUIRES is_counted.
  void begin(Destination destination);
  // The switches whose traffic to the current destination goes out of switch `at`.
  std::vector<std::uint32_t> behind(std::uint32_t at) const;
  struct Best {
    float gain = 0;
    Port port{};
  };
  // The best move of the entry of s for the current destination; the gain is 0 if there is none, or
  // if no link of its path is hot (EvenJobLoads::is_hot).
  Best best(std::uint32_t s);
  // Moves the entry. REQUIRES that best(s) was called last.
  void move(std::uint32_t s, Port port);

 private:
  // A new path costs less than this part of the old one: smaller gains are not worth a new route.
  static constexpr float kGain = 0.9F;

  std::uint32_t slot_of(std::uint32_t s) const { return net_.slot(s, row_[s]); }
  std::uint32_t next(std::uint32_t s) const { return net_.next(slot_of(s)); }
  void look_at(Destination destination, std::uint32_t at);
  // Whether the path of s goes up, then down to the destination.
  bool arrives(std::uint32_t s) const;
  std::uint32_t hops(std::uint32_t s) const;
  bool has_transit(std::uint32_t s) const;

  template <class Visit>
  void each_row(const Visit& visit);
  void count_whole();
  void count_windows();
  void add_path(std::uint32_t s, float sign);
  // Sets the current flows to those that leave s; false if there are none.
  bool gather(std::uint32_t s);
  Best choose(std::uint32_t s) const;

  TablesInUse& in_use_;
  const HopMap& map_;
  const PortGraph& graph_;
  LegalMoves moves_;
  UpDownOrder up_down_;
  EvenNet net_;
  EvenWindows windows_;
  std::vector<std::uint32_t> rank_, descending_;
  std::optional<EvenJobLoads> loads_;
  Table<Destination, std::uint32_t> source_;       // its switch, as a source
  Table<Destination, const EvenDestination*> to_;  // nullptr: not counted
  // The current destination:
  Destination destination_ = kNone<Destination>;
  std::span<const Port> row_;
  bool plain_ = false;  // RowKind
  std::uint32_t at_ = 0;
  std::vector<float> flows_;
};

}  // namespace fatwood
