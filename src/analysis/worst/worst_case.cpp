// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/worst/worst_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

#include "analysis/worst/flow_network.hpp"
#include "core/share_out.hpp"

namespace fatwood {

namespace {

constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max() / 4;

// A pair on a channel: its end inside the sub-tree (counted within it), its end outside, and its
// share in units of 1/scale.
struct TreeArc {
  std::uint32_t inner;
  std::uint32_t outer;
  std::int64_t weight;
};

// All channels of one direction out of (or into) one sub-tree.
struct CableBlock {
  unsigned level;
  std::uint32_t tree;
  Direction direction;
};

struct Best {
  std::int64_t weight = 0;  // load times scale
  CableBlock block{};
  std::uint32_t offset = 0;
  std::vector<Demand> traffic;
};

struct SolvedBlock {
  Best best;
  std::uint64_t flows = 0;
  std::optional<Demand> stray;  // a pair of the block that has no shortest path
};

// For bytes.hpp.
void fields(auto& bytes, auto& solved) {
  auto& [best, flows, stray] = solved;
  bytes(flows, stray, best.weight, best.block, best.offset, best.traffic);
}

class Solver {
 public:
  Solver(const CableUse& use, TrafficClass traffic) : use_(use), traffic_(traffic) {
    for (unsigned k = 1; k <= use.space.height(); ++k) {
      scale_ = std::lcm(scale_, std::int64_t{use.shares(k)});
    }
  }

  std::int64_t scale() const { return scale_; }

  // The best channel of the block if it beats `floor`.
  SolvedBlock solve(const CableBlock& block, std::int64_t floor) const;

 private:
  struct Network {
    FlowNetwork flow;
    FlowNetwork::Vertex source, sink, first_inner, first_outer;
  };
  std::int64_t capacity(unsigned k) const {
    if (traffic_ == TrafficClass::kAny) return use_.space.C(k);
    return k == 0 ? 1 : kUnbounded;
  }
  Network trees(const CableBlock& block) const;
  // Of the channels with offsets [first, last): the pairs on each.
  struct Chunk {
    std::vector<std::vector<TreeArc>> by_offset;
    std::optional<Demand> stray;
  };
  Chunk pairs(const CableBlock& block, std::uint32_t first, std::uint32_t last) const;
  std::int64_t bound(const CableBlock& block, const std::vector<TreeArc>& arcs) const;
  std::int64_t solve_channel(Network& network, const std::vector<TreeArc>& arcs) const;
  std::vector<Demand> demands(const Network& network, const CableBlock& block,
                              const std::vector<TreeArc>& arcs) const;

  const CableUse& use_;
  TrafficClass traffic_;
  std::int64_t scale_ = 1;
};

// Vertices: source, sink, inner sub-trees by falling height (terminals last), outer sub-trees by
// height, the chain of T's ancestors.
Solver::Network Solver::trees(const CableBlock& block) const {
  const PathSpace& space = use_.space;
  const unsigned l = block.level;
  const unsigned h = space.height();
  std::vector<std::uint32_t> inner_at(l + 1);
  std::vector<std::uint32_t> outer_at(h);
  std::uint32_t next = 2;
  for (unsigned k = l + 1; k-- > 0;) {
    inner_at[k] = next;
    next += space.M(l) / space.M(k);
  }
  for (unsigned k = 0; k < h; ++k) {
    outer_at[k] = next;
    next += space.nodes() / space.M(k);
  }
  const std::uint32_t chain_at = next;  // of height l
  next += h - l;

  FlowNetwork flow(next);
  flow.add_arc(0, inner_at[l], capacity(l));
  for (unsigned k = l; k-- > 0;) {
    for (std::uint32_t i = 0; i < space.M(l) / space.M(k); ++i) {
      const std::uint32_t above = i / (space.M(k + 1) / space.M(k));
      flow.add_arc(inner_at[k + 1] + above, inner_at[k] + i, capacity(k));
    }
  }
  const std::uint32_t first_terminal = block.tree * space.M(l);
  for (unsigned k = 0; k < h; ++k) {
    for (std::uint32_t j = 0; j < space.nodes() / space.M(k); ++j) {
      if (j * space.M(k) / space.M(l) == block.tree) continue;  // inside T
      if (j == first_terminal / space.M(k)) continue;           // around T
      const std::uint32_t above = j / (space.M(k + 1) / space.M(k));
      const bool meets = k + 1 == h || above == first_terminal / space.M(k + 1);
      flow.add_arc(outer_at[k] + j, meets ? chain_at + (k - l) : outer_at[k + 1] + above,
                   capacity(k));
    }
  }
  for (unsigned k = h; k-- > l;) {
    flow.add_arc(chain_at + (k - l), k == l ? 1 : chain_at + (k - l) - 1, capacity(k));
  }
  return {std::move(flow), 0, 1, inner_at[0], outer_at[0]};
}

Solver::Chunk Solver::pairs(const CableBlock& block, std::uint32_t first,
                            std::uint32_t last) const {
  const PathSpace& space = use_.space;
  const unsigned l = block.level;
  Chunk chunk{.by_offset = std::vector<std::vector<TreeArc>>(last - first), .stray = {}};
  std::vector<std::uint32_t> offsets;
  for (std::uint32_t inner = 0; inner < space.M(l); ++inner) {
    const std::uint32_t a = block.tree * space.M(l) + inner;
    for (std::uint32_t b = 0; b < space.nodes(); ++b) {
      if (b / space.M(l) == block.tree) continue;
      const bool up = block.direction == Direction::kUp;
      const Demand pair{up ? a : b, up ? b : a, 0};
      offsets.clear();
      use_.offsets(pair.source, pair.destination, l, block.direction, offsets);
      if (offsets.empty()) {
        chunk.stray = pair;
        return chunk;
      }
      const std::int64_t weight = scale_ / use_.shares(space.common_level(a, b));
      for (const std::uint32_t offset : offsets) {
        if (offset < first || offset >= last) continue;
        std::vector<TreeArc>& arcs = chunk.by_offset[offset - first];
        if (!arcs.empty() && arcs.back().inner == inner && arcs.back().outer == b) {
          arcs.back().weight += weight;
        } else {
          arcs.push_back({inner, b, weight});
        }
      }
    }
  }
  return chunk;
}

// An upper bound on the weight of the flow, the smallest of three: capacity times the heaviest
// pair, summed over inner ends; the same over outer ends; the cables of T times the heaviest pair
// of all.
std::int64_t Solver::bound(const CableBlock& block, const std::vector<TreeArc>& arcs) const {
  const PathSpace& space = use_.space;
  std::vector<std::int64_t> inner(space.M(block.level), 0);
  std::vector<std::int64_t> outer(space.nodes(), 0);
  std::int64_t heaviest = 0;
  for (const TreeArc& arc : arcs) {
    inner[arc.inner] = std::max(inner[arc.inner], arc.weight);
    outer[arc.outer] = std::max(outer[arc.outer], arc.weight);
    heaviest = std::max(heaviest, arc.weight);
  }
  const auto sum = [](const std::vector<std::int64_t>& values) {
    return std::accumulate(values.begin(), values.end(), std::int64_t{0});
  };
  std::int64_t least = std::min(sum(inner), sum(outer)) * capacity(0);
  if (traffic_ == TrafficClass::kAny) least = std::min(least, heaviest * capacity(block.level));
  return least;
}

std::int64_t Solver::solve_channel(Network& network, const std::vector<TreeArc>& arcs) const {
  bool equal = true;
  for (const TreeArc& arc : arcs) {
    network.flow.add_arc(network.first_inner + arc.inner, network.first_outer + arc.outer,
                         kUnbounded, arc.weight);
    equal = equal && arc.weight == arcs.front().weight;
  }
  if (arcs.empty()) return 0;
  return heaviest(network.flow, network.source, network.sink, equal ? arcs.front().weight : 0);
}

std::vector<Demand> Solver::demands(const Network& network, const CableBlock& block,
                                    const std::vector<TreeArc>& arcs) const {
  std::vector<Demand> traffic;
  const std::uint32_t first = block.tree * use_.space.M(block.level);
  auto arc = static_cast<FlowNetwork::Arc>(network.flow.num_arcs() - 2 * arcs.size());
  for (const TreeArc& pair : arcs) {
    const std::int64_t amount = network.flow.flow(arc);
    arc += 2;
    if (amount == 0) continue;
    const std::uint32_t inner = first + pair.inner;
    if (block.direction == Direction::kUp) {
      traffic.push_back({inner, pair.outer, amount});
    } else {
      traffic.push_back({pair.outer, inner, amount});
    }
  }
  return traffic;
}

SolvedBlock Solver::solve(const CableBlock& block, std::int64_t floor) const {
  const PathSpace& space = use_.space;
  const std::uint32_t cables = space.C(block.level);
  // Keep the arcs of a chunk of channels in memory: about 16 million at most.
  const std::uint64_t pairs_of_tree =
      std::uint64_t{space.M(block.level)} * (space.nodes() - space.M(block.level));
  const std::uint64_t a_channel =
      std::max<std::uint64_t>(1, pairs_of_tree * use_.shares(space.height()) / cables);
  const auto chunk = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>((std::uint64_t{1} << 24) / a_channel, 1, cables));
  const Network empty = trees(block);
  SolvedBlock solved;
  Best& best = solved.best;
  best.weight = floor;
  for (std::uint32_t first = 0; first < cables; first += chunk) {
    const std::uint32_t last = std::min(first + chunk, cables);
    const Chunk part = pairs(block, first, last);
    solved.stray = part.stray;
    if (solved.stray) break;
    for (std::uint32_t offset = first; offset < last; ++offset) {
      const std::vector<TreeArc>& arcs = part.by_offset[offset - first];
      if (bound(block, arcs) <= best.weight) continue;
      Network network = empty;
      ++solved.flows;
      const std::int64_t weight = solve_channel(network, arcs);
      if (weight <= best.weight) continue;
      best = {weight, block, offset, demands(network, block, arcs)};
    }
  }
  return solved;
}

std::vector<CableBlock> blocks_of(const PathSpace& space) {
  std::vector<CableBlock> blocks;
  // From the top: the worst channels are there, and a good lower bound saves most flows.
  for (unsigned l = space.height(); l-- > 0;) {
    for (const Direction direction : {Direction::kUp, Direction::kDown}) {
      for (std::uint32_t tree = 0; tree < space.nodes() / space.M(l); ++tree) {
        blocks.push_back({l, tree, direction});
      }
    }
  }
  return blocks;
}

}  // namespace

CableUse cable_use(const AlgebraicRouting& routing) {
  return {.space = routing.space(),
          .shares = [&routing](unsigned k) { return routing.num_paths(k); },
          .offsets =
              [&routing](std::uint32_t s, std::uint32_t d, unsigned l, Direction,
                         std::vector<std::uint32_t>& offsets) {
                const unsigned k = routing.space().common_level(s, d);
                for (const PathIndex t : routing.paths(s, d)) {
                  offsets.push_back(routing.space().offset(k, t, l));
                }
              }};
}

CableUse cable_use(const Model& model, const PathSource& paths) {
  const Fabric& fabric = model.fabric();
  const CompleteTree& tree = *model.complete_tree();
  const PathSpace space(tree.shape);
  // Of the channels up each cable, its offset among those of its sub-tree.
  Table<Channel, std::uint32_t> offset_of(fabric.num_channels(), 0);
  for (unsigned l = 0; l < space.height(); ++l) {
    for (std::uint32_t cable = 0; cable < space.cables(l); ++cable) {
      offset_of[tree.channel_at(space.up_channel(l, cable))] = cable % space.C(l);
    }
  }
  // Adapters of a generated tree have the canonical numbers, however many ports they have.
  const auto adapter_at = [&](std::uint32_t place) {
    return tree.generated() ? static_cast<Adapter>(place)
                            : model.adapters().of(tree.terminal_at(place));
  };
  const auto offsets = [&fabric, adapter_at, &paths, space, offset_of = std::move(offset_of)](
                           std::uint32_t s, std::uint32_t d, unsigned l, Direction direction,
                           std::vector<std::uint32_t>& found) {
    const std::size_t hops = 2 * std::size_t{space.common_level(s, d)};
    const PathList list = paths.paths(adapter_at(s), adapter_at(d));
    if (list.empty()) return;
    const std::size_t repeats = paths.units_in_one() / list.size();
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i].size() != hops) {
        found.clear();
        return;
      }
      const Channel up =
          direction == Direction::kUp ? list[i][l] : fabric.peer(list[i][hops - 1 - l]);
      found.insert(found.end(), repeats, offset_of[up]);
    }
  };
  return {.space = space,
          .shares = [units = paths.units_in_one()](unsigned) { return units; },
          .offsets = offsets};
}

WorstCase worst_case(const CableUse& use, const WorstOptions& options) {
  const PathSpace& space = use.space;
  const Solver solver(use, options.traffic);
  const std::vector<CableBlock> blocks = blocks_of(space);
  WorstCase result;
  for (unsigned l = 0; l < space.height(); ++l) result.channels += 2ULL * space.cables(l);

  Best best;
  // Blocks are solved in batches: those of a batch run in parallel against the best of all earlier
  // batches, so the answer does not depend on the number of threads. Batches grow, because the
  // first ones raise the lower bound, and at the end of each batch all threads wait for its last
  // block.
  constexpr std::size_t kFirstBatch = 16;
  for (std::size_t begin = 0; begin < blocks.size();) {
    const std::size_t count = std::min(std::max(kFirstBatch, begin), blocks.size() - begin);
    const std::vector<SolvedBlock> found =
        share_out(options.share, count, options.threads,
                  [&](std::size_t i, int) { return solver.solve(blocks[begin + i], best.weight); });
    for (const SolvedBlock& block : found) {
      if (block.stray) {
        result.stray = block.stray;
        return result;
      }
      result.flows_solved += block.flows;
      if (block.best.weight > best.weight) best = block.best;
    }
    begin += count;
    report(options.progress, static_cast<double>(begin) / static_cast<double>(blocks.size()),
           fmt::format("worst load so far {}", Fraction(best.weight, solver.scale()).to_string()));
  }

  result.load = Fraction(best.weight, solver.scale());
  result.level = best.block.level;
  result.direction = best.block.direction;
  result.cable = best.block.tree * space.C(result.level) + best.offset;
  result.channel = result.direction == Direction::kUp
                       ? space.up_channel(result.level, result.cable)
                       : space.down_channel(result.level, result.cable);
  result.traffic = std::move(best.traffic);
  return result;
}

std::uint64_t single_path_bound_squared(const TreeShape& shape) {
  const unsigned n = shape.height();
  const std::uint32_t half = shape.m.front();
  if (n < 2 || shape != m_port_n_tree(2 * half, n)) return 0;
  if (n == 2) return half;
  const unsigned exponent = n == 3 ? 1 : (n - 1) / 3;
  std::uint64_t bound = 1;
  for (unsigned i = 0; i < 2 * exponent; ++i) bound *= half;
  return bound;
}

}  // namespace fatwood
