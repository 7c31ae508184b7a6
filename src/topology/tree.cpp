#include "topology/tree.hpp"

#include <fmt/format.h>

#include "topology/builder.hpp"

namespace fatwood {

Fabric make_tree(const TreeShape& shape) {
  check(shape);
  FabricBuilder builder;
  const unsigned h = shape.height();
  for (unsigned level = 0; level <= h; ++level) {
    const std::uint64_t count = shape.nodes_at(level);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (level == 0) {
        builder.add_adapter(fmt::format("H{}", i), shape.radix(0));
      } else {
        builder.add_switch(fmt::format("S{}_{}", level, i), shape.radix(level));
      }
    }
  }
  using Handle = FabricBuilder::Handle;
  for (unsigned level = 0; level < h; ++level) {
    const std::uint32_t m = shape.m[level];
    const std::uint32_t w = shape.w[level];
    const std::uint64_t tops = shape.W(level);
    const std::uint64_t first = shape.first_at(level);
    const std::uint64_t first_above = shape.first_at(level + 1);
    const std::uint64_t count = shape.nodes_at(level);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t tree = i / tops;
      const std::uint64_t top = i % tops;
      for (std::uint32_t q = 0; q < shape.up_ports(level); ++q) {
        const std::uint64_t above = tree / m * (tops * w) + top * w + q % w;
        const std::uint32_t r = static_cast<std::uint32_t>(tree % m) + q / w * m;
        builder.connect(static_cast<Handle>(first + i), q + 1,
                        static_cast<Handle>(first_above + above),
                        shape.up_ports(level + 1) + r + 1);
      }
    }
  }
  builder.set_tree(shape);
  return builder.build();
}

}  // namespace fatwood
