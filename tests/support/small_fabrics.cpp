// SPDX-License-Identifier: BSD-3-Clause
#include "support/small_fabrics.hpp"

#include <fmt/format.h>

#include <vector>

#include "core/random.hpp"
#include "io/fabric/spec.hpp"
#include "topology/builder.hpp"

namespace fatwood::test {

namespace {

constexpr std::string_view kNames[] = {
    "ft(4,2)",
    "ft(4,3)",
    "ft(8,2)",
    "kary(2,4)",
    "xgft(3;2,3,4;1,2,2)",
    "pgft(2;4,4;1,2;1,2)",
    "ft(4,3)-3",
    "ft(8,2)-9",
    "xgft(3;3,3,4;1,3,3)-12",
    "pgft(3;3,3,3;1,3,3;1,1,2)-10",
    "one switch",
    "line of five",
    "ring of seven",
    "grid 4x4 wrapped",
    "hosts on spines",
    "two trees, one layer, joined leaves",
    "parallel cables",
    "random 14, 24",
    "random 20, 60",
};

struct Builder {
  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> nodes;
  std::vector<std::uint32_t> used;

  FabricBuilder::Handle add_switch(const std::string& name) {
    nodes.push_back(builder.add_switch(name, 36));
    used.push_back(0);
    return nodes.back();
  }
  void add_hosts(std::size_t at, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      const auto host = builder.add_adapter(fmt::format("H{}", builder.num_nodes()), 1);
      builder.connect(host, Port{1}, nodes[at], static_cast<Port>(++used[at]));
    }
  }
  void join(std::size_t a, std::size_t b) {
    const auto port = static_cast<Port>(++used[a]);
    builder.connect(nodes[a], port, nodes[b], static_cast<Port>(++used[b]));
  }
};

Builder switches(std::size_t count) {
  Builder made;
  for (std::size_t i = 0; i < count; ++i) made.add_switch(fmt::format("S{}", i));
  return made;
}

Fabric ring(std::size_t count, std::size_t cables) {
  Builder made = switches(count);
  for (std::size_t i = 0; i < cables; ++i) made.join(i, (i + 1) % count);
  for (std::size_t i = 0; i < count; ++i) made.add_hosts(i, 1 + static_cast<unsigned>(i) % 3);
  return made.builder.build();
}

Fabric wrapped_grid(std::size_t side) {
  Builder made = switches(side * side);
  for (std::size_t y = 0; y < side; ++y) {
    for (std::size_t x = 0; x < side; ++x) {
      made.join(y * side + x, y * side + (x + 1) % side);
      made.join(y * side + x, (y + 1) % side * side + x);
      made.add_hosts(y * side + x, 2);
    }
  }
  return made.builder.build();
}

// Leaves 0-5, spines 6-8; a host on each spine, a management leaf 9 above two spines.
Fabric hosts_on_spines() {
  Builder made = switches(10);
  for (std::size_t leaf = 0; leaf < 6; ++leaf) {
    made.add_hosts(leaf, 2 + static_cast<unsigned>(leaf) % 2);
    for (std::size_t spine = 6; spine < 9; ++spine) made.join(leaf, spine);
  }
  for (std::size_t spine = 6; spine < 9; ++spine) made.add_hosts(spine, 1);
  made.join(9, 6);
  made.join(9, 7);
  made.add_hosts(9, 3);
  return made.builder.build();
}

// Leaves 0-5 in joined pairs over two trees of two spines each (6,7 and 8,9).
Fabric two_trees() {
  Builder made = switches(10);
  for (std::size_t leaf = 0; leaf < 6; ++leaf) {
    made.add_hosts(leaf, 3);
    for (std::size_t spine = 6; spine < 10; ++spine) made.join(leaf, spine);
    if (leaf % 2 == 0) made.join(leaf, leaf + 1);
  }
  return made.builder.build();
}

Fabric parallel_cables() {
  Builder made = switches(4);
  for (int copy = 0; copy < 3; ++copy) made.join(0, 2);
  for (int copy = 0; copy < 2; ++copy) made.join(1, 2);
  made.join(0, 3);
  made.join(1, 3);
  made.join(1, 3);
  for (std::size_t i = 0; i < 2; ++i) made.add_hosts(i, 5);
  return made.builder.build();
}

Fabric random_graph(std::size_t count, std::size_t cables, std::uint64_t seed) {
  Builder made = switches(count);
  Random random(seed, 0, 0);
  for (std::size_t i = 1; i < count; ++i) made.join(i, random.below(static_cast<std::uint32_t>(i)));
  for (std::size_t i = count - 1; i < cables; ++i) {
    const std::size_t a = random.below(static_cast<std::uint32_t>(count));
    const std::size_t b = random.below(static_cast<std::uint32_t>(count));
    if (a != b) made.join(a, b);
  }
  for (std::size_t i = 0; i < count; ++i) made.add_hosts(i, static_cast<unsigned>(i) % 3);
  return made.builder.build();
}

// Cables between switches, as the channel with the lower number.
std::vector<Channel> switch_cables(const Fabric& fabric) {
  std::vector<Channel> cables;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c) || index(c) > index(fabric.peer(c))) continue;
    if (fabric.is_switch(fabric.owner(c)) && fabric.is_switch(fabric.neighbour(c))) {
      cables.push_back(c);
    }
  }
  return cables;
}

Fabric keep_cables(const Fabric& whole, const std::vector<char>& gone) {
  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> nodes;
  for (const Node node : ids<Node>(whole.num_nodes())) {
    nodes.push_back(whole.is_switch(node) ? builder.add_switch(whole.id(node), whole.ports(node))
                                          : builder.add_adapter(whole.id(node), whole.ports(node)));
  }
  for (const Channel c : ids<Channel>(whole.num_channels())) {
    if (!whole.connected(c) || index(c) > index(whole.peer(c)) || gone[index(c)] != 0) continue;
    builder.connect(nodes[index(whole.owner(c))], whole.port(c), nodes[index(whole.neighbour(c))],
                    whole.port(whole.peer(c)));
  }
  return builder.build();
}

bool in_one_piece(const Fabric& fabric) {
  std::vector<char> seen(fabric.num_nodes());
  std::vector<Node> stack{fabric.node(Switch{0})};
  seen[index(stack.back())] = 1;
  std::size_t count = 1;
  while (!stack.empty()) {
    const Node node = stack.back();
    stack.pop_back();
    for (const Channel c : fabric.channels(node)) {
      if (!fabric.connected(c) || seen[index(fabric.neighbour(c))] != 0) continue;
      seen[index(fabric.neighbour(c))] = 1;
      ++count;
      stack.push_back(fabric.neighbour(c));
    }
  }
  return count == fabric.num_nodes();
}

// The fabric without `missing` of its cables between switches, and still in one piece.
Fabric without_cables(const Fabric& whole, unsigned missing) {
  std::vector<Channel> cables = switch_cables(whole);
  Random random(7, missing);
  random.shuffle(cables);
  std::vector<char> gone(whole.num_channels());
  for (const Channel c : cables) {
    if (missing == 0) break;
    gone[index(c)] = 1;
    if (in_one_piece(keep_cables(whole, gone))) {
      --missing;
    } else {
      gone[index(c)] = 0;
    }
  }
  return keep_cables(whole, gone);
}

Fabric hand_made(std::string_view name) {
  if (name == "one switch") return ring(1, 0);
  if (name == "line of five") return ring(5, 4);
  if (name == "ring of seven") return ring(7, 7);
  if (name == "grid 4x4 wrapped") return wrapped_grid(4);
  if (name == "hosts on spines") return hosts_on_spines();
  if (name == "two trees, one layer, joined leaves") return two_trees();
  if (name == "parallel cables") return parallel_cables();
  if (name == "random 14, 24") return random_graph(14, 24, 3001);
  return random_graph(20, 60, 3002);
}

}  // namespace

std::span<const std::string_view> small_fabric_names() { return kNames; }

Fabric small_fabric(const std::string& name) {
  if (!looks_like_spec(name)) return hand_made(name);
  const std::size_t close = name.find(")-");
  if (close == std::string::npos) return make_fabric(name);
  return without_cables(make_fabric(name.substr(0, close + 1)),
                        static_cast<unsigned>(std::stoul(name.substr(close + 2))));
}

}  // namespace fatwood::test
