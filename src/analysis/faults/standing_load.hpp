// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// All-to-all over tables in use, with channels in order of load: after a few changes the most
// loaded channel is one of those changed, or the first of the rest.
//
// Ports of hosts on one switch, of one kind and rate, lose the same flows when their switch loses a
// route. So one of them, the most loaded, stands for all.

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
  // Between switches, into hosts, and of senders; the most loaded first.
  std::vector<Channel> order;
};

}  // namespace fatwood
