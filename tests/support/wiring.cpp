// SPDX-License-Identifier: BSD-3-Clause
#include "support/wiring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/fabric/spec.hpp"
#include "support/damaged_tree.hpp"
#include "support/fabrics.hpp"
#include "topology/builder.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood::test {

Fabric build(const Wiring& wiring) {
  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> at;
  std::vector<std::uint32_t> used(wiring.hosts.size());
  std::vector<std::uint32_t> ports(wiring.hosts);
  for (const auto& [a, b] : wiring.cables) ++ports[a], ++ports[b];
  for (std::size_t s = 0; s < ports.size(); ++s) {
    at.push_back(builder.add_switch(fmt::format("S{}", s), std::max(1U, ports[s])));
  }
  const auto next = [&](std::uint32_t s) { return static_cast<Port>(++used[s]); };
  for (const auto& [a, b] : wiring.cables) {
    const Port port = next(a);
    builder.connect(at[a], port, at[b], next(b));
  }
  for (std::uint32_t s = 0; s < wiring.hosts.size(); ++s) {
    for (std::uint32_t i = 0; i < wiring.hosts[s]; ++i) {
      builder.connect(at[s], next(s), builder.add_adapter(fmt::format("H{}_{}", s, i), 1), Port{1});
    }
  }
  return builder.build();
}

Wiring wiring_of(const Fabric& fabric) {
  Wiring wiring{{}, std::vector<std::uint32_t>(fabric.num_switches())};
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c) || index(c) > index(fabric.peer(c))) continue;
    const Node a = fabric.owner(c), b = fabric.neighbour(c);
    if (!fabric.is_switch(a) || !fabric.is_switch(b)) continue;
    wiring.cables.emplace_back(index(fabric.as_switch(a)), index(fabric.as_switch(b)));
  }
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) != kNone<Switch>) ++wiring.hosts[index(fabric.leaf(t))];
  }
  return wiring;
}

Wiring towers(std::uint32_t height) {
  constexpr std::uint32_t kTowers = 3;
  constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 3> kTops{{{0, 1}, {0, 2}, {1, 2}}};
  Wiring wiring{{}, std::vector<std::uint32_t>(kTowers * 2 * height + kTops.size())};
  const auto number = [&](std::uint32_t tower, std::uint32_t level, std::uint32_t side) {
    return (tower * height + level) * 2 + side;
  };
  for (std::uint32_t tower = 0; tower < kTowers; ++tower) {
    for (std::uint32_t side = 0; side < 2; ++side) {
      wiring.hosts[number(tower, 0, side)] = 2;
      for (std::uint32_t level = 0; level + 1 < height; ++level) {
        for (std::uint32_t above = 0; above < 2; ++above) {
          wiring.cables.emplace_back(number(tower, level, side), number(tower, level + 1, above));
        }
      }
      for (std::uint32_t top = 0; top < kTops.size(); ++top) {
        if (kTops[top].first != tower && kTops[top].second != tower) continue;
        wiring.cables.emplace_back(number(tower, height - 1, side), kTowers * 2 * height + top);
      }
    }
  }
  return wiring;
}

namespace {

constexpr const char* kWhole[] = {
    "ft(4,2)",         "ft(4,3)", "kary(2,3)",           "kary(2,4)", "kary(3,2)",
    "xgft(2;3,4;1,2)", "ft(6,2)", "xgft(3;2,3,4;1,2,2)", "ft(8,2)",   "pgft(2;4,3;1,2;1,2)"};

Wiring some_tree(Random& random) {
  return wiring_of(make_fabric(kWhole[random.below(std::size(kWhole))]));
}

std::uint32_t some_switch(const Wiring& wiring, Random& random) {
  return random.below(static_cast<std::uint32_t>(wiring.hosts.size()));
}

Wiring random_graph(Random& random) {
  const std::uint32_t switches = 4 + random.below(17);
  const std::uint32_t most = switches * (switches - 1) / 2;
  const std::uint32_t links = std::min(most, switches - 1 + random.below(2 * switches));
  const std::uint32_t hosts = 1 + random.below(switches);
  return wiring_of(make_fabric(fmt::format("random({},{},seed={},terminals={})", switches, links,
                                           random.below(1U << 30), hosts)));
}

Wiring regular(Random& random) {
  switch (random.below(4)) {
    case 0:
      return wiring_of(make_fabric(fmt::format("ring({})", 3 + random.below(20))));
    case 1:
      return wiring_of(
          make_fabric(fmt::format("torus({},{})", 2 + random.below(4), 2 + random.below(4))));
    case 2:
      return wiring_of(make_fabric(fmt::format("torus(2,{},3)", 2 + random.below(2))));
    default:
      return wiring_of(make_fabric(fmt::format("hypercube({})", 1 + random.below(4))));
  }
}

// Switches of one level, as recognition sees it, are joined.
Wiring joined_inside_levels(Random& random) {
  Wiring wiring = some_tree(random);
  const Table<Switch, Level> level = find_levels(build(wiring)).level;
  for (std::uint32_t left = 1 + random.below(6); left > 0; --left) {
    const std::uint32_t a = some_switch(wiring, random), b = some_switch(wiring, random);
    if (a != b && level[Switch{a}] == level[Switch{b}]) wiring.cables.emplace_back(a, b);
  }
  return wiring;
}

Wiring with_hosts_anywhere(Wiring wiring, Random& random) {
  for (std::uint32_t left = 1 + random.below(6); left > 0; --left) {
    ++wiring.hosts[some_switch(wiring, random)];
  }
  return wiring;
}

Wiring with_parallel_cables(Wiring wiring, Random& random) {
  for (std::uint32_t left = 1 + random.below(6); left > 0; --left) {
    const auto count = static_cast<std::uint32_t>(wiring.cables.size());
    if (count > 0) wiring.cables.push_back(wiring.cables[random.below(count)]);
  }
  return wiring;
}

Wiring damaged(Wiring wiring, Random& random) {
  const double share = 0.5 * random.uniform();
  std::erase_if(wiring.cables, [&](const auto&) { return random.uniform() < share; });
  return wiring;
}

Wiring both(Wiring a, const Wiring& b) {
  const auto shift = static_cast<std::uint32_t>(a.hosts.size());
  for (const auto& [from, to] : b.cables) a.cables.emplace_back(from + shift, to + shift);
  a.hosts.insert(a.hosts.end(), b.hosts.begin(), b.hosts.end());
  return a;
}

struct FabricKind {
  const char* name;
  Wiring (*draw)(Random&);
};
constexpr FabricKind kKinds[] = {
    {"random graph", random_graph},
    {"ring, torus or hypercube", regular},
    {"tree with cables inside a level", joined_inside_levels},
    {"two fabrics", [](Random& r) { return both(some_tree(r), random_graph(r)); }},
    {"hosts anywhere", [](Random& r) { return with_hosts_anywhere(some_tree(r), r); }},
    {"parallel cables", [](Random& r) { return with_parallel_cables(random_graph(r), r); }},
    {"damaged tree", [](Random& r) { return damaged(some_tree(r), r); }},
    {"damaged tree with all of these",
     [](Random& r) {
       const Wiring joined = with_parallel_cables(joined_inside_levels(r), r);
       return damaged(with_hosts_anywhere(joined, r), r);
     }},
    {"towers", [](Random& r) { return with_hosts_anywhere(towers(2 + r.below(4)), r); }},
    {"what a file could hold",
     [](Random& r) { return wiring_of(random_fabric(r.below(1U << 30), 12)); }},
};

}  // namespace

DrawnFabric draw_fabric(std::uint64_t seed) {
  Random random(seed);
  const FabricKind& kind = kKinds[seed % std::size(kKinds)];
  return {fmt::format("{}, seed {}", kind.name, seed), build(kind.draw(random))};
}

}  // namespace fatwood::test
