// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// All-to-all over the tables in use, with channels in order of load. After a few changes, the most
// loaded channel is one of the changed channels, or the first unchanged one in this order.
//
// Host ports of one kind and rate on one switch lose the same flows if their switch loses a route.
// So the most loaded of them represents all.

#include <cstdint>
#include <vector>

#include "analysis/load/all_to_all.hpp"
#include "routing/improve/standing_flows.hpp"
#include "topology/flow_sources.hpp"

namespace fatwood {

struct StandingLoad {
  StandingLoad(const Model& model, const ForwardingTables& tables, int threads);

  struct Sender {
    Channel channel;  // out of a host: the most loaded of its switch, kind and rate
    std::uint32_t kind;
  };

  FlowSources sources;
  StandingFlows flows;
  MostLoaded most;
  std::vector<std::vector<Sender>> senders;  // by switch
  // Channels between switches, into hosts, and of senders; the most loaded first.
  std::vector<Channel> order;
};

}  // namespace fatwood
