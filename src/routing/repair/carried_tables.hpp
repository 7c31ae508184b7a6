// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Tables of a fabric as they stand in another one with fewer nodes or cables: what the switches
// hold after a fault, before anything is rewritten.
//
// Nodes are matched by id, end ports by node and port. Destinations and switches that are gone have
// no place; those that are new have no route. Entries that lead to a lost cable stay: the switch
// still sends there. Cost: O(destinations * switches).

#include "routing/tables/lids.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood {

struct CarriedTables {
  ForwardingTables tables;
  Lids lids;  // as before; what is new has none (kNoLid)
};

CarriedTables carry_tables(const Fabric& before, const ForwardingTables& tables, const Lids& lids,
                           const Fabric& after);

}  // namespace fatwood
