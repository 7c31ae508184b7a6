// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Grows an existing plan into a larger one: which devices and cables are added, which cables are
// moved, and in which order, so that hosts stay connected.
//
// Method.
//  1. Devices with the same name are the same device. If no host has a name of the new plan, hosts
//     are matched in order. An old switch without a match by name becomes the new switch with which
//     it shares most neighbours. Existing devices keep their names and places.
//  2. Cables are compared by the devices (and adapters) that they connect. If the old plan has a
//     cables between two devices and the new plan b, the smaller number of them stay at their old
//     ports. The others are unplugged or plugged. An unplugged and a plugged cable with a common
//     device are a move of one end.
//  3. Ports. A moved cable keeps the port of the end that stays. Any other new end takes the port
//     of the new plan, or, if that is in use, another port that the new plan uses on that device.
//     So the result may use other ports than the new plan, but it is the same tree.
//  4. Order. First come all cables with free ports at both ends. Then cables are unplugged switch
//     by switch, in batches that leave every lower switch most of its up-links and every host all
//     but one of its cables, counting those that are still to be plugged again. A cable that is
//     moved waits until its new port is free after the batch, if another can be moved before it.
//     After each batch, cables with free ports are plugged.
//  5. Actions. Within a step, a cable that is unplugged and plugged again is moved, in an order in
//     which each new port is free. In a ring of moves one cable is unplugged first and plugged
//     last.
// The actions of a step may be done in any other order that ports allow: no state between them has
// fewer cables than the one without all that the step unplugs, which plan/task/grow_plan.hpp
// checks.
// Cost: O(cables) per batch; cables times ports if names do not match.

#include <cstdint>
#include <vector>

#include "plan/model/plan.hpp"

namespace fatwood {

// One end of a cable moves; its other end stays.
struct GrowthMove {
  std::uint32_t from = 0;  // index in Growth::removed
  std::uint32_t to = 0;    // index in Growth::plan.cables
};

// What is done with one cable.
struct GrowthAction {
  enum class Kind : std::uint8_t { kUnplug, kMove, kPlug };
  Kind kind = Kind::kPlug;
  std::uint32_t from = 0;  // index in Growth::removed; not for kPlug
  std::uint32_t to = 0;    // index in Growth::plan.cables; not for kUnplug
};

struct GrowthStep {
  std::vector<std::uint32_t> unplug;     // indices in Growth::removed
  std::vector<std::uint32_t> plug;       // indices in Growth::plan.cables
  std::vector<GrowthAction> actions;     // all of them, in an order that can be done
  std::vector<std::uint32_t> hosts_off;  // devices without any cable in the meantime
};

struct Growth {
  Plan plan;  // the result; old devices that it no longer has are at the end
  std::vector<std::uint32_t> added_devices, removed_devices;  // indices in plan.devices
  std::vector<std::uint32_t> kept, added;                     // indices in plan.cables
  std::vector<PlanCable> removed;                             // with devices of `plan`
  std::vector<GrowthMove> moves;                              // those that are actions of a step
  std::vector<GrowthStep> steps;

  // The cables after all steps before this one; `unplugged`: also with its `unplug` removed.
  Plan state(std::size_t step, bool unplugged) const;
};

struct GrowthOptions {
  double at_once = 0.25;  // fraction of a switch's up-links that may be unplugged at a time
};

Growth grow(const Plan& old, const Plan& wanted, const GrowthOptions& options = {});

// Steps of grow(), for its files only.
inline constexpr std::uint32_t kNoDevice = 0xffffffffU;
// Step 1. By old device: the new one, or kNoDevice.
std::vector<std::uint32_t> match_devices(const Plan& old, const Plan& wanted);
// 0 for hosts, 1 for leaves, 2, 3 and more above, by role.
unsigned growth_level(const PlanDevice& device);
// Step 4. Fills the steps but their actions.
void order_growth(Growth& growth, const GrowthOptions& options);
// Step 5. Fills the actions; moves that are none are taken off the list.
void order_actions(Growth& growth);

}  // namespace fatwood
