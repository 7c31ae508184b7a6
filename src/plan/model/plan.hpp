// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A plan: the devices of a fabric with their places, and the cables between them. Cable lists
// (src/plan/formats) are read as plans, `fatwood plan` makes plans, `fatwood diff` compares a plan
// with a found fabric.
//
// A device is a box: a switch, a director or a host. Its chips are the nodes of a Fabric: one
// unnamed chip for a switch, "L03/U1" in a director, "mlx5_0" for an adapter of a host. A port has
// the text on the panel and the number that the subnet manager uses.
//
// Invariants (kept by PlanBuilder and make_plan): device names are unique; each chip port has at
// most one cable, outside or inside; an inside cable connects two chips of one device.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood {

struct PlanChip {
  std::string name;         // unique in its device; "" for the only chip
  std::uint32_t ports = 0;  // numbered from 1
  std::uint64_t guid = 0;   // 0: unknown

  friend bool operator==(const PlanChip&, const PlanChip&) = default;
};

struct InsideCable {
  std::uint32_t chip = 0;
  std::uint32_t port = 0;
  std::uint32_t other = 0;
  std::uint32_t other_port = 0;

  friend bool operator==(const InsideCable&, const InsideCable&) = default;
};

struct PlanDevice {
  std::string name;
  NodeKind kind = NodeKind::kSwitch;  // kAdapter: a host
  std::string model;                  // "" if unknown; so are `rack` and `role`
  std::string rack;
  std::uint32_t unit = 0;  // lowest rack unit; 0: unknown
  std::string role;        // "leaf", "storage", ...
  std::vector<PlanChip> chips;
  std::vector<InsideCable> inside;

  bool is_host() const { return kind != NodeKind::kSwitch; }
  friend bool operator==(const PlanDevice&, const PlanDevice&) = default;
};

struct PlanEnd {
  std::uint32_t device = 0;  // of Plan::devices
  std::uint32_t chip = 0;    // of its chips
  std::uint32_t port = 0;    // number on the chip, from 1
  std::string text;          // as written: "Port 7", "1/5/1", "mlx5_0"

  auto socket() const { return std::tuple(device, chip, port); }
  friend bool operator==(const PlanEnd&, const PlanEnd&) = default;
};

struct PlanCable {
  PlanEnd a, b;
  std::string label;
  std::string type;      // "AOC", a part number
  double length_m = 0;   // 0: unknown
  Rate rate;             // unknown: Rate{}
  std::size_t line = 0;  // of the file it was read from; 0: none

  friend bool operator==(const PlanCable&, const PlanCable&) = default;
};

struct Plan {
  std::vector<PlanDevice> devices;
  std::vector<PlanCable> cables;

  const PlanDevice& device(const PlanEnd& end) const { return devices[end.device]; }
  bool to_host(const PlanCable& cable) const {
    return device(cable.a).is_host() || device(cable.b).is_host();
  }
  friend bool operator==(const Plan&, const Plan&) = default;
};

// The roles of switches by level, from the leaves upwards.
inline constexpr std::array<std::string_view, 3> kSwitchRoles{"leaf", "spine", "core"};

// "A01-U40"; "A01" or "U40" if only that is known; otherwise "".
std::string place_text(const PlanDevice& device);
// "leaf1 Port 7 (A01-U40)": an end as an installer looks for it.
std::string end_text(const Plan& plan, const PlanEnd& end);

// The signalling of a line speed in Gb/s: 400 is 4xNDR, or 2xXDR if the text names XDR. No value
// for speeds that no link has.
std::optional<Rate> rate_of_speed(double gbps, std::string_view text);
// The nominal line speed in Gb/s: 40 for 4xQDR; 0 if unknown.
double sold_speed(Rate rate);

}  // namespace fatwood
