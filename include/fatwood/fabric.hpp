// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric in memory: switches, adapters, the cables between their ports.
//
//   fatwood::Fabric             immutable; nodes, ports, channels, terminals, names, GUIDs, rates
//   fatwood::FabricBuilder      makes one from nodes and cables added in any order
//   fatwood::make_fabric        makes one from a formula: "ft(8,3)", "xgft(3;4,4,8;1,4,4)"
//   fatwood::Node, Switch, Terminal, Adapter, Channel, Destination, Port, Lid
//                               ids: index(id) is the number; ids<Id>(count), kNone<Id>
//   fatwood::InputError, PromiseError                         exceptions of all functions
//
// A channel is one direction of a cable and has the number of the port that it leaves. A port is
// the number printed on the box: Port{1}, or static_cast<Port>(number) of a checked number.
// find_channel and FabricBuilder::port check it.
//
//   for (fatwood::Switch s : fatwood::ids<fatwood::Switch>(fabric.num_switches())) {
//     for (fatwood::Channel out : fabric.channels(fabric.node(s))) {
//       if (fabric.connected(out)) visit(fabric.neighbour(out), fabric.port(fabric.peer(out)));
//     }
//   }

#include "core/error.hpp"
#include "core/ids.hpp"
#include "io/fabric/spec.hpp"
#include "topology/builder.hpp"
#include "topology/fabric.hpp"
