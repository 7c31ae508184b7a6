// SPDX-License-Identifier: BSD-3-Clause
#include "traffic/collectives/nccl.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/sort_unique.hpp"

namespace fatwood {
namespace {

// The nodes of a communicator in order, and the adapters that its ranks use on each.
struct Members {
  std::vector<std::uint32_t> node;              // of the fabric's list, by position
  std::vector<std::vector<std::uint32_t>> nic;  // in use, ascending, by position
  std::vector<std::vector<std::uint32_t>> ranks;

  std::uint32_t size() const { return static_cast<std::uint32_t>(node.size()); }
  std::uint32_t nics() const {
    std::size_t most = 1;
    for (const auto& list : nic) most = std::max(most, list.size());
    return static_cast<std::uint32_t>(most);
  }
  ProgramEndpoint endpoint(const JobShape& shape, std::uint32_t position,
                           std::uint32_t which) const {
    return shape.endpoint(node[position], nic[position][which % nic[position].size()]);
  }
};

Members members(const JobShape& shape, const RankList& ranks) {
  Members found;
  std::vector<std::uint32_t> place(shape.nodes, 0);  // plus 1
  for (const std::uint32_t rank : ranks) {
    const std::uint32_t node = shape.node(rank);
    if (place[node] == 0) {
      found.node.push_back(node);
      found.nic.emplace_back();
      found.ranks.emplace_back();
      place[node] = found.size();
    }
    found.nic[place[node] - 1].push_back(shape.nic(rank));
    found.ranks[place[node] - 1].push_back(rank);
  }
  for (auto& list : found.nic) sort_unique(list);
  return found;
}

std::uint32_t channels(const Members& in, const NcclOptions& options) {
  return options.channels != 0 ? options.channels : 2 * in.nics();
}

double ring_share(RingWork work, double n) {
  if (work == RingWork::kBroadcast || work == RingWork::kReduce) return 1;
  return work == RingWork::kAllReduce ? 2 * (n - 1) / n : (n - 1) / n;
}

// Adapter by which channel c leaves (or enters) the node at a position.
std::uint32_t ring_nic(std::uint32_t c, std::uint32_t position, bool leaves,
                       const NcclOptions& options) {
  if (options.crossing == Crossing::kOff) return c;
  const std::uint32_t role = position % 2 == 0 ? c : c ^ 1U;
  return leaves ? role ^ 1U : role;
}

std::uint32_t node_of_root(const JobShape& shape, const RankList& ranks, const Members& in,
                           std::uint32_t root) {
  const std::uint32_t node = shape.node(ranks[root % ranks.size()]);
  return static_cast<std::uint32_t>(std::find(in.node.begin(), in.node.end(), node) -
                                    in.node.begin());
}

// Seconds of protocol Simple: base, a hop inside a node (NVLink), a hop between nodes.
constexpr double kBase = 8.4e-6;
constexpr double kInsideRing = 3.4e-6;
constexpr double kInsideTree = 4.0e-6;
constexpr double kBetween = 14e-6;

}  // namespace

Program nccl_ring(const JobShape& shape, const RankList& ranks, RingWork work, double bytes,
                  const NcclOptions& options) {
  const Members in = members(shape, ranks);
  const std::uint32_t n = in.size();
  const std::uint32_t all = channels(in, options);
  const double size = ring_share(work, static_cast<double>(ranks.size())) * bytes / all;
  const std::uint32_t root = node_of_root(shape, ranks, in, options.root);
  Program program = empty_program(shape, "ring");
  for (std::uint32_t c = 0; c < all; ++c) {
    std::vector<Edge> edges;
    for (std::uint32_t i = 0; i < n && n > 1; ++i) {
      const std::uint32_t next = (i + 1) % n;
      if (work == RingWork::kBroadcast && next == root) continue;
      if (work == RingWork::kReduce && i == root) continue;
      edges.push_back({in.endpoint(shape, i, ring_nic(c, i, true, options)),
                       in.endpoint(shape, next, ring_nic(c, next, false, options))});
    }
    program.stage_names.push_back("channel " + std::to_string(c));
    program.add_transfer(size, edges, {}, c);
  }
  return program;
}

std::vector<std::uint32_t> binary_tree(std::uint32_t nodes) {
  std::vector<std::uint32_t> parent(nodes, 0);
  for (std::uint32_t i = 1; i < nodes; ++i) {
    const std::uint32_t bit = i & (~i + 1);
    const std::uint32_t up = (i ^ bit) | (bit << 1);
    parent[i] = up < nodes ? up : i ^ bit;
  }
  return parent;
}

std::vector<std::uint32_t> second_binary_tree(std::uint32_t nodes) {
  const std::vector<std::uint32_t> first = binary_tree(nodes);
  std::vector<std::uint32_t> parent(nodes, 0);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const bool even = nodes % 2 == 0;
    const std::uint32_t twin = even ? nodes - 1 - i : (i + nodes - 1) % nodes;
    const std::uint32_t up = first[twin];
    parent[i] = even ? nodes - 1 - up : (up + 1) % nodes;
  }
  return parent;
}

Program nccl_tree(const JobShape& shape, const RankList& ranks, double bytes,
                  const NcclOptions& options) {
  const Members in = members(shape, ranks);
  const std::uint32_t all = std::max(2U, channels(in, options));
  const std::vector<std::vector<std::uint32_t>> parents{binary_tree(in.size()),
                                                        second_binary_tree(in.size())};
  Program program = empty_program(shape, "tree");
  for (std::uint32_t c = 0; c < all; ++c) {
    const std::uint32_t half = std::max(1U, all / 2);
    const std::vector<std::uint32_t>& parent = parents[c < half ? 0 : 1];
    const std::uint32_t nic = c % half;
    std::vector<Edge> edges;
    for (std::uint32_t i = 0; i < in.size(); ++i) {
      if (parent[i] == i) continue;
      const ProgramEndpoint child = in.endpoint(shape, i, nic);
      const ProgramEndpoint up = in.endpoint(shape, parent[i], nic);
      edges.push_back({child, up});
      edges.push_back({up, child});
    }
    program.stage_names.push_back("channel " + std::to_string(c));
    program.add_transfer(bytes / all, edges, {}, c);
  }
  return program;
}

Program nccl_all_to_all(const JobShape& shape, const RankList& ranks, double bytes,
                        const NcclOptions& options) {
  const Members in = members(shape, ranks);
  const std::uint32_t n = in.size();
  const double part = bytes / static_cast<double>(ranks.size());  // from one rank to one rank
  Program program = empty_program(shape, "all-to-all");
  const std::size_t flows = options.forwarding == Forwarding::kPxn ? 1 : in.nic[0].size();
  program.reserve(std::size_t{n} * (n - 1) * in.nic[0].size() * flows);
  std::vector<std::vector<std::vector<Op>>> turns(n);  // of each node: what it sent to each other
  for (std::uint32_t d = 1; d < n; ++d) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t to = (i + d) % n;
      const std::vector<Op>* after = nullptr;
      if (options.window > 0 && d > options.window) after = &turns[i][d - 1 - options.window];
      std::vector<Op> made;
      const auto per_nic = [&](std::uint32_t position) {
        return static_cast<double>(in.ranks[position].size()) /
               static_cast<double>(in.nic[position].size());
      };
      const auto send = [&](std::uint32_t out, std::uint32_t into, double size) {
        const Op op = program.add_message(
            in.endpoint(shape, i, out), in.endpoint(shape, to, into), size,
            after != nullptr ? std::span<const Op>(*after) : std::span<const Op>(), d - 1);
        if (options.window > 0) made.push_back(op);
      };
      for (std::uint32_t h = 0; h < in.nic[to].size(); ++h) {
        if (options.forwarding == Forwarding::kPxn) {
          send(h, h, part * static_cast<double>(in.ranks[i].size()) * per_nic(to));
        } else {
          for (std::uint32_t g = 0; g < in.nic[i].size(); ++g) {
            send(g, h, part * per_nic(i) * per_nic(to));
          }
        }
      }
      if (options.window > 0) turns[i].push_back(std::move(made));
    }
  }
  return program;
}

Program nccl_pipeline(const JobShape& shape, const RankList& ranks, double bytes,
                      const NcclOptions& options) {
  Program program = empty_program(shape, "pipeline");
  for (std::size_t i = 1; i < ranks.size(); ++i) {
    const std::uint32_t from = ranks[i - 1];
    const std::uint32_t to = ranks[i];
    if (shape.node(from) == shape.node(to)) continue;
    const std::uint32_t out =
        options.forwarding == Forwarding::kPxn ? shape.nic(to) : shape.nic(from);
    program.add_message(shape.endpoint(shape.node(from), out), shape.endpoint(to), bytes);
  }
  return program;
}

Program nccl_send_receive(const JobShape& shape, const RankList& ranks, double bytes,
                          const NcclOptions& options) {
  RankList circle = ranks;
  circle.push_back(ranks.front());
  Program program = nccl_pipeline(shape, circle, bytes, options);
  program.name = "send-receive";
  return program;
}

double nccl_ring_latency(const JobShape& shape, const RankList& ranks, RingWork work) {
  const double nodes = members(shape, ranks).size();
  const double rounds = work == RingWork::kAllReduce ? 2 : 1;
  const double steps = rounds * (static_cast<double>(ranks.size()) - 1);
  const double between = nodes > 1 ? rounds * (nodes - 1) : 0;
  return kBase + (steps - between) * kInsideRing + between * kBetween;
}

double nccl_tree_latency(const JobShape& shape, const RankList& ranks) {
  const double nodes = members(shape, ranks).size();
  const double local = static_cast<double>(ranks.size()) / nodes;
  return kBase + 2 * ((local - 1) * kInsideTree + std::log2(nodes) * kBetween);
}

}  // namespace fatwood
