#include "routing/fingerprint.hpp"

#include <cstring>
#include <span>

namespace fatwood {

namespace {

class Hash {
 public:
  void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x100000001b3ULL;
    mix();
  }
  void add(std::span<const std::uint8_t> bytes) {
    add(bytes.size());
    std::size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8) {
      std::uint64_t word = 0;
      for (unsigned b = 0; b < 8; ++b) word |= std::uint64_t{bytes[i + b]} << (8 * b);
      add(word);
    }
    for (; i < bytes.size(); ++i) add(std::uint64_t{bytes[i]});
  }
  std::uint64_t value() const { return state_; }

 private:
  void mix() { state_ ^= state_ >> 29; }  // words, not bytes: carry the high bits down again
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

}  // namespace

std::uint64_t fingerprint(const Fabric& fabric) {
  Hash hash;
  hash.add(fabric.num_adapters());
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    hash.add(fabric.guid(node));
    hash.add(std::uint64_t{fabric.ports(node)});
    for (Port port = 1; port <= fabric.ports(node); ++port) {
      const Channel c = fabric.channel(node, port);
      hash.add(fabric.connected(c) ? fabric.guid(fabric.neighbour(c)) : 0);
      hash.add(fabric.connected(c) ? std::uint64_t{fabric.port(fabric.peer(c))} : 0);
    }
  }
  return hash.value();
}

std::uint64_t fingerprint(const Routing& routing) {
  Hash hash;
  const ForwardingTables& tables = routing.tables;
  hash.add(std::uint64_t{tables.lmc()});
  for (const Target target : ids<Target>(tables.num_targets())) {
    hash.add(tables.row(target));
    if (routing.lanes.lane.empty()) continue;
    const std::size_t row = routing.lanes.row_of[index(target)];
    hash.add(std::span(routing.lanes.lane)
                 .subspan(row * routing.lanes.switches, routing.lanes.switches));
  }
  for (const std::uint32_t first : routing.source_routes.first) hash.add(std::uint64_t{first});
  for (const Channel c : routing.source_routes.channels) hash.add(std::uint64_t{index(c)});
  return hash.value();
}

std::uint64_t fingerprint(const Fabric& fabric, const LaneMap& map) {
  Hash hash;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const Port ports = fabric.ports(fabric.node(s));
    for (Port in = 0; in <= ports; ++in) {
      for (Port out = 0; out <= ports; ++out) {
        LaneOfLevel lanes{};
        for (unsigned level = 0; level < kLevels; ++level) {
          lanes[level] = static_cast<std::uint8_t>(map.lane(s, in, out, level));
        }
        hash.add(lanes);
      }
    }
  }
  return hash.value();
}

}  // namespace fatwood
