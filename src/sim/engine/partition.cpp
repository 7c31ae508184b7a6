// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engine/partition.hpp"

#include <algorithm>

namespace fatwood::sim {

namespace {

constexpr std::uint16_t kNoPart = 0xffff;

// By switch: links to the next endpoint; kNil where none can be reached.
std::vector<std::uint32_t> distances(const Network& net) {
  std::vector<std::uint32_t> distance(net.switches, kNil);
  std::vector<std::uint32_t> queue;
  for (std::uint32_t t = 0; t < net.terminals; ++t) {
    const std::uint32_t leaf = net.leaf[t];
    if (leaf == kNil || distance[leaf] == 0) continue;
    distance[leaf] = 0;
    queue.push_back(leaf);
  }
  std::sort(queue.begin(), queue.end());
  for (std::size_t i = 0; i < queue.size(); ++i) {
    net.each_neighbour(queue[i], [&, s = queue[i]](std::uint32_t next) {
      if (distance[next] != kNil) return;
      distance[next] = distance[s] + 1;
      queue.push_back(next);
    });
  }
  return distance;
}

class Dealing {
 public:
  Dealing(const Network& net, unsigned parts)
      : net_(net), parts_(parts), part_(net.switches, kNoPart), distance_(distances(net)) {}

  std::vector<std::uint16_t> switches() {
    std::vector<std::vector<std::uint32_t>> levels(1);
    for (std::uint32_t s = 0; s < net_.switches; ++s) {
      const std::uint32_t level = distance_[s] == kNil ? 0 : distance_[s];
      if (level >= levels.size()) levels.resize(level + 1);
      levels[level].push_back(s);
    }
    for (std::size_t level = 0; level < levels.size(); ++level) {
      deal(levels[level], level == 0);
    }
    return std::move(part_);
  }

 private:
  void deal(const std::vector<std::uint32_t>& level, bool in_runs) {
    std::uint64_t all = 0;
    for (const std::uint32_t s : level) all += net_.switch_ports[s];
    std::uint64_t before = 0;
    std::vector<std::uint64_t> size(parts_, 0);
    for (const std::uint32_t s : level) {
      const std::uint64_t ports = net_.switch_ports[s];
      const std::uint16_t part = in_runs ? static_cast<std::uint16_t>(before * parts_ / all)
                                         : joined(s, size, (all + parts_ - 1) / parts_);
      part_[s] = part;
      size[part] += ports;
      before += ports;
    }
  }
  // The part with most links to switch s that is not full.
  std::uint16_t joined(std::uint32_t s, const std::vector<std::uint64_t>& size,
                       std::uint64_t share) const {
    std::vector<std::uint32_t> links(parts_, 0);
    net_.each_neighbour(s, [&](std::uint32_t other) {
      if (part_[other] != kNoPart && distance_[other] < distance_[s]) ++links[part_[other]];
    });
    std::uint16_t best = kNoPart;
    for (std::uint16_t part = 0; part < parts_; ++part) {
      if (size[part] >= share) continue;
      if (best == kNoPart || links[part] > links[best] ||
          (links[part] == links[best] && size[part] < size[best])) {
        best = part;
      }
    }
    return best;
  }

  const Network& net_;
  const unsigned parts_;
  std::vector<std::uint16_t> part_;  // by switch
  std::vector<std::uint32_t> distance_;
};

}  // namespace

std::vector<std::uint16_t> partition(const Network& network, unsigned parts) {
  std::vector<std::uint16_t> part_of(network.ports.size(), 0);
  if (parts == 1) return part_of;
  const std::vector<std::uint16_t> part = Dealing(network, parts).switches();
  for (std::size_t p = 0; p < part_of.size(); ++p) {
    const NetPort& port = network.ports[p];
    const std::uint32_t owner = port.owner != kNil      ? port.owner
                                : port.endpoint != kNil ? network.leaf[port.endpoint]
                                                        : kNil;
    if (owner != kNil) part_of[p] = part[owner];
  }
  return part_of;
}

Time lookahead(const Network& network, const std::vector<std::uint16_t>& part_of) {
  Time least = kNever;
  for (std::size_t p = 0; p < part_of.size(); ++p) {
    const NetPort& port = network.ports[p];
    if (port.peer == kNil || part_of[port.peer] == part_of[p]) continue;
    least = std::min<Time>(least, Time{port.latency} + 1);
  }
  return least;
}

}  // namespace fatwood::sim
