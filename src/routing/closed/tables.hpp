// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Closed-form routings as forwarding tables: what switches can hold, with 2^lmc addresses a
// terminal where one does not do.
//
// Problem: give destination d as many addresses as it takes so that every path of every pair is
// followed from some address of d, and say which source uses which. Two paths to d can share an
// address unless they leave one switch by different ports.
// Method: for each destination, the paths of its sources in order, each put at the first address
// where it fits the entries that are there (first fit). Paths that depend on the destination alone
// get address j for the j-th path. For MLID and s-mod-k on FT(m,3) the paths of a leaf's sources
// and those of a level-2 switch's must differ: 2^ceil(log2 (m/2)) addresses do, where giving every
// root its own would take (m/2)^2.
// Entries that no path uses go as d-mod-k. All routes go up, then down: no cycle of channels.
// Routes to switches are those of the dmodk engine.
// Cost: O(N^2 K A) table look-ups, A the addresses; N K A bytes and the tables.

#include "routing/closed/oblivious.hpp"
#include "routing/tables/path_source.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct ObliviousTables {
  Routing routing;
  AddressChoice choice;    // which addresses a source uses
  unsigned addresses = 1;  // used of the 2^lmc
};

// InputError when the fabric, generated or recognised, is not the routing's own tree or its hosts
// have several ports, or when a destination would need more than 128 addresses (LMC 7), saying how
// many paths there are.
ObliviousTables make_tables(const Model& model,
                            const std::shared_ptr<const ObliviousRouting>& routing,
                            int threads = 0);

}  // namespace fatwood
