// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric in memory: switches, adapters, the cables between their ports.
//
//   fatwood::Fabric             immutable; nodes, ports, channels, terminals, names, GUIDs, rates
//   fatwood::FabricBuilder      makes one of nodes and cables told in any order
//   fatwood::make_fabric        makes one of a formula: "ft(8,3)", "xgft(3;4,4,8;1,4,4)"
//   fatwood::Node, Switch, Terminal, Host, Channel, Target    ids: index(id), ids<Id>(count), kNone<Id>
//   fatwood::InputError, PromiseError                         what everything here may throw
//
// A channel is one direction of a cable and has the number of the port that it leaves by:
//
//   for (fatwood::Switch s : fatwood::ids<fatwood::Switch>(fabric.num_switches())) {
//     const fatwood::Node node = fabric.node(s);
//     for (fatwood::Port port = 1; port <= fabric.ports(node); ++port) {
//       const fatwood::Channel out = fabric.channel(node, port);
//       if (fabric.connected(out)) visit(fabric.neighbour(out), fabric.port(fabric.peer(out)));
//     }
//   }

#include "core/error.hpp"
#include "core/ids.hpp"
#include "topology/builder.hpp"
#include "topology/fabric.hpp"
#include "topology/spec.hpp"
