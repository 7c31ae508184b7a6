// SPDX-License-Identifier: BSD-3-Clause
// The plan of a design (design.hpp).

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.hpp"
#include "plan/model/port_text.hpp"
#include "plan/sizing/design_walk.hpp"

namespace fatwood {

namespace {

constexpr std::array<std::string_view, 4> kHostRoles{"storage", "management", "gateway", "compute"};

// Keeps devices and cables with their names.
class DesignPlan {
 public:
  explicit DesignPlan(const Design& design)
      : d_(design),
        host_rate_(rate_of_speed(design.speed, "").value()),
        rate_(rate_of_speed(design.speed * design.split, "").value()) {}

  void add_switch(SwitchRole role, std::uint32_t plane, std::uint32_t number) {
    PlanDevice& device = plan_.devices.emplace_back();
    device.role = kSwitchRoles[static_cast<std::size_t>(role)];
    const std::string prefix = d_.planes == 1 ? "" : fmt::format("p{}-", plane + 1);
    const bool leaf = role == SwitchRole::kLeaf;
    const std::uint32_t in_unit = leaf ? d_.unit_leaves() : 1;
    device.name = fmt::format("{}{}-{:02}", prefix, device.role, number / in_unit + 1);
    if (in_unit > 1) device.name += fmt::format("-{}", number % in_unit + 1);
    const std::uint32_t ports = ports_of(role);
    if (chips_of(role) == 0) {
      device.model = fmt::format("{}-port switch", ports);
      device.chips.push_back({"", std::min(leaf ? ports * d_.split : ports, kMaxPorts), 0});
    } else {
      device.model = fmt::format("{}-port director", ports);
    }
  }

  void add_host(HostRole role, std::uint32_t number, std::uint32_t adapters) {
    PlanDevice& device = plan_.devices.emplace_back();
    device.kind = NodeKind::kAdapter;
    device.role = kHostRoles[static_cast<std::size_t>(role)];
    device.name = role == HostRole::kCompute ? fmt::format("node-{:04}", number)
                                             : fmt::format("{}-{:02}", device.role, number);
    for (std::uint32_t a = 0; a < adapters; ++a) {
      device.chips.push_back({fmt::format("mlx5_{}", a), d_.ports, 0});
    }
  }

  void join(const DesignEnd& a, const DesignEnd& b, CableUse use) {
    const bool host = use == CableUse::kHost;
    PlanCable& cable = plan_.cables.emplace_back();
    cable.a = {a.device, a.chip, a.port, host ? adapter_text(a) : switch_text(a)};
    cable.b = {b.device, b.chip, b.port, host ? host_port_text(b) : switch_text(b)};
    cable.rate = host ? host_rate_ : rate_;
  }

  // The inside of a director: half of a card's chip leads to the spine chips.
  void set_cards(std::uint32_t index, std::uint32_t cards) {
    PlanDevice& device = plan_.devices[index];
    const std::uint32_t chips = chips_of(role_of(device));
    const std::uint32_t half = chips / 2;
    for (std::uint32_t c = 0; c < cards; ++c) {
      device.chips.push_back({fmt::format("L{:02}/U1", c + 1), chips, 0});
    }
    for (std::uint32_t s = 0; s < half; ++s) {
      device.chips.push_back({fmt::format("S{:02}/U1", s + 1), chips, 0});
    }
    for (std::uint32_t c = 0; c < cards; ++c) {
      for (std::uint32_t s = 0; s < half; ++s) {
        device.inside.push_back({c, half + s + 1, cards + s, c + 1});
      }
    }
  }

  Plan result() { return std::move(plan_); }

 private:
  static SwitchRole role_of(const PlanDevice& device) {
    return static_cast<SwitchRole>(std::ranges::find(kSwitchRoles, device.role) -
                                   kSwitchRoles.begin());
  }
  std::uint32_t ports_of(SwitchRole role) const {
    return role == SwitchRole::kLeaf    ? d_.radix
           : role == SwitchRole::kSpine ? d_.spine_ports()
                                        : d_.core_ports();
  }
  std::uint32_t chips_of(SwitchRole role) const {
    return role == SwitchRole::kLeaf    ? 0
           : role == SwitchRole::kSpine ? d_.spine_chips
                                        : d_.core_chips;
  }

  std::string adapter_text(const DesignEnd& end) const {
    return d_.ports > 1 ? fmt::format("mlx5_{}/{}", end.chip, end.port)
                        : fmt::format("mlx5_{}", end.chip);
  }
  std::string host_port_text(const DesignEnd& end) const {
    if (d_.split == 1) return plain_text(end.panel);
    return fmt::format("1/{}/{}", end.panel, (end.port - 1) % d_.split + 1);
  }
  std::string switch_text(const DesignEnd& end) const {
    const SwitchRole role = role_of(plan_.devices[end.device]);
    if (chips_of(role) != 0) return port_text(fmt::format("L{:02}/U1", end.chip + 1), end.port);
    if (role == SwitchRole::kLeaf && d_.split > 1) return fmt::format("1/{}", end.panel);
    return plain_text(end.panel);
  }
  std::string plain_text(std::uint32_t port) const {
    return d_.cage > 1 ? fmt::format("1/{}/{}", (port - 1) / d_.cage + 1, (port - 1) % d_.cage + 1)
                       : port_text("", port);
  }

  const Design& d_;
  Rate host_rate_, rate_;
  Plan plan_;
};

}  // namespace

void require_sound(const Design& design) {
  const std::string fault = fault_of(design);
  if (!fault.empty()) throw InputError(fault);
}

Plan make_plan(const Design& design) {
  require_sound(design);  // before rates are looked up
  DesignPlan plan(design);
  walk_design(design, plan);
  return plan.result();
}

}  // namespace fatwood
