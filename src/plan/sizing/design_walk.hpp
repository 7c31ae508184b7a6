// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Walks the devices and cables of a design (design.hpp) in the order of its plan, without keeping
// them: make_plan stores them, count_design counts them. A sink has
//
//   void add_switch(SwitchRole role, std::uint32_t plane, std::uint32_t number);
//   void add_host(HostRole role, std::uint32_t number, std::uint32_t adapters);
//   void join(const DesignEnd& a, const DesignEnd& b, CableUse use);  // b is the upper end
//   void set_cards(std::uint32_t device, std::uint32_t cards);        // of a director
//
// Devices are numbered in the order in which they are added, from 0. Numbers of switches count
// from 0 per role and plane; those of hosts from 1 per role.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "plan/sizing/design.hpp"

namespace fatwood {

enum class SwitchRole : std::uint8_t { kLeaf, kSpine, kCore };  // as kSwitchRoles
enum class HostRole : std::uint8_t { kStorage, kManagement, kGateway, kCompute };
enum class CableUse : std::uint8_t { kHost, kJoined, kUp };  // kJoined: between leaves

struct DesignEnd {
  std::uint32_t device = 0;
  std::uint32_t chip = 0;
  std::uint32_t port = 0;   // of the chip, from 1
  std::uint32_t panel = 0;  // port of the box, from 1: a split port has several of the chip
};

template <class Sink>
class DesignWalk {
 public:
  DesignWalk(const Design& design, Sink& sink) : d_(design), sink_(sink) {}

  void run() {
    for (std::uint32_t plane = 0; plane < d_.planes; ++plane) add_leaves(plane);
    add_hosts();
    for (std::uint32_t plane = 0; plane < d_.planes; ++plane) add_upper(plane);
  }

 private:
  // The devices of one kind, and how many ports of each are taken, in order.
  struct Boxes {
    std::vector<std::uint32_t> device;
    std::vector<std::uint32_t> taken;
  };

  static DesignEnd plain_end(std::uint32_t device, std::uint32_t port, std::uint32_t split) {
    return {device, 0, split * (port - 1) + 1, port};
  }
  static DesignEnd upper_end(std::uint32_t device, std::uint32_t port, std::uint32_t chips) {
    if (chips == 0) return plain_end(device, port, 1);
    const std::uint32_t half = chips / 2;
    return {device, (port - 1) / half, (port - 1) % half + 1, port};
  }
  DesignEnd host_end(std::uint32_t leaf, std::uint32_t link) const {
    return {leaf, 0, link + 1, link / d_.split + 1};
  }

  std::uint32_t add_switch(SwitchRole role, std::uint32_t plane, std::uint32_t number) {
    sink_.add_switch(role, plane, number);
    return devices_++;
  }

  void add_leaves(std::uint32_t plane) {
    std::vector<std::uint32_t>& leaves = leaves_.emplace_back();
    for (std::uint32_t l = 0; l < d_.units() * d_.unit_leaves(); ++l) {
      leaves.push_back(add_switch(SwitchRole::kLeaf, plane, l));
    }
    for (std::uint32_t l = 0; d_.joined > 0 && l < leaves.size(); l += 2) {
      for (std::uint32_t k = 0; k < d_.joined; ++k) {
        const std::uint32_t port = d_.down() + d_.up + k + 1;
        sink_.join(plain_end(leaves[l], port, d_.split), plain_end(leaves[l + 1], port, d_.split),
                   CableUse::kJoined);
      }
    }
  }

  void add_host(std::uint32_t place, HostRole role, std::uint32_t number, std::uint32_t ends) {
    sink_.add_host(role, number, static_cast<std::uint32_t>(ceil_div(ends, d_.ports)));
    const std::uint32_t host = devices_++;
    const std::uint32_t in_unit = place % d_.unit;
    const std::uint32_t set = in_unit / d_.leaf_hosts();
    for (std::uint32_t e = 0; e < ends; ++e) {
      const std::uint32_t in_plane = e / d_.planes;
      const std::uint32_t rail = d_.packed != 0 ? 0 : in_plane;
      const std::uint32_t leaf = (place / d_.unit * d_.leaf_rails() + rail) * d_.leaf_sets + set;
      const std::uint32_t link =
          in_unit % d_.leaf_hosts() * d_.leaf_ends() + (d_.packed != 0 ? in_plane : 0);
      sink_.join({host, e / d_.ports, e % d_.ports + 1, e + 1},
                 host_end(leaves_[e % d_.planes][leaf], link), CableUse::kHost);
    }
  }

  void add_hosts() {
    std::uint32_t place = 0;
    const auto services = [&](HostRole role, std::uint32_t links) {
      for (std::uint32_t i = 1; links > 0; ++i) {
        const std::uint32_t ends = std::min(links, d_.ends());
        add_host(place++, role, i, ends);
        links -= ends;
      }
    };
    services(HostRole::kStorage, d_.storage);
    services(HostRole::kManagement, d_.management);
    services(HostRole::kGateway, d_.gateways);
    for (std::uint32_t i = 1; i <= d_.hosts; ++i)
      add_host(place++, HostRole::kCompute, i, d_.ends());
  }

  Boxes add_boxes(std::uint32_t count, SwitchRole role, std::uint32_t plane) {
    Boxes boxes;
    for (std::uint32_t i = 0; i < count; ++i) boxes.device.push_back(add_switch(role, plane, i));
    boxes.taken.assign(count, 0);
    return boxes;
  }

  void add_upper(std::uint32_t plane) {
    if (d_.up == 0) return;
    const std::uint32_t groups = d_.pods() * d_.groups_of_pod();
    Boxes spines = add_boxes(groups * d_.spines, SwitchRole::kSpine, plane);
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
        sink_.join(plain_end(leaf, d_.down() + link + 1, d_.split),
                   upper_end(spines.device[at], ++spines.taken[at], d_.spine_chips), CableUse::kUp);
      });
    }
    const Boxes cores = add_cores(plane, spines, groups);
    finish_directors(spines, d_.spine_chips, d_.spine_up == 0 ? 0 : d_.spine_down() + d_.spine_up);
    finish_directors(cores, d_.core_chips, 0);
  }

  Boxes add_cores(std::uint32_t plane, const Boxes& spines, std::uint32_t groups) {
    if (d_.spine_up == 0) return {};
    Boxes cores = add_boxes(d_.spines * d_.cores, SwitchRole::kCore, plane);
    const std::uint32_t down = d_.spine_down();
    for (std::uint32_t i = 0; i < groups * d_.spines; ++i) {
      const std::uint32_t start = i / d_.spines * (d_.spine_up % d_.cores);
      deal(d_.spine_up, d_.cores, start, [&](std::uint32_t link, std::uint32_t c) {
        const std::uint32_t at = i % d_.spines * d_.cores + c;
        sink_.join(upper_end(spines.device[i], down + link + 1, d_.spine_chips),
                   upper_end(cores.device[at], ++cores.taken[at], d_.core_chips), CableUse::kUp);
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
      sink_.set_cards(boxes.device[i],
                      std::max(1U, static_cast<std::uint32_t>(ceil_div(used, chips / 2))));
    }
  }

  const Design& d_;
  Sink& sink_;
  std::uint32_t devices_ = 0;
  std::vector<std::vector<std::uint32_t>> leaves_;  // devices by plane
};

// InputError with fault_of().
void require_sound(const Design& design);

template <class Sink>
void walk_design(const Design& design, Sink& sink) {
  require_sound(design);
  DesignWalk<Sink>(design, sink).run();
}

}  // namespace fatwood
