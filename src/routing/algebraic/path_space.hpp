// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Numbers the paths of complete trees, and converts them to channels of the generated fabric.
// Nothing is stored.
//
// Notation: u(l) = w(l)p(l), U(k) = u(1)..u(k); W(k) and M(k) as in TreeShape.
//
// Paths. A pair whose nearest common ancestors are at level k has the paths 0..U(k)-1. Path t is
// the mixed-radix number of its up-ports q(0), .., q(k-1) at levels 0, .., k-1, the lowest level
// most significant:
//     q(l) = t / (U(k)/U(l+1)) mod u(l+1).
// Down from level l+1 to l it takes the same parallel cable q(l) / w(l+1) as up. On an XGFT (all
// p = 1) this is the numbering of [Mahapatra12]: path t crosses top switch t. On a PGFT it is the
// rule of [Zahavi10] for paths down, if q is that of d-mod-k.
//
// Cables. The cables between levels l and l+1 are numbered by their lower end: sub-tree T of height
// l has the C(l) = W(l)u(l+1) cables T*C(l) + x*u(l+1) + q, with its top node x and up-port q. A
// path of level k > l leaves the sub-tree of the source over one of them, and enters that of the
// destination over the one with the same offset: offset(k, t, l). The load kernels rely on these
// equal offsets.
//
// s and d are processing nodes (adapters). If u(1) = 1 they are the terminals of the fabric. If
// nodes have several ports, each port is a terminal, and s and d still number nodes.

#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "topology/generate/tree_shape.hpp"

namespace fatwood {

using PathIndex = std::uint32_t;

class PathSpace {
 public:
  // InputError if a pair can have 2^32 paths or more.
  explicit PathSpace(TreeShape shape);

  const TreeShape& shape() const { return shape_; }
  unsigned height() const { return shape_.height(); }
  std::uint32_t nodes() const { return levels_[height()].M; }  // processing nodes
  std::uint32_t M(unsigned l) const { return levels_[l].M; }
  std::uint32_t W(unsigned l) const { return levels_[l].W; }
  std::uint32_t U(unsigned k) const { return levels_[k].U; }
  std::uint32_t u(unsigned l) const { return levels_[l - 1].up; }
  std::uint32_t C(unsigned l) const { return levels_[l].W * levels_[l].up; }
  std::uint32_t cables(unsigned l) const { return nodes() / M(l) * C(l); }

  unsigned common_level(std::uint32_t s, std::uint32_t d) const {
    unsigned level = 0;
    while (s / M(level) != d / M(level)) ++level;
    return level;
  }
  // q(l) of path t of a pair that meets at level k.
  std::uint32_t up_port(unsigned k, PathIndex t, unsigned l) const {
    return t / (U(k) / U(l + 1)) % u(l + 1);
  }
  std::uint32_t offset(unsigned k, PathIndex t, unsigned l) const;

  Channel up_channel(unsigned l, std::uint32_t cable) const;
  Channel down_channel(unsigned l, std::uint32_t cable) const;
  // The channels of path t of (s, d), in order: 2k of them, if they meet at level k. REQUIRES s !=
  // d.
  void write_channels(std::uint32_t s, std::uint32_t d, PathIndex t, std::span<Channel> path) const;
  std::vector<Channel> channels(std::uint32_t s, std::uint32_t d, PathIndex t) const;

 private:
  struct Level {
    std::uint32_t M, W, U;
    std::uint32_t up;     // ports of a node
    std::uint32_t slots;  // channels of a node: its ports and the unused port 0
    std::uint32_t first;  // channel of the first node
  };

  TreeShape shape_;
  std::vector<Level> levels_;
};

}  // namespace fatwood
