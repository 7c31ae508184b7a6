// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The arithmetic of XGFT(h; m; w) and PGFT(h; m; w; p): counts, node numbers, ports, parents.
// [Mahapatra12] (section 3) and [Zahavi10] (section IV); an XGFT is a PGFT with all p = 1.
//
// Numbering of [Mahapatra12]: level l has N/M(l) sub-trees of height l with W(l) top nodes each.
// Top node x of sub-tree t has index t*W(l)+x within its level. Levels are consecutive, terminals
// (level 0) first. Up-port q of node (l, t, x) leads to top node x*w + q mod w of the enclosing
// sub-tree, over parallel cable q / w. There it arrives at down-port r, where r mod m is the child
// sub-tree and r / m the same parallel cable (w, m of level l+1). On a node, up-ports come first.
//
// All methods REQUIRE levels in [0, h]; digits are 1-based like m1..mh of the papers.

#include <cstdint>
#include <string>
#include <vector>

namespace fatwood {

struct TreeShape {
  std::vector<std::uint32_t> m;  // children of a level-l node: m[l-1]
  std::vector<std::uint32_t> w;  // parents of a level-(l-1) node
  std::vector<std::uint32_t> p;  // parallel cables of each such edge

  unsigned height() const { return static_cast<unsigned>(m.size()); }
  std::uint64_t M(unsigned level) const;  // terminals of a sub-tree of that height
  std::uint64_t W(unsigned level) const;  // its top nodes
  std::uint64_t terminals() const { return M(height()); }
  std::uint64_t nodes_at(unsigned level) const { return terminals() / M(level) * W(level); }
  std::uint64_t first_at(unsigned level) const;  // number of the level's first node
  std::uint64_t nodes() const { return first_at(height() + 1); }
  std::uint32_t up_ports(unsigned level) const;    // 0 at the top
  std::uint32_t down_ports(unsigned level) const;  // 0 at level 0
  std::uint32_t radix(unsigned level) const { return up_ports(level) + down_ports(level); }

  // The level at which the sub-trees of two terminals meet: 0 if they are the same.
  unsigned common_level(std::uint64_t s, std::uint64_t d) const;

  bool is_xgft() const;  // no parallel cables
  // [Zahavi10]: w1 = p1 = 1, m(l)p(l) = w(l+1)p(l+1) = K below the top and m(h)p(h) = 2K.
  bool is_rlft() const;

  // "xgft(3;4,4,8;1,4,4)", or "pgft(...)" if there are parallel cables.
  std::string to_string() const;

  friend bool operator==(const TreeShape&, const TreeShape&) = default;
};

// What is wrong with the shape: zero, radix above 254, too many nodes for 32-bit channel numbers,
// lists of different lengths. Empty if the shape is valid.
std::string fault_of(const TreeShape& shape);
void check(const TreeShape& shape);  // throws InputError with fault_of()

TreeShape xgft(std::vector<std::uint32_t> m, std::vector<std::uint32_t> w);
TreeShape pgft(std::vector<std::uint32_t> m, std::vector<std::uint32_t> w,
               std::vector<std::uint32_t> p);
TreeShape m_port_n_tree(std::uint32_t m, std::uint32_t n);  // FT(m,n) of [Yuan07]
TreeShape k_ary_n_tree(std::uint32_t k, std::uint32_t n);
// The RLFT of 2K-port switches with h levels and `top` sub-trees below the top level. 2K sub-trees
// give the largest one, FT(2K,h); fewer have 2K/top parallel cables. The cluster of 1944 nodes of
// [Zahavi10] is (18,3,6).
TreeShape real_life_tree(std::uint32_t half_radix, std::uint32_t height, std::uint32_t top);

}  // namespace fatwood
