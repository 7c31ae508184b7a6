// SPDX-License-Identifier: BSD-3-Clause
#include "topology/generate/multi_core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"
#include "topology/builder.hpp"
#include "topology/generate/cable_list.hpp"
#include "topology/generate/tree.hpp"

namespace fatwood {

namespace {

using Handle = FabricBuilder::Handle;

struct LeafLayer {
  std::uint32_t leaves;
  std::uint32_t ports;
  std::uint32_t up_links;
  std::uint32_t terminals;
  std::uint32_t horizontal;  // to the other leaf of the pair
};

// The end of a leaf's cable: an outer port of a box, as the box's own tree numbers terminals.
struct Socket {
  std::uint32_t box;
  std::uint32_t outer;
};
using BoxCabling =
    std::function<Socket(const TreeShape& box, std::uint32_t leaf, std::uint32_t up)>;

Fabric make_boxes(const TreeShape& box, std::uint32_t boxes, const LeafLayer& layer,
                  const BoxCabling& cabling) {
  FabricBuilder builder;
  std::vector<Handle> leaves;
  for (std::uint32_t i = 0; i < layer.leaves * layer.terminals; ++i) {
    builder.add_adapter(fmt::format("H{}", i), 1);
  }
  for (std::uint32_t i = 0; i < layer.leaves; ++i) {
    leaves.push_back(builder.add_switch(fmt::format("L{}", i), layer.ports));
  }
  std::vector<std::uint32_t> lines;  // handle of each box's first line switch
  for (std::uint32_t b = 0; b < boxes; ++b) {
    lines.push_back(
        static_cast<std::uint32_t>(add_switch_tree(builder, box, fmt::format("B{}", b))));
  }
  const std::uint32_t outer_ports = box.down_ports(1);
  for (std::uint32_t leaf = 0; leaf < layer.leaves; ++leaf) {
    std::uint32_t used = 0;
    const auto next = [&] { return static_cast<Port>(++used); };
    for (std::uint32_t up = 0; up < layer.up_links; ++up) {
      const Socket socket = cabling(box, leaf, up);
      const auto line = static_cast<Handle>(lines[socket.box] + socket.outer / outer_ports);
      builder.connect(leaves[leaf], next(), line,
                      static_cast<Port>(box.up_ports(1) + socket.outer % outer_ports + 1));
    }
    for (std::uint32_t t = 0; t < layer.terminals; ++t) {
      const auto host = static_cast<Handle>(leaf * layer.terminals + t);
      builder.connect(leaves[leaf], next(), host, Port{1});
    }
    for (std::uint32_t k = 0; k < layer.horizontal && leaf % 2 == 0; ++k) {
      const Port port = next();
      builder.connect(leaves[leaf], port, leaves[leaf + 1], port);
    }
  }
  return builder.build();
}

constexpr LeafLayer two_switch_units(std::uint32_t leaves) { return {leaves, 36, 12, 12, 9}; }

// As many racks as a line switch has outer ports form a group and share 12 line switches.
Socket rack_cabling(const TreeShape& box, std::uint32_t leaf, std::uint32_t up) {
  const std::uint32_t group = box.m[0];
  const std::uint32_t line = leaf / group * 12 + up;
  return {0, line * group + leaf % group};
}

// First one cable to each of the eight boxes, then a second one to four of them.
Socket juropa_cabling(const TreeShape& box, std::uint32_t leaf, std::uint32_t up) {
  const std::uint32_t pair = leaf / 2;
  const std::uint32_t side = leaf % 2;
  const std::uint32_t target = up < 8 ? up : up - 8 + 4 * side;
  const std::uint32_t slot = up >= 8 ? 1 : 2 * side;
  return {target, pair / 6 * box.m[0] + pair % 6 * 3 + slot};
}

Socket ranger_cabling(const TreeShape& box, std::uint32_t leaf, std::uint32_t up) {
  return {up % 2, leaf / 2 * box.m[0] + leaf % 2 * 6 + up / 2};
}

// Where the cables of all leaves end, leaf by leaf: box by box in turn, while a box has free ports.
std::vector<Socket> cabled_by_hand(const TreeShape& box, const Directors& wanted) {
  constexpr std::uint32_t kMostTogether = 6;
  const std::uint32_t outer = box.down_ports(1);
  Random random(wanted.seed, 0);
  struct Line {
    std::uint32_t number, used;  // used: outer ports
  };
  std::vector<std::vector<Line>> open(wanted.boxes);  // line switches with a free port
  for (std::vector<Line>& lines : open) {
    for (std::uint32_t i = 0; i < box.m[1]; ++i) lines.push_back({i, 0});
  }
  std::vector<Socket> sockets;
  for (std::uint32_t leaf = 0; leaf < wanted.leaves; ++leaf) {
    std::uint32_t left = wanted.up_links;
    for (std::uint32_t b = leaf % wanted.boxes; left > 0; b = (b + 1) % wanted.boxes) {
      std::vector<Line>& lines = open[b];
      if (lines.empty()) continue;
      const std::uint32_t place = random.below(static_cast<std::uint32_t>(lines.size()));
      Line& line = lines[place];
      const std::uint32_t bundle =
          std::min({1 + random.below(kMostTogether), left, outer - line.used});
      for (std::uint32_t i = 0; i < bundle; ++i) {
        sockets.push_back({b, line.number * outer + line.used++});
      }
      if (line.used == outer) lines.erase(lines.begin() + place);
      left -= bundle;
    }
  }
  return sockets;
}

}  // namespace

TreeShape switch648_shape() { return xgft({18, 36}, {1, 18}); }
TreeShape switch3456_shape() { return xgft({12, 12, 24}, {1, 12, 12}); }

Fabric make_switch648_with_racks() {
  return make_boxes(switch648_shape(), 1, two_switch_units(54), rack_cabling);
}
Fabric make_switch3456_with_racks() {
  return make_boxes(switch3456_shape(), 1, two_switch_units(288), rack_cabling);
}
Fabric make_juropa() {
  return make_boxes(switch648_shape(), 8, two_switch_units(432), juropa_cabling);
}
Fabric make_ranger() {
  return make_boxes(switch3456_shape(), 2, {576, 24, 12, 12, 0}, ranger_cabling);
}
Fabric make_directors(const Directors& wanted) {
  constexpr std::uint32_t kLeafPorts = 36;
  const TreeShape box = switch648_shape();
  if (wanted.leaves == 0 || wanted.hosts == 0 || wanted.up_links == 0 || wanted.boxes == 0) {
    throw InputError("leaves, hosts, up and boxes must be above 0");
  }
  if (std::uint64_t{wanted.hosts} + wanted.up_links > kLeafPorts) {
    throw InputError(fmt::format("a leaf has {} ports, not {} for hosts and {} upwards", kLeafPorts,
                                 wanted.hosts, wanted.up_links));
  }
  const std::uint64_t ports = std::uint64_t{box.m[0]} * box.m[1] * wanted.boxes;
  const std::uint64_t cables = std::uint64_t{wanted.leaves} * wanted.up_links;
  if (cables > ports) {
    throw InputError(
        fmt::format("{} cables do not fit {} switches of 648 ports", cables, wanted.boxes));
  }
  check_cables(cables + std::uint64_t{wanted.leaves} * wanted.hosts +
               ports * std::uint64_t{box.w[1]});
  const std::vector<Socket> sockets = cabled_by_hand(box, wanted);
  return make_boxes(box, wanted.boxes,
                    {wanted.leaves, kLeafPorts, wanted.up_links, wanted.hosts, 0},
                    [&](const TreeShape&, std::uint32_t leaf, std::uint32_t up) {
                      return sockets[leaf * wanted.up_links + up];
                    });
}

}  // namespace fatwood
