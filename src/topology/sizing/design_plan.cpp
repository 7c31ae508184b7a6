// SPDX-License-Identifier: BSD-3-Clause
// The devices and cables of a design (design.hpp).

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/error.hpp"
#include "topology/plan/port_text.hpp"
#include "topology/sizing/design.hpp"

namespace fatwood {

namespace {

// Fills the devices of one kind: how many ports of each are taken, in order.
struct Boxes {
  std::vector<std::uint32_t> device;  // of Plan::devices
  std::vector<std::uint32_t> taken;
};

class DesignPlan {
 public:
  explicit DesignPlan(const Design& design)
      : d_(design),
        host_rate_(rate_of_speed(design.speed, "").value()),
        rate_(rate_of_speed(design.speed * design.split, "").value()) {}

  Plan run() {
    for (std::uint32_t plane = 0; plane < d_.planes; ++plane) add_leaves(plane);
    add_hosts();
    for (std::uint32_t plane = 0; plane < d_.planes; ++plane) add_upper(plane);
    return std::move(plan_);
  }

 private:
  std::string plane_name(std::uint32_t plane) const {
    return d_.planes == 1 ? "" : fmt::format("p{}-", plane + 1);
  }

  std::uint32_t add_switch(std::string name, std::string_view role, std::uint32_t ports,
                           std::uint32_t chips) {
    PlanDevice& device = plan_.devices.emplace_back();
    device.name = std::move(name);
    device.role = role;
    if (chips == 0) {
      device.model = fmt::format("{}-port switch", ports);
      const std::uint32_t numbered = role == "leaf" ? ports * d_.split : ports;
      device.chips.push_back({"", std::min(numbered, kMaxPorts), 0});
    } else {
      device.model = fmt::format("{}-port director", ports);
    }
    return static_cast<std::uint32_t>(plan_.devices.size() - 1);
  }

  // The inside of a director with so many cards: half of a card's chip leads to the spine chips.
  void fill_director(PlanDevice& device, std::uint32_t cards, std::uint32_t chips) {
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

  PlanEnd plain_end(std::uint32_t device, std::uint32_t port, std::uint32_t split) const {
    PlanEnd end{device, 0, split * (port - 1) + 1, ""};
    end.text = split > 1 ? fmt::format("1/{}", port)
               : d_.cage > 1
                   ? fmt::format("1/{}/{}", (port - 1) / d_.cage + 1, (port - 1) % d_.cage + 1)
                   : port_text("", port);
    return end;
  }
  PlanEnd upper_end(std::uint32_t device, std::uint32_t port, std::uint32_t chips) const {
    if (chips == 0) return plain_end(device, port, 1);
    const std::uint32_t half = chips / 2;
    const std::uint32_t card = (port - 1) / half;
    PlanEnd end{device, card, (port - 1) % half + 1, ""};
    end.text = port_text(fmt::format("L{:02}/U1", card + 1), end.port);
    return end;
  }
  PlanEnd host_end(std::uint32_t leaf, std::uint32_t link) const {
    if (d_.split == 1) return plain_end(leaf, link + 1, 1);
    const std::uint32_t port = link / d_.split + 1;
    return {leaf, 0, link + 1, fmt::format("1/{}/{}", port, link % d_.split + 1)};
  }

  void join(PlanEnd a, PlanEnd b, Rate rate) {
    PlanCable& cable = plan_.cables.emplace_back();
    cable.a = std::move(a);
    cable.b = std::move(b);
    cable.rate = rate;
  }

  void add_leaves(std::uint32_t plane) {
    std::vector<std::uint32_t>& leaves = leaves_.emplace_back();
    const std::uint32_t in_unit = d_.unit_leaves();
    for (std::uint32_t l = 0; l < d_.units() * in_unit; ++l) {
      std::string name = fmt::format("{}leaf-{:02}", plane_name(plane), l / in_unit + 1);
      if (in_unit > 1) name += fmt::format("-{}", l % in_unit + 1);
      leaves.push_back(add_switch(std::move(name), "leaf", d_.radix, 0));
    }
    for (std::uint32_t l = 0; d_.joined > 0 && l < leaves.size(); l += 2) {
      for (std::uint32_t k = 0; k < d_.joined; ++k) {
        const std::uint32_t port = d_.down() + d_.up + k + 1;
        join(plain_end(leaves[l], port, d_.split), plain_end(leaves[l + 1], port, d_.split), rate_);
      }
    }
  }

  void add_host(std::uint32_t place, std::string name, std::string_view role, std::uint32_t ends) {
    const auto index = static_cast<std::uint32_t>(plan_.devices.size());
    PlanDevice& device = plan_.devices.emplace_back();
    device.name = std::move(name);
    device.kind = NodeKind::kAdapter;
    device.role = role;
    for (std::uint32_t e = 0; e < ends; e += d_.ports) {
      device.chips.push_back({fmt::format("mlx5_{}", e / d_.ports), d_.ports, 0});
    }
    const std::uint32_t in_unit = place % d_.unit;
    const std::uint32_t set = in_unit / d_.leaf_hosts();
    for (std::uint32_t e = 0; e < ends; ++e) {
      const std::uint32_t in_plane = e / d_.planes;
      const std::uint32_t rail = d_.packed != 0 ? 0 : in_plane;
      const std::uint32_t number = (place / d_.unit * d_.leaf_rails() + rail) * d_.leaf_sets + set;
      const std::uint32_t leaf = leaves_[e % d_.planes][number];
      const std::uint32_t link =
          in_unit % d_.leaf_hosts() * d_.leaf_ends() + (d_.packed != 0 ? in_plane : 0);
      PlanEnd end{index, e / d_.ports, e % d_.ports + 1, fmt::format("mlx5_{}", e / d_.ports)};
      if (d_.ports > 1) end.text += fmt::format("/{}", end.port);
      join(std::move(end), host_end(leaf, link), host_rate_);
    }
  }

  void add_hosts() {
    std::uint32_t place = 0;
    const auto services = [&](std::string_view role, std::uint32_t links) {
      for (std::uint32_t i = 1; links > 0; ++i) {
        const std::uint32_t ends = std::min(links, d_.ends());
        add_host(place++, fmt::format("{}-{:02}", role, i), role, ends);
        links -= ends;
      }
    };
    services("storage", d_.storage);
    services("management", d_.management);
    services("gateway", d_.gateways);
    for (std::uint32_t i = 1; i <= d_.hosts; ++i) {
      add_host(place++, fmt::format("node-{:04}", i), "compute", d_.ends());
    }
  }

  Boxes add_boxes(std::uint32_t count, std::string_view role, std::uint32_t plane,
                  std::uint32_t ports, std::uint32_t chips) {
    Boxes boxes;
    for (std::uint32_t i = 0; i < count; ++i) {
      boxes.device.push_back(add_switch(fmt::format("{}{}-{:02}", plane_name(plane), role, i + 1),
                                        role, ports, chips));
    }
    boxes.taken.assign(count, 0);
    return boxes;
  }

  void add_upper(std::uint32_t plane) {
    if (d_.up == 0) return;
    const std::uint32_t groups = d_.pods() * d_.groups_of_pod();
    Boxes spines = add_boxes(groups * d_.spines, "spine", plane, d_.spine_ports(), d_.spine_chips);
    const std::uint32_t in_unit = d_.unit_leaves();
    std::vector<std::uint32_t> seen(groups, 0);  // leaves of each group
    for (std::uint32_t l = 0; l < leaves_[plane].size(); ++l) {
      const std::uint32_t unit = l / in_unit;
      const std::uint32_t rail = l % in_unit / d_.leaf_sets;
      const std::uint32_t group =
          unit / d_.units_of_pod() * d_.groups_of_pod() + (d_.by_rail != 0 ? rail : 0);
      const std::uint32_t left = d_.up % d_.spines;
      const std::uint32_t start = d_.own_spines != 0 ? unit : seen[group]++ * left;
      const std::uint32_t leaf = leaves_[plane][l];
      deal(d_.up, d_.spines, start, [&](std::uint32_t link, std::uint32_t s) {
        const std::uint32_t at = group * d_.spines + s;
        join(plain_end(leaf, d_.down() + link + 1, d_.split),
             upper_end(spines.device[at], ++spines.taken[at], d_.spine_chips), rate_);
      });
    }
    Boxes cores = add_cores(plane, spines, groups);
    finish_directors(spines, d_.spine_chips, d_.spine_up == 0 ? 0 : d_.spine_down() + d_.spine_up);
    finish_directors(cores, d_.core_chips, 0);
  }

  Boxes add_cores(std::uint32_t plane, const Boxes& spines, std::uint32_t groups) {
    if (d_.spine_up == 0) return {};
    Boxes cores = add_boxes(d_.spines * d_.cores, "core", plane, d_.core_ports(), d_.core_chips);
    for (std::uint32_t i = 0; i < groups * d_.spines; ++i) {
      const std::uint32_t start = i / d_.spines * (d_.spine_up % d_.cores);
      deal(d_.spine_up, d_.cores, start, [&](std::uint32_t link, std::uint32_t c) {
        const std::uint32_t at = i % d_.spines * d_.cores + c;
        join(upper_end(spines.device[i], d_.spine_down() + link + 1, d_.spine_chips),
             upper_end(cores.device[at], ++cores.taken[at], d_.core_chips), rate_);
      });
    }
    return cores;
  }

  // Deals links over boxes above: rounds of one cable each, what is left over from `start` on.
  template <class Join>
  static void deal(std::uint32_t links, std::uint32_t above, std::uint32_t start,
                   const Join& join_one) {
    const std::uint32_t even = links / above * above;
    for (std::uint32_t link = 0; link < even; ++link) join_one(link, link % above);
    for (std::uint32_t link = even; link < links; ++link) {
      join_one(link, (start + link - even) % above);
    }
  }

  // Cards are bought as far as ports are used; `least`: ports that are used in any case.
  void finish_directors(const Boxes& boxes, std::uint32_t chips, std::uint32_t least) {
    if (chips == 0) return;
    for (std::size_t i = 0; i < boxes.device.size(); ++i) {
      const std::uint32_t used = std::max(boxes.taken[i], least);
      fill_director(plan_.devices[boxes.device[i]],
                    std::max(1U, (used + chips / 2 - 1) / (chips / 2)), chips);
    }
  }

  const Design& d_;
  Rate host_rate_, rate_;
  Plan plan_;
  std::vector<std::vector<std::uint32_t>> leaves_;  // by plane
};

}  // namespace

Plan make_plan(const Design& design) {
  const std::string fault = fault_of(design);
  if (!fault.empty()) throw InputError(fault);
  return DesignPlan(design).run();
}

}  // namespace fatwood
