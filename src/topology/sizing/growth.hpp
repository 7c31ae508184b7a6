// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// From a plan that is built to a larger one: what is added, what has to be recabled, and in which
// order, so that hosts stay connected.
//
// Method.
//  1. Devices of one name are one device. Where no host has a name of the new plan, hosts follow
//     each other in both. Old switches that no name matches take the new switch with which they
//     share most neighbours. What is built keeps its names and places.
//  2. Cables count by the devices (and adapters) they join. As many as both plans have stay where
//     they are, at their old ports. The others are unplugged or plugged; one of each that share a
//     device are a move of one end.
//  3. New cables take the port that a move leaves in place, else the port of the new plan, else
//     another port that the new plan uses on that device. So the result may have other ports than
//     the new plan, and the same tree.
//  4. Order. First everything that has free ports at both ends. Then cables are unplugged switch by
//     switch, in batches that leave every lower switch most of its up-links and every host all but
//     one of its cables, and after each batch what has free ports is plugged.
// Whether hosts stay connected is checked by tasks/plan/grow_plan.hpp, which routes each step.
// Cost: O(cables) per batch; cables times ports where names do not match.

#include <cstdint>
#include <string>
#include <vector>

#include "topology/plan/plan.hpp"

namespace fatwood {

// One end of a cable that goes elsewhere; its other end stays.
struct GrowthMove {
  std::uint32_t from = 0;  // of Growth::removed
  std::uint32_t to = 0;    // of Growth::plan.cables
};

struct GrowthStep {
  std::vector<std::uint32_t> unplug;     // of Growth::removed
  std::vector<std::uint32_t> plug;       // of Growth::plan.cables
  std::vector<std::uint32_t> hosts_off;  // devices without any cable in between
};

struct Growth {
  Plan plan;  // the result, with devices of the old plan that it no longer has at the end
  std::vector<std::uint32_t> added_devices, removed_devices;  // of plan.devices
  std::vector<std::uint32_t> kept, added;                     // of plan.cables
  std::vector<PlanCable> removed;                             // their devices are those of plan
  std::vector<GrowthMove> moves;
  std::vector<GrowthStep> steps;

  // Cables while the steps before this one are done, and with `unplug` of it taken out.
  Plan state(std::size_t step, bool unplugged) const;
};

struct GrowthOptions {
  double at_once = 0.25;  // share of a switch's up-links that may be unplugged at a time
};

Growth grow(const Plan& old, const Plan& wanted, const GrowthOptions& options = {});

}  // namespace fatwood
