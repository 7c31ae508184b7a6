// SPDX-License-Identifier: BSD-3-Clause
#include "topology/generate/multi_core.hpp"

#include <fmt/format.h>

#include <vector>

#include "topology/builder.hpp"
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
using BoxCabling = Socket (*)(const TreeShape& box, std::uint32_t leaf, std::uint32_t up);

Fabric make_boxes(const TreeShape& box, std::uint32_t boxes, const LeafLayer& layer,
                  BoxCabling cabling) {
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

}  // namespace fatwood
