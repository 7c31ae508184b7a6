// SPDX-License-Identifier: BSD-3-Clause
#include "plan/sizing/design.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fatwood {

namespace {

constexpr DesignKey kDesignKeys[] = {
    {"hosts", &Design::hosts},
    {"rails", &Design::rails},
    {"ports", &Design::ports},
    {"planes", &Design::planes},
    {"speed", &Design::speed},
    {"unit", &Design::unit},
    {"leaf_sets", &Design::leaf_sets},
    {"packed", &Design::packed},
    {"room", &Design::room},
    {"spare", &Design::spare},
    {"radix", &Design::radix},
    {"split", &Design::split},
    {"cage", &Design::cage},
    {"up", &Design::up},
    {"joined", &Design::joined},
    {"spines", &Design::spines},
    {"own_spines", &Design::own_spines},
    {"spine_radix", &Design::spine_radix},
    {"spine_chips", &Design::spine_chips},
    {"pod_units", &Design::pod_units},
    {"by_rail", &Design::by_rail},
    {"spine_up", &Design::spine_up},
    {"cores", &Design::cores},
    {"core_radix", &Design::core_radix},
    {"core_chips", &Design::core_chips},
    {"storage", &Design::storage},
    {"management", &Design::management},
    {"gateways", &Design::gateways},
};

constexpr std::uint32_t kMaxPerDesign = 1'000'000;  // of anything

constexpr std::uint32_t rounded_up(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint32_t>(ceil_div(a, b));
}

// Ports of plain switches, and of directors with chips of `chips` ports.
std::string fault_of_radix(std::string_view what, std::uint32_t ports, std::uint32_t chips) {
  if (chips == 0) {
    if (ports <= kMaxPorts) return "";
    return fmt::format("a {} of {} ports; a chip has {} at most: say what chips it has inside",
                       what, ports, kMaxPorts);
  }
  if (chips % 2 != 0 || chips > kMaxPorts) {
    return fmt::format("chips of {} ports in a {}; expected an even number up to {}", chips, what,
                       kMaxPorts);
  }
  if (std::uint64_t{ports} > std::uint64_t{chips} * chips / 2) {
    return fmt::format("a {} of {} ports; chips of {} ports make {} at most", what, ports, chips,
                       chips * chips / 2);
  }
  return "";
}

std::string fault_of_leaf(const Design& d) {
  const std::uint64_t used = std::uint64_t{d.down()} + d.up + d.joined;
  if (used > d.radix) {
    return fmt::format("a leaf needs {} ports ({} down, {} up); a switch has {}", used, d.down(),
                       d.up + d.joined, d.radix);
  }
  if (used * d.split > kMaxPorts + d.split - 1 && d.split > 1) {
    return fmt::format("{} ports of a leaf, split in {}, are more than {}", used, d.split,
                       kMaxPorts);
  }
  if (d.joined > 0 && d.unit_leaves() % 2 != 0) {
    return fmt::format("joined={} needs leaves in pairs; a unit has {}", d.joined, d.unit_leaves());
  }
  if (d.up == 0 && d.units() * d.unit_leaves() > 1) {
    return fmt::format("one level is one leaf a plane; there are {}", d.units() * d.unit_leaves());
  }
  return fault_of_radix("leaf", d.radix, 0);
}

std::string fault_above(const Design& d) {
  if (d.up == 0) return "";
  if (d.spines == 0 || d.spines > d.up) {
    return fmt::format("spines={}; expected 1 to {}, the up-ports of a leaf", d.spines, d.up);
  }
  if (d.own_spines != 0 && (d.spines != d.room_units() || d.pod_units != 0)) {
    return fmt::format("own_spines=1 needs a spine for each of the {} units, in one pod",
                       d.room_units());
  }
  if (d.spine_down() + d.spine_up > d.spine_ports()) {
    return fmt::format("a spine needs {} ports ({} down, {} up); it has {}",
                       d.spine_down() + d.spine_up, d.spine_down(), d.spine_up, d.spine_ports());
  }
  std::string fault = fault_of_radix("spine", d.spine_ports(), d.spine_chips);
  if (!fault.empty() || d.spine_up == 0) {
    if (fault.empty() && d.room_pods() * d.groups_of_pod() > 1) {
      return "pods and rails of their own meet at cores; expected spine_up= and cores=";
    }
    return fault;
  }
  if (d.cores == 0 || d.cores > d.spine_up) {
    return fmt::format("cores={}; expected 1 to {}, the up-ports of a spine", d.cores, d.spine_up);
  }
  if (d.core_down() > d.core_ports()) {
    return fmt::format("a core needs {} ports; it has {}", d.core_down(), d.core_ports());
  }
  return fault_of_radix("core", d.core_ports(), d.core_chips);
}

}  // namespace

std::span<const DesignKey> design_keys() { return kDesignKeys; }

std::uint32_t Design::service_places() const {
  return rounded_up(storage, ends()) + rounded_up(management, ends()) +
         rounded_up(gateways, ends());
}

std::uint32_t Design::spine_down() const {
  return spines == 0 ? 0 : rounded_up(std::uint64_t{group_leaves()} * up, spines);
}

std::uint32_t Design::core_down() const {
  return cores == 0 ? 0
                    : rounded_up(std::uint64_t{room_pods()} * groups_of_pod() * spine_up, cores);
}

std::string formula(const Design& design) {
  const Design plain;
  std::string text;
  for (const DesignKey& key : kDesignKeys) {
    if (design.*key.value == plain.*key.value) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", key.name, design.*key.value);
  }
  return fmt::format("plan({})", text);
}

std::string fault_of(const Design& d) {
  for (const auto& [name, value] : {std::pair{"hosts", d.hosts},
                                    {"rails", d.rails},
                                    {"ports", d.ports},
                                    {"planes", d.planes},
                                    {"unit", d.unit},
                                    {"leaf_sets", d.leaf_sets},
                                    {"radix", d.radix},
                                    {"split", d.split},
                                    {"cage", d.cage}}) {
    if (value == 0) return fmt::format("{}=0; expected 1 or more", name);
  }
  for (const DesignKey& key : kDesignKeys) {
    if (d.*key.value > kMaxPerDesign) {
      return fmt::format("{}={}; expected {} at most", key.name, d.*key.value, kMaxPerDesign);
    }
  }
  for (const auto& [name, value] :
       {std::pair{"packed", d.packed}, {"own_spines", d.own_spines}, {"by_rail", d.by_rail}}) {
    if (value > 1) return fmt::format("{}={}; expected 0 or 1", name, value);
  }
  if (d.rails > 64 || d.ports > 8) return "a host has 64 adapters at most, an adapter 8 ports";
  if (d.split > 8) return fmt::format("split={}; expected 8 at most", d.split);
  if (d.ends() % d.planes != 0) {
    return fmt::format("{} links a host cannot be divided evenly among {} planes", d.ends(),
                       d.planes);
  }
  if (!rate_of_speed(d.speed, "") || !rate_of_speed(d.speed * d.split, "")) {
    return fmt::format("no InfiniBand link has {} Gb/s; expected for example 100, 200, 400",
                       rate_of_speed(d.speed, "") ? d.speed * d.split : d.speed);
  }
  if (d.leaf_sets > d.unit) return "leaf_sets is more than a unit has hosts";
  // Before products of these are taken.
  const std::uint64_t units = std::max(d.room_units(), d.units_of_pod());
  if (units * d.unit_leaves() > kMaxPerDesign) {
    return fmt::format("{} units of {} leaves; expected {} leaves at most", units, d.unit_leaves(),
                       kMaxPerDesign);
  }
  std::string fault = fault_of_leaf(d);
  if (fault.empty()) fault = fault_above(d);
  const std::uint64_t ends = std::uint64_t{d.places()} * d.ends();
  if (fault.empty() && ends > kMaxPerDesign) {
    return fmt::format("{} end ports; expected {} at most", ends, kMaxPerDesign);
  }
  return fault;
}

Design plane_of(const Design& design) {
  Design plane = design;
  if (design.planes == 1) return plane;
  plane.planes = 1;
  plane.rails = design.plane_ends();
  plane.ports = 1;
  // A host of services has its first links on the first planes.
  for (std::uint32_t Design::* links : {&Design::storage, &Design::management, &Design::gateways}) {
    plane.*links = rounded_up(design.*links, design.planes);
  }
  return plane;
}

}  // namespace fatwood
