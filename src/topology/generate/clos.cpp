// SPDX-License-Identifier: BSD-3-Clause
#include "topology/generate/clos.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "topology/builder.hpp"
#include "topology/generate/cable_list.hpp"

namespace fatwood {

namespace {

using Handle = FabricBuilder::Handle;

Rate speed_of(std::uint32_t gigabits, std::string_view key) {
  const auto rate = ethernet_rate(gigabits);
  if (!rate) throw InputError(fmt::format("{}={}: not a speed of Ethernet", key, gigabits));
  return *rate;
}

// Switches whose ports are used from 1 upwards.
class ClosDrawing {
 public:
  explicit ClosDrawing(const ClosFabric& clos)
      : clos_(clos),
        pods_(clos.pods == 0 ? 1 : clos.pods),
        host_rate_(speed_of(clos.speed, "speed")),
        up_rate_(clos.up == 0 ? host_rate_ : speed_of(clos.up, "up")) {
    check();
  }

  Fabric draw() {
    add_hosts();
    for (std::uint32_t plane = 0; plane < clos_.planes; ++plane) draw_plane(plane);
    return builder_.build();
  }

 private:
  void check() const {
    for (const ClosFabricKey& key : clos_keys()) {
      const bool may_be_none = key.name == "pods" || key.name == "up";
      if (clos_.*key.value == 0 && !may_be_none) {
        throw InputError(fmt::format("{}=0: expected 1 or more", key.name));
      }
    }
    if (clos_.homes > 2) throw InputError("homes= is 1 or 2");
    if (clos_.homes == 2 && clos_.leaves % 2 != 0) {
      throw InputError(fmt::format("leaves={}: homes=2 needs pairs of leaves", clos_.leaves));
    }
    const auto need = [](std::string_view what, std::uint64_t ports) {
      if (ports <= kMaxPorts) return;
      throw InputError(
          fmt::format("a {} needs {} ports; a switch has {} at most", what, ports, kMaxPorts));
    };
    need("leaf", leaf_ports());
    need("spine", spine_ports());
    if (clos_.pods > 0) need("core", clos_.pods);
    const std::uint64_t leaves = std::uint64_t{clos_.planes} * pods_ * clos_.leaves;
    check_cables(leaves * leaf_ports() + leaves * clos_.hosts);
  }
  std::uint64_t leaf_ports() const {
    return clos_.hosts + std::uint64_t{clos_.spines} * clos_.cables;
  }
  std::uint64_t spine_ports() const {
    return std::uint64_t{clos_.leaves} * clos_.cables + (clos_.pods > 0 ? clos_.cores : 0);
  }

  void add_hosts() {
    const std::uint64_t hosts = std::uint64_t{pods_} * clos_.leaves / clos_.homes * clos_.hosts;
    for (std::uint64_t host = 0; host < hosts; ++host) {
      for (std::uint32_t plane = 0; plane < clos_.planes; ++plane) {
        hosts_.push_back(
            builder_.add_adapter(fmt::format("host{} ens{}", host + 1, plane + 1), clos_.homes));
      }
    }
  }

  void draw_plane(std::uint32_t plane) {
    const std::string in_plane = clos_.planes > 1 ? fmt::format("p{}-", plane + 1) : "";
    std::vector<std::vector<Handle>> spines;
    for (std::uint32_t pod = 0; pod < pods_; ++pod) {
      const std::string in_pod =
          clos_.pods > 0 ? fmt::format("{}pod{}-", in_plane, pod + 1) : in_plane;
      spines.push_back(draw_pod(plane, pod, in_pod));
    }
    if (clos_.pods == 0) return;
    for (std::uint32_t group = 0; group < clos_.spines; ++group) {
      for (std::uint32_t k = 0; k < clos_.cores; ++k) {
        const std::uint32_t number = group * clos_.cores + k;
        const Handle core =
            builder_.add_switch(fmt::format("{}core{}", in_plane, number + 1), clos_.pods);
        for (std::uint32_t pod = 0; pod < pods_; ++pod) {
          const std::uint32_t port = clos_.leaves * clos_.cables + k + 1;
          builder_.connect(spines[pod][group], static_cast<Port>(port), core,
                           static_cast<Port>(pod + 1), up_rate_);
        }
      }
    }
  }

  std::vector<Handle> draw_pod(std::uint32_t plane, std::uint32_t pod, const std::string& name) {
    std::vector<Handle> leaves, spines;
    for (std::uint32_t leaf = 0; leaf < clos_.leaves; ++leaf) {
      leaves.push_back(builder_.add_switch(fmt::format("{}leaf{}", name, leaf + 1),
                                           static_cast<std::uint32_t>(leaf_ports())));
      const std::uint32_t first = (pod * clos_.leaves + leaf) / clos_.homes * clos_.hosts;
      for (std::uint32_t k = 0; k < clos_.hosts; ++k) {
        builder_.connect(hosts_[std::size_t{first + k} * clos_.planes + plane],
                         static_cast<Port>(leaf % clos_.homes + 1), leaves.back(),
                         static_cast<Port>(k + 1), host_rate_);
      }
    }
    for (std::uint32_t spine = 0; spine < clos_.spines; ++spine) {
      spines.push_back(builder_.add_switch(fmt::format("{}spine{}", name, spine + 1),
                                           static_cast<std::uint32_t>(spine_ports())));
      for (std::uint32_t leaf = 0; leaf < clos_.leaves; ++leaf) {
        for (std::uint32_t k = 0; k < clos_.cables; ++k) {
          builder_.connect(leaves[leaf],
                           static_cast<Port>(clos_.hosts + spine * clos_.cables + k + 1),
                           spines.back(), static_cast<Port>(leaf * clos_.cables + k + 1), up_rate_);
        }
      }
    }
    return spines;
  }

  const ClosFabric& clos_;
  std::uint32_t pods_;
  Rate host_rate_, up_rate_;
  FabricBuilder builder_;
  std::vector<Handle> hosts_;  // [host][plane]
};

}  // namespace

std::span<const ClosFabricKey> clos_keys() {
  static constexpr ClosFabricKey kKeys[] = {
      {"leaves", &ClosFabric::leaves}, {"spines", &ClosFabric::spines},
      {"hosts", &ClosFabric::hosts},   {"cables", &ClosFabric::cables},
      {"pods", &ClosFabric::pods},     {"cores", &ClosFabric::cores},
      {"planes", &ClosFabric::planes}, {"homes", &ClosFabric::homes},
      {"speed", &ClosFabric::speed},   {"up", &ClosFabric::up}};
  return kKeys;
}

Fabric make_clos(const ClosFabric& clos) { return ClosDrawing(clos).draw(); }

}  // namespace fatwood
