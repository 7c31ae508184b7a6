// SPDX-License-Identifier: BSD-3-Clause
// osrm:K, lattice covers: K paths per pair with the best worst case known. docs/reference/osrm.md
// has the statement, the proof and the figures.
//
// Idea: the paths of a pair that meets at level k go up out of a sub-tree with N = M(k-1) sources
// and come down into one with N destinations; there are X = U(k) of them. A path that serves a
// sources and b destinations can have at most the load max(a, b)/K. X paths serve N*N pairs K times
// each, so a*b*X >= N*N*K. So cover the square sources x destinations K times by X rectangles that
// are as near as possible to squares of side N*sqrt(K/X).
//
// Method: the rectangles are translates on a lattice of the torus. Rectangle r has the a sources
// from floor(r*N/X) on and the b destinations from floor((beta*r mod X)*N/X) on, both cyclic. A
// pair uses K of the rectangles that contain it, in turn over the ports out of its leaf. Sources
// and destinations are ordered with their position under the leaf most significant. Rectangle r is
// path r, or the path whose up-ports are the digits of r, the lowest level's fastest.
//
// Search: (a, b, beta, order) is searched for. Candidates are compared by a proved bound: no
// traffic can load a channel with more than the sum, over the sources (destinations) that it
// serves, of the largest share that any of their pairs has on it. The candidate with the smallest
// maximum of this sum over all channels wins. The search ends when no larger rectangle could win.
//
// Cost: O(sqrt(X K)) per pair; only the cover of each level is stored. A candidate takes N^2 K h
// steps; the search stops after kSearchSteps steps, under a second.

#include <algorithm>
#include <string>

#include "routing/algebraic/algebraic.hpp"

namespace fatwood {

namespace {

// A cover of the N x N torus by X rectangles a x b.
struct TorusCover {
  std::uint32_t N = 1, X = 1;
  std::uint32_t a = 1, b = 1;
  std::uint32_t beta = 1;

  std::uint32_t row(std::uint32_t r) const {
    return static_cast<std::uint32_t>(std::uint64_t{r} * N / X);
  }
  std::uint32_t column(std::uint32_t r) const {
    return row(static_cast<std::uint32_t>(std::uint64_t{beta} * r % X));
  }
  bool serves_source(std::uint32_t r, std::uint32_t s) const { return (s + N - row(r)) % N < a; }
  bool serves_destination(std::uint32_t r, std::uint32_t d) const {
    return (d + N - column(r)) % N < b;
  }
  // Calls visit(path) for each that serves s: they end just before the first path whose run of
  // sources begins after s.
  template <class Visit>
  void each_serving(std::uint32_t s, const Visit& visit) const {
    auto r = static_cast<std::uint32_t>(((std::uint64_t{s} + 1) * X + N - 1) / N % X);
    for (std::uint32_t seen = 0; seen < X; ++seen) {
      r = (r == 0 ? X : r) - 1;
      if (!serves_source(r, s)) return;
      visit(r);
    }
  }
};

// The number of paths of source s and destination d, for the worst d.
std::uint32_t least_paths(const TorusCover& cover, std::uint32_t s,
                          std::vector<std::int32_t>& change) {
  change.assign(cover.N + 1, 0);
  std::int32_t everywhere = 0;
  cover.each_serving(s, [&](std::uint32_t r) {
    if (cover.b >= cover.N) {
      ++everywhere;
      return;
    }
    const std::uint32_t begin = cover.column(r);
    const std::uint32_t end = begin + cover.b;
    ++change[begin];
    --change[std::min(end, cover.N)];
    if (end > cover.N) {
      ++change[0];
      --change[end - cover.N];
    }
  });
  std::int32_t least = INT32_MAX;
  std::int32_t here = everywhere;
  for (std::uint32_t d = 0; d < cover.N; ++d) {
    here += change[d];
    least = std::min(least, here);
  }
  return static_cast<std::uint32_t>(least);
}

bool covers(const TorusCover& cover, std::uint32_t K) {
  std::vector<std::int32_t> change;
  // With N = X every source sees the same, shifted.
  const std::uint32_t sources = cover.N == cover.X ? 1 : cover.N;
  for (std::uint32_t s = 0; s < sources; ++s) {
    if (least_paths(cover, s, change) < K) return false;
  }
  return true;
}

// Multipliers to try, those nearest to the golden section of X first: its multiples are distributed
// most evenly.
std::vector<std::uint32_t> multipliers(std::uint32_t X) {
  const auto golden = static_cast<std::uint32_t>(0.6180339887 * X);
  std::vector<std::uint32_t> list;
  for (std::uint32_t i = 0; i < X; ++i) {
    const std::uint32_t step = (i + 1) / 2;
    list.push_back((i % 2 == 0 ? golden + step : golden + X - step) % X);
  }
  return list;
}

enum class Order : std::uint8_t { kByNumber, kLowestFastest };

// The cover of pairs that meet at level k, as paths.
struct Lattice {
  unsigned k;
  std::uint32_t paths;  // K, or all when there are fewer
  TorusCover cover;
  Order order;

  PathIndex path(const PathSpace& space, std::uint32_t r) const {
    if (order == Order::kByNumber) return r;
    PathIndex t = 0;
    for (unsigned l = 0; l < k; ++l) {
      t = t * space.u(l + 1) + r % space.u(l + 1);
      r /= space.u(l + 1);
    }
    return t;
  }

  // REQUIRES positions in the sub-tree of height k-1.
  std::vector<PathIndex> choose(const PathSpace& space, std::uint32_t source,
                                std::uint32_t destination) const {
    std::vector<PathIndex> serving;
    cover.each_serving(source, [&](std::uint32_t r) {
      if (cover.serves_destination(r, destination)) serving.push_back(path(space, r));
    });
    // By turns over the ports out of the leaf: the i-th path of each port, then the next of each.
    const unsigned leaf = k > 1 ? 1 : 0;
    std::vector<std::uint32_t> turns(space.u(leaf + 1), 0);
    std::vector<std::pair<std::uint32_t, PathIndex>> by_turn;
    by_turn.reserve(serving.size());
    for (const PathIndex t : serving) by_turn.emplace_back(turns[space.up_port(k, t, leaf)]++, t);
    std::stable_sort(by_turn.begin(), by_turn.end(),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
    std::vector<PathIndex> chosen(paths);
    for (std::uint32_t i = 0; i < paths; ++i) chosen[i] = by_turn[i].second;
    return chosen;
  }
};

// Within the sub-tree of height k-1, the position under the leaf most significant.
std::uint32_t position(const PathSpace& space, unsigned k, std::uint32_t node) {
  const TreeShape& shape = space.shape();
  std::uint32_t reversed = 0;
  for (unsigned l = 1; l < k; ++l) {
    reversed = reversed * shape.m[l - 1] + node / space.M(l - 1) % shape.m[l - 1];
  }
  return reversed;
}

// The largest count of one end on the cables of one level: [end][offset].
class Largest {
 public:
  Largest(std::uint32_t ends, std::uint32_t cables)
      : cables_(cables), count_(std::size_t{ends} * cables, 0) {}
  void raise(std::uint32_t end, std::uint32_t offset, std::uint32_t count) {
    std::uint32_t& most = count_[std::size_t{end} * cables_ + offset];
    most = std::max(most, count);
  }
  // The heaviest cable out of a sub-tree of `size` ends.
  std::uint32_t heaviest(std::uint32_t size) const {
    std::uint32_t most = 0;
    std::vector<std::uint32_t> sum(cables_);
    for (std::size_t end = 0; end * cables_ < count_.size(); ++end) {
      if (end % size == 0) std::fill(sum.begin(), sum.end(), 0);
      for (std::uint32_t o = 0; o < cables_; ++o) {
        sum[o] += count_[end * cables_ + o];
        most = std::max(most, sum[o]);
      }
    }
    return most;
  }

 private:
  std::uint32_t cables_;
  std::vector<std::uint32_t> count_;
};

// No traffic loads a channel with more than this many K-ths of a terminal's rate.
std::uint32_t load_bound(const PathSpace& space, const Lattice& lattice) {
  const std::uint32_t N = space.M(lattice.k - 1);
  std::vector<std::uint32_t> at(N);
  for (std::uint32_t node = 0; node < N; ++node) at[node] = position(space, lattice.k, node);
  std::uint32_t bound = 0;
  std::vector<Largest> up;
  std::vector<Largest> down;
  for (unsigned l = 0; l < lattice.k; ++l) {
    up.emplace_back(N, space.C(l));
    down.emplace_back(N, space.C(l));
  }
  std::vector<std::uint32_t> count(space.C(lattice.k - 1));
  for (std::uint32_t s = 0; s < N; ++s) {
    for (std::uint32_t d = 0; d < N; ++d) {
      const std::vector<PathIndex> paths = lattice.choose(space, at[s], at[d]);
      for (unsigned l = 1; l < lattice.k; ++l) {
        for (const PathIndex t : paths) {
          const std::uint32_t offset = space.offset(lattice.k, t, l);
          if (offset >= count.size()) count.resize(offset + 1, 0);
          ++count[offset];
          up[l].raise(s, offset, count[offset]);
          down[l].raise(d, offset, count[offset]);
        }
        for (const PathIndex t : paths) count[space.offset(lattice.k, t, l)] = 0;
      }
    }
  }
  for (unsigned l = 1; l < lattice.k; ++l) {
    bound = std::max({bound, up[l].heaviest(space.M(l)), down[l].heaviest(space.M(l))});
  }
  return bound;
}

constexpr std::uint64_t kSearchSteps = 100'000'000;

Lattice find_lattice(const PathSpace& space, unsigned k, std::uint32_t K) {
  const std::uint32_t N = space.M(k - 1);
  const std::uint32_t X = space.U(k);
  Lattice best{k, K, {N, X, N, N, 1}, Order::kLowestFastest};
  if (K == X) return best;
  const std::uint64_t steps = std::uint64_t{N} * N * (K + 8) * k;
  std::uint64_t left = std::max(kSearchSteps, steps);
  std::uint32_t least = UINT32_MAX;
  std::uint32_t side = 1;
  while (std::uint64_t{side} * side * X < std::uint64_t{N} * N * K) ++side;
  for (; side <= N && side < least; ++side) {
    for (const std::uint32_t beta : multipliers(X)) {
      const TorusCover cover{N, X, side, side, beta};
      if (!covers(cover, K)) continue;
      for (const Order order : {Order::kByNumber, Order::kLowestFastest}) {
        if (left < steps) return best;
        left -= steps;
        const Lattice lattice{k, K, cover, order};
        const std::uint32_t bound = load_bound(space, lattice);
        if (bound >= least) continue;
        least = bound;
        best = lattice;
      }
      if (least <= side) return best;
    }
  }
  return best;
}

}  // namespace

AlgebraicPtr make_osrm(const TreeShape& shape, const AlgebraicOptions& options) {
  const PathSpace space(shape);
  std::vector<Lattice> lattices;  // by the level at which a pair meets, from 1
  for (unsigned k = 1; k <= shape.height(); ++k) {
    lattices.push_back(find_lattice(space, k, std::min(options.paths, space.U(k))));
  }
  return std::make_unique<AlgebraicRouting>(
      "osrm:" + std::to_string(options.paths), shape, DependsOn::kPair, options.paths,
      [lattices](const AlgebraicRouting& own, unsigned k, std::uint32_t s, std::uint32_t d) {
        return lattices[k - 1].choose(own.space(), position(own.space(), k, s),
                                      position(own.space(), k, d));
      });
}

}  // namespace fatwood
