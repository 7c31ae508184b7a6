// SPDX-License-Identifier: BSD-3-Clause
#include "topology/generate/tree.hpp"

#include <fmt/format.h>

#include "topology/generate/cable_list.hpp"

namespace fatwood {

namespace {

using Handle = FabricBuilder::Handle;

// `offset` is what a node's number in the shape lacks to its handle.
void join_levels(FabricBuilder& builder, const TreeShape& shape, unsigned level,
                 std::int64_t offset) {
  const std::uint32_t m = shape.m[level];
  const std::uint32_t w = shape.w[level];
  const std::uint64_t tops = shape.W(level);
  const std::uint64_t first = shape.first_at(level);
  const std::uint64_t first_above = shape.first_at(level + 1);
  const std::uint64_t count = shape.nodes_at(level);
  const auto handle = [&](std::uint64_t number) {
    return static_cast<Handle>(static_cast<std::int64_t>(number) + offset);
  };
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t tree = i / tops;
    const std::uint64_t top = i % tops;
    for (std::uint32_t q = 0; q < shape.up_ports(level); ++q) {
      const std::uint64_t above = tree / m * (tops * w) + top * w + q % w;
      const std::uint32_t r = static_cast<std::uint32_t>(tree % m) + q / w * m;
      builder.connect(handle(first + i), static_cast<Port>(q + 1), handle(first_above + above),
                      static_cast<Port>(shape.up_ports(level + 1) + r + 1));
    }
  }
}

void add_switches(FabricBuilder& builder, const TreeShape& shape, std::string_view prefix) {
  for (unsigned level = 1; level <= shape.height(); ++level) {
    const std::uint64_t count = shape.nodes_at(level);
    for (std::uint64_t i = 0; i < count; ++i) {
      builder.add_switch(fmt::format("{}S{}_{}", prefix, level, i), shape.radix(level));
    }
  }
}

}  // namespace

Fabric make_tree(const TreeShape& shape) {
  check(shape);
  std::uint64_t cables = 0;
  for (unsigned level = 0; level < shape.height(); ++level) {
    cables += shape.nodes_at(level) * shape.up_ports(level);
  }
  check_cables(cables);
  FabricBuilder builder;
  const std::uint64_t terminals = shape.terminals();
  for (std::uint64_t i = 0; i < terminals; ++i) {
    builder.add_adapter(fmt::format("H{}", i), shape.radix(0));
  }
  add_switches(builder, shape, "");
  for (unsigned level = 0; level < shape.height(); ++level) join_levels(builder, shape, level, 0);
  builder.set_tree(shape);
  return builder.build();
}

FabricBuilder::Handle add_switch_tree(FabricBuilder& builder, const TreeShape& shape,
                                      std::string_view prefix) {
  check(shape);
  const auto first = static_cast<Handle>(builder.num_nodes());
  const auto offset =
      static_cast<std::int64_t>(builder.num_nodes()) - static_cast<std::int64_t>(shape.first_at(1));
  add_switches(builder, shape, prefix);
  for (unsigned level = 1; level < shape.height(); ++level) {
    join_levels(builder, shape, level, offset);
  }
  return first;
}

}  // namespace fatwood
