// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Faults whose truth is known: a plan, and the fabric that somebody built after it with mistakes.
//
// Each fault takes cables, ports and devices that no other fault touched, so that the faults that
// a check should find are those that were made.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/random.hpp"
#include "plan/match/cabling.hpp"
#include "plan/model/plan.hpp"

namespace fatwood::test {

// A fabric's plan with four spare ports per switch, so that cables can be plugged wrongly.
Plan plan_for(const std::string& fabric);

enum class Naming : std::uint8_t { kSame, kDecorated, kHostsOnly, kNone };

// Devices in another order, with other names; cables keep their order.
Plan renamed(const Plan& plan, Naming naming, std::uint64_t seed);

class Damage {
 public:
  static constexpr std::uint32_t kLost = 0xffffffffU;
  struct Truth {
    std::map<std::string, std::size_t> kinds;
    std::set<std::uint32_t> cables;  // planned
    std::size_t moves = 0;           // ends to move and cables to remove
  };
  struct Built {
    Plan plan;                         // devices that have a cable
    std::vector<std::uint32_t> cable;  // by planned cable: its number, or kLost
  };

  Damage(const Plan& plan, std::uint64_t seed);

  // False where the plan has no place for one more fault of this kind.
  bool add(CablingFaultKind kind);
  // Every other device, drawn at random, is off; its cables take part in no fault.
  void power_off_half();
  const Truth& truth() const { return truth_; }
  // Planned cables with a fault of this kind, in the order they were made.
  const std::vector<std::uint32_t>& cables_of(CablingFaultKind kind) { return by_kind_[kind]; }
  Built built() const;

 private:
  using PortId = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

  bool add_missing();
  bool add_extra();
  bool add_moved(CablingFaultKind kind);
  bool add_swap();
  bool add_exchanged(CablingFaultKind kind);
  bool add_swapped_devices();
  bool add_down();
  bool add_unplanned();
  bool add_rate(CablingFaultKind kind);

  // The next cable that `fits`, in a random order.
  template <class Fits>
  std::optional<std::uint32_t> draw(const Fits& fits);
  // A random switch with a free port.
  std::optional<std::uint32_t> any_switch(const std::set<std::uint32_t>& without);
  std::optional<PlanEnd> free_port(std::uint32_t device);
  PlanEnd& end_at_switch(std::uint32_t cable);
  bool once(std::uint32_t a, std::uint32_t b);
  void note(CablingFaultKind kind, std::initializer_list<std::uint32_t> cables, std::size_t moves);

  const Plan& plan_;
  Plan found_;
  Random random_;
  std::vector<std::uint32_t> order_;
  std::vector<std::vector<std::uint32_t>> cables_of_;  // by device
  std::vector<std::uint32_t> left_;                    // cables that a device keeps
  std::vector<std::uint8_t> touched_, lost_;           // by cable
  std::set<std::uint32_t> devices_;                    // that are down, exchanged or next to those
  std::set<std::uint32_t> busy_;                       // with cables that are not planned there
  std::set<PortId> used_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs_;  // of devices with swaps
  std::map<CablingFaultKind, std::vector<std::uint32_t>> by_kind_;
  Truth truth_;
};

}  // namespace fatwood::test
