// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Algebraic routings as forwarding tables, with 2^lmc addresses per terminal if one is not enough.
//
// Problem: give destination d enough addresses that every path of every pair is the route to some
// address of d, and determine which source uses which address. Two paths to d can use the same
// address unless they leave some switch by different ports.
// Method: first fit. For each destination, take the paths of its sources in order, and assign each
// to the first address whose entries it fits. If paths depend on the destination only, the j-th
// path gets address j. Entries that no path uses follow d-mod-k; routes to switches are those of
// the engine dmodk. All routes go up, then down, so there is no cycle of channels.
// Example: MLID and s-mod-k on FT(m,3). The sources of a leaf must use different paths, and so must
// those below a level-2 switch. 2^ceil(log2 (m/2)) addresses are enough; one address per root would
// need (m/2)^2.
// Cost: O(N^2 K A) table look-ups for A addresses; N K A bytes and the tables.

#include "routing/algebraic/algebraic.hpp"
#include "routing/tables/path_source.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct AlgebraicTables {
  Routing routing;
  AddressChoice choice;    // which addresses a source uses
  unsigned addresses = 1;  // number in use, of 2^lmc
};

// InputError if the fabric, generated or recognised, is not the tree of the routing, if hosts have
// several ports, or if a destination needs more than 128 addresses (LMC 7; the message says how
// many paths there are).
AlgebraicTables make_tables(const Model& model,
                            const std::shared_ptr<const AlgebraicRouting>& routing,
                            int threads = 0);

}  // namespace fatwood
