// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The tables that switches still hold after a fault, before anything is rewritten: old tables,
// renumbered for a fabric with fewer nodes or cables.
//
// Nodes are matched by id, end ports by node and port. Entries of removed switches and destinations
// are left out; new switches and destinations have no route. Entries over a lost cable stay,
// because the switch still sends there. Groups of adaptive entries stay as they are: a switch stops
// using a port without a link by itself, so an entry whose default port is lost uses the rest of
// its group. Cost: O(destinations * switches).

#include "routing/tables/lids.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood {

struct CarriedTables {
  ForwardingTables tables;
  PortSets sets;  // empty for plain tables
  Lids lids;      // as before; new destinations have none (kNoLid)
};

CarriedTables carry_tables(const Fabric& before, const ForwardingTables& tables, const Lids& lids,
                           const Fabric& after, const PortSets& sets = {});

}  // namespace fatwood
