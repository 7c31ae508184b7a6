// SPDX-License-Identifier: BSD-3-Clause
#include "topology/generate/rail_fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "topology/generate/rails_plan.hpp"

namespace fatwood {
namespace {

// The devices in the racks of each speed.
struct Generation {
  std::uint32_t speed;
  Speed signalling;
  std::uint32_t sockets;
  std::string_view model;
  std::uint32_t switch_device;
  std::string_view adapter;  // the name of an adapter without one
  std::uint32_t adapter_device;
};
constexpr Generation kGenerations[] = {
    {100, Speed::kEdr, 36, "MSB7800", 0xcf08, "MT4119 ConnectX5   Mellanox Technologies", 0x1017},
    {200, Speed::kHdr, 40, "MQM8700", 0xd2f0, "MT4123 ConnectX6   Mellanox Technologies", 0x101b},
    {400, Speed::kNdr, 64, "MQM9700", 0xd2f2, "MT4129 ConnectX7   Mellanox Technologies", 0x1021},
    {800, Speed::kXdr, 144, "Q3400", 0xd2f4, "MT4131 ConnectX8   Mellanox Technologies", 0x1023},
};

const Generation& generation(std::uint32_t speed) {
  const auto* at = std::ranges::find(kGenerations, speed, &Generation::speed);
  if (at == std::end(kGenerations)) {
    throw InputError(fmt::format("speed={}; expected 100, 200, 400 or 800", speed));
  }
  return *at;
}

// Devices are numbered with a hole in the middle, where other cards sit: 0,1,2,3,6,7,8,9.
std::string adapter_name(const RailFabric& rails, std::uint32_t unit, std::uint32_t host,
                         std::uint32_t rail) {
  const std::uint32_t device = rails.rails >= 4 && rail >= rails.rails / 2 ? rail + 2 : rail;
  const std::uint32_t number = unit * rails.hosts + host + 1;
  return unit < rails.hca ? fmt::format("node-{:04} HCA-{}", number, device + 1)
                          : fmt::format("node-{:04} mlx5_{}", number, device);
}

class Drawing {
 public:
  explicit Drawing(const RailFabric& rails)
      : rails_(rails),
        made_(generation(rails.speed)),
        sockets_(rails.ports != 0 ? rails.ports : made_.sockets),
        units_per_pod_(rails.pods == 0 ? 0 : (rails.units + rails.pods - 1) / rails.pods) {
    check();
    plan_.unnamed = made_.adapter;
    plan_.fabric.inside = rate();
    plan_.fabric.internal = rails.sharp != 0 ? InternalPort::kAggregation : InternalPort::kNone;
  }

  RailsPlan draw() {
    draw_leaves();
    draw_spines();
    draw_hosts();
    draw_up_links();
    draw_cores();
    draw_management();
    draw_core_management();
    draw_service_hosts();
    draw_storage();
    return std::move(plan_);
  }

 private:
  void check() const {
    for (const auto& [value, name] : {std::pair{rails_.units, "units"},
                                      {rails_.hosts, "hosts"},
                                      {rails_.rails, "rails"},
                                      {rails_.pods, "pods"},
                                      {rails_.spines, "spines"},
                                      {rails_.cables, "cables"}}) {
      if (value == 0) throw InputError(fmt::format("{}=0; expected 1 or more", name));
    }
    if (sockets_ >= kMaxPorts) {
      throw InputError(fmt::format("ports={}; expected {} at most", sockets_, kMaxPorts - 1));
    }
    if (rails_.sharp > 1) throw InputError(fmt::format("sharp={}; expected 0 or 1", rails_.sharp));
    if (rails_.hca > rails_.units) {
      throw InputError(fmt::format("hca={}; there are {} units", rails_.hca, rails_.units));
    }
    if (rails_.cores == 0 && rails_.pods > 1) {
      throw InputError("pods= needs cores=1 or more: pods are connected by cores");
    }
    if (rails_.cores == 0 && rails_.core_management > 0) {
      throw InputError("core_management= needs cores=1 or more");
    }
    const std::uint64_t up = std::uint64_t{rails_.spines} * rails_.cables;
    need("leaf", rails_.hosts + up);
    if (rails_.cores == 0) {
      need("spine", std::uint64_t{rails_.units} * rails_.rails * rails_.cables);
    } else {
      need("spine", std::uint64_t{units_per_pod_} * rails_.cables + rails_.cores);
      need("core", std::uint64_t{rails_.pods} * rails_.rails);
    }
  }
  void need(std::string_view what, std::uint64_t sockets) const {
    if (sockets <= sockets_) return;
    throw InputError(
        fmt::format("a {} needs {} sockets; a switch has {}", what, sockets, sockets_));
  }

  Rate rate() const { return {4, made_.signalling}; }

  std::uint32_t add_switch(const std::string& name) {
    return plan_.fabric.add({NodeKind::kSwitch, sockets_,
                             fmt::format("MF0;{}:{}/U1", name, made_.model), made_.switch_device});
  }
  std::uint32_t add_adapter(const std::string& name, std::uint32_t ports = 1) {
    return plan_.fabric.add({NodeKind::kAdapter, ports, name, made_.adapter_device});
  }
  void join(std::uint32_t a, Port port_a, std::uint32_t b, Port port_b) {
    plan_.fabric.cables.push_back({a, port_a, b, port_b, rate()});
  }
  void join_high(std::uint32_t a, std::uint32_t b) {
    join(a, plan_.fabric.highest_free(a), b, plan_.fabric.highest_free(b));
  }
  void join_low(std::uint32_t host, Port port, std::uint32_t at) {
    join(host, port, at, plan_.fabric.lowest_free(at));
  }

  void draw_leaves() {
    for (std::uint32_t unit = 0; unit < rails_.units; ++unit) {
      for (std::uint32_t rail = 0; rail < rails_.rails; ++rail) {
        plan_.leaves.push_back(add_switch(fmt::format("LEAF{:02}-{}", unit + 1, rail + 1)));
      }
    }
  }

  void draw_spines() {
    const bool two_levels = rails_.cores == 0;
    const std::uint32_t a_pod = two_levels ? rails_.spines : rails_.rails * rails_.spines;
    for (std::uint32_t pod = 0; pod < rails_.pods; ++pod) {
      for (std::uint32_t s = 0; s < a_pod; ++s) {
        plan_.spines.push_back(add_switch(two_levels
                                              ? fmt::format("SPINE-{:02}", s + 1)
                                              : fmt::format("SPINE{}-{:02}", pod + 1, s + 1)));
      }
    }
  }

  void draw_hosts() {
    const std::vector<std::uint8_t> missing = missing_hosts(rails_);
    for (std::uint32_t unit = 0; unit < rails_.units; ++unit) {
      for (std::uint32_t host = 0; host < rails_.hosts; ++host) {
        if (missing[unit * rails_.hosts + host] != 0) continue;
        RailsHost& row = plan_.hosts.emplace_back();
        row.unit = unit;
        for (std::uint32_t rail = 0; rail < rails_.rails; ++rail) {
          const std::uint32_t node = add_adapter(adapter_name(rails_, unit, host, rail));
          row.adapters.push_back(node);
          row.cables.push_back(plan_.fabric.cables.size());
          join(node, Port{1}, plan_.leaves[unit * rails_.rails + rail],
               static_cast<Port>(host + 1));
        }
      }
    }
  }

  // A leaf's first cable to each spine, then its second to each, as racks are cabled.
  void draw_up_links() {
    for (std::uint32_t unit = 0; unit < rails_.units; ++unit) {
      for (std::uint32_t rail = 0; rail < rails_.rails; ++rail) {
        const std::uint32_t leaf = unit * rails_.rails + rail;
        const std::uint32_t pod = unit / units_per_pod_;
        const std::uint32_t first =
            rails_.cores == 0 ? 0 : (pod * rails_.rails + rail) * rails_.spines;
        const std::uint32_t place = rails_.cores == 0 ? leaf : unit % units_per_pod_;
        for (std::uint32_t copy = 0; copy < rails_.cables; ++copy) {
          for (std::uint32_t s = 0; s < rails_.spines; ++s) {
            plan_.up_links.push_back(plan_.fabric.cables.size());
            join(plan_.leaves[leaf], static_cast<Port>(rails_.hosts + copy * rails_.spines + s + 1),
                 plan_.spines[first + s], static_cast<Port>(place * rails_.cables + copy + 1));
          }
        }
      }
    }
  }

  void draw_cores() {
    for (std::uint32_t i = 0; i < rails_.spines * rails_.cores; ++i) {
      cores_.push_back(add_switch(fmt::format("CORE-{:03}", i + 1)));
    }
    if (cores_.empty()) return;
    for (std::uint32_t i = 0; i < plan_.spines.size(); ++i) {
      const std::uint32_t group = i % rails_.spines * rails_.cores;
      for (std::uint32_t k = 0; k < rails_.cores; ++k) {
        join(plan_.spines[i], static_cast<Port>(units_per_pod_ * rails_.cables + k + 1),
             cores_[group + k], static_cast<Port>(i / rails_.spines + 1));
      }
    }
  }

  // Two cables to one spine: the last of a rail of the first pod, another rail for each leaf.
  void draw_management() {
    constexpr std::array kServices{"login", "slurm", "cache", "ufm", "swift"};
    for (std::uint32_t i = 0; i < rails_.management; ++i) {
      const std::uint32_t leaf = add_switch(fmt::format("MLEAF-{:02}", ++management_leaves_));
      const std::uint32_t count = rails_.cores == 0 ? rails_.spines : rails_.rails * rails_.spines;
      const std::uint32_t step = rails_.cores == 0 ? 1 : rails_.spines;
      const std::uint32_t spine = plan_.spines[count - 1 - i * step % count];
      join_high(leaf, spine);
      join_high(leaf, spine);
      management_.push_back(leaf);
      for (std::size_t k = 0; k < kServices.size(); ++k) {
        // Both ways of naming stand side by side, one of them with a blank at its end.
        const std::string name = fmt::format("{}-{:02}", kServices[k], i + 1);
        join_low(add_adapter(name + (k % 2 == 0 ? " HCA-2" : " mlx5_1 ")), Port{1}, leaf);
      }
    }
  }

  // All sockets that a spine has for leaves go to one leaf, all others to half a group of cores.
  void draw_core_management() {
    const std::uint32_t half = std::max(1U, rails_.cores / 2);
    for (std::uint32_t i = 0; i < rails_.core_management; ++i) {
      const std::uint32_t leaf = add_switch(fmt::format("MLEAF-{:02}", ++management_leaves_));
      const std::uint32_t spine = add_switch(fmt::format("MSPINE-{:02}", i + 1));
      for (std::uint32_t k = 0; k < 2 * half; ++k) join_high(leaf, spine);
      for (std::uint32_t k = 0; k < 2 * half; ++k) {
        join_high(spine, cores_[(i * half + k % half) % cores_.size()]);
      }
      if (i > 0) continue;  // the others are there and empty
      for (const char* name : {"cache-91 mlx5_1 ", "cache-92 mlx5_1 "}) {
        join_low(add_adapter(name), Port{1}, leaf);
      }
    }
  }

  void draw_service_hosts() {
    for (std::uint32_t i = 0; i < rails_.leaf_hosts; ++i) {
      const std::size_t at = plan_.leaves.size() - 1 - i % plan_.leaves.size();
      join_low(add_adapter(fmt::format("service-{:02} mlx5_0", i + 1)), Port{1}, plan_.leaves[at]);
    }
    for (std::uint32_t i = 0; i < rails_.spine_hosts; ++i) {
      const std::size_t at = plan_.spines.size() - 1 - i % plan_.spines.size();
      join_low(add_adapter(fmt::format("gateway-{:02} mlx5_0", i + 1)), Port{1}, plan_.spines[at]);
    }
  }

  void draw_storage() {
    const std::vector<std::uint32_t>& at = management_.empty() ? plan_.spines : management_;
    for (std::uint32_t i = 0; i < rails_.storage; ++i) {
      const std::uint32_t card = add_adapter(fmt::format("storage-{:02} mlx5_0", i + 1), 2);
      join_low(card, Port{1}, at[i % at.size()]);
      join_low(card, Port{2}, at[(i + 1) % at.size()]);
    }
  }

  const RailFabric& rails_;
  const Generation& made_;
  std::uint32_t sockets_;
  std::uint32_t units_per_pod_;
  std::vector<std::uint32_t> cores_;
  std::vector<std::uint32_t> management_;  // leaves off spines
  std::uint32_t management_leaves_ = 0;
  RailsPlan plan_;
};

constexpr RailFabricKey kKeys[] = {
    {"units", &RailFabric::units},
    {"hosts", &RailFabric::hosts},
    {"rails", &RailFabric::rails},
    {"pods", &RailFabric::pods},
    {"spines", &RailFabric::spines},
    {"cables", &RailFabric::cables},
    {"cores", &RailFabric::cores},
    {"speed", &RailFabric::speed},
    {"ports", &RailFabric::ports},
    {"sharp", &RailFabric::sharp},
    {"management", &RailFabric::management},
    {"core_management", &RailFabric::core_management},
    {"leaf_hosts", &RailFabric::leaf_hosts},
    {"spine_hosts", &RailFabric::spine_hosts},
    {"storage", &RailFabric::storage},
    {"hca", &RailFabric::hca},
    {"missing_leaves", &RailFabric::missing_leaves},
    {"missing_hosts", &RailFabric::missing_hosts},
    {"missing_cables", &RailFabric::missing_cables},
    {"crossed_cables", &RailFabric::crossed_cables},
    {"crossed_hosts", &RailFabric::crossed_hosts},
    {"swapped_hosts", &RailFabric::swapped_hosts},
    {"slow_cables", &RailFabric::slow_cables},
    {"slow_hosts", &RailFabric::slow_hosts},
    {"unnamed", &RailFabric::unnamed},
    {"localhost", &RailFabric::localhost},
    {"seed", &RailFabric::seed},
};

}  // namespace

std::span<const RailFabricKey> rails_keys() { return kKeys; }

Fabric make_rail_fabric(const RailFabric& rails) {
  const RailsPlan plan = with_rails_faults(Drawing(rails).draw(), rails);
  return as_discovered(plan.fabric, rails.seed);
}

}  // namespace fatwood
