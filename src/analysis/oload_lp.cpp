// SPDX-License-Identifier: BSD-3-Clause
// OLOAD of any fabric as a linear program [Applegate03]: the only file that knows the solver (Clp).
//
// Problem: route all flows fractionally so that the largest channel load z is least. Hosts'
// own channels carry what their host sends and receives, whatever the routing: they bound z
// from below. Between switches, flows to the same switch are one commodity t:
//   columns  f[t][c] >= 0 for each channel c between switches, and z
//   rows     at each switch v != t: out - in = what v's hosts send to t's hosts
//            at each channel: sum over t of f[t][c] - speed * z <= 0
// Cost: destinations * channels columns; 20,000 take some seconds.

#include <Clp_C_Interface.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "analysis/oload.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

namespace {

constexpr double kClpMost = std::numeric_limits<double>::max();  // as Clp has it

struct Equations {
  std::vector<CoinBigIndex> start{0};  // of each column
  std::vector<int> row;
  std::vector<double> value;
  std::vector<double> cost;
  std::vector<double> low, high;  // of each row

  void end_column(double price) {
    start.push_back(static_cast<CoinBigIndex>(row.size()));
    cost.push_back(price);
  }
  void put(std::size_t r, double v) {
    row.push_back(static_cast<int>(r));
    value.push_back(v);
  }
};

std::optional<double> solve(const Equations& program, double least) {
  const std::unique_ptr<Clp_Simplex, void (*)(Clp_Simplex*)> model(Clp_newModel(), Clp_deleteModel);
  Clp_setLogLevel(model.get(), 0);
  std::vector<double> column_low(program.cost.size(), 0.0);
  column_low.back() = least;  // z
  Clp_loadProblem(model.get(), static_cast<int>(program.cost.size()),
                  static_cast<int>(program.low.size()), program.start.data(), program.row.data(),
                  program.value.data(), column_low.data(), nullptr, program.cost.data(),
                  program.low.data(), program.high.data());
  Clp_setPrimalTolerance(model.get(), 1e-9);
  Clp_setDualTolerance(model.get(), 1e-9);
  Clp_dual(model.get(), 0);
  if (Clp_status(model.get()) != 0) return std::nullopt;
  return Clp_getObjValue(model.get());
}

}  // namespace

std::optional<double> lp_oload(const Model& model, const Traffic& traffic) {
  const Fabric& fabric = model.fabric();
  const Hosts& hosts = model.hosts();
  std::map<Switch, std::map<Switch, double>> demand;  // [to][from]
  std::vector<double> out(hosts.size());
  std::vector<double> in(hosts.size());
  for (const Flow& flow : traffic.flows) {
    const Switch from = hosts.leaf(fabric, flow.source);
    const Switch to = hosts.leaf(fabric, flow.destination);
    if (from == kNone<Switch> || to == kNone<Switch>) return std::nullopt;
    const double amount = traffic.amount(flow).value();
    out[index(flow.source)] += amount;
    in[index(flow.destination)] += amount;
    if (from != to) demand[to][from] += amount;
  }
  std::vector<Channel> channels;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (fabric.connected(c) && fabric.is_switch(fabric.owner(c)) &&
        fabric.is_switch(fabric.neighbour(c))) {
      channels.push_back(c);
    }
  }
  if (demand.size() * channels.size() > kMostColumns) return std::nullopt;

  double least = 0;
  const ChannelSpeeds speeds(fabric);
  const auto relative = [&](Channel c) {
    return static_cast<double>(speeds.speed(c)) / static_cast<double>(speeds.usual());
  };
  for (const Host host : ids<Host>(hosts.size())) {
    if (hosts.ports(host) != 1) continue;
    const double speed = relative(fabric.terminal_channel(hosts.terminals(host).front()));
    least = std::max({least, out[index(host)] / speed, in[index(host)] / speed});
  }
  const std::size_t switches = fabric.num_switches();
  Equations program;
  // Rows: [commodity][switch] conservation, then [channel] capacity.
  const std::size_t capacity_row = demand.size() * switches;
  std::size_t commodity = 0;
  for (const auto& [to, from] : demand) {
    for (const Switch v : ids<Switch>(switches)) {
      const auto sends = from.find(v);
      const double net = sends == from.end() ? 0.0 : sends->second;
      program.low.push_back(v == to ? -kClpMost : net);
      program.high.push_back(v == to ? kClpMost : net);
    }
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const Switch tail = fabric.as_switch(fabric.owner(channels[i]));
      const Switch head = fabric.as_switch(fabric.neighbour(channels[i]));
      if (tail != head) {
        program.put(commodity * switches + index(tail), 1);
        program.put(commodity * switches + index(head), -1);
      }
      program.put(capacity_row + i, 1);
      program.end_column(0);
    }
    ++commodity;
  }
  for (std::size_t i = 0; i < channels.size(); ++i) {
    program.put(capacity_row + i, -relative(channels[i]));
    program.low.push_back(-kClpMost);
    program.high.push_back(0);
  }
  program.end_column(1);
  return solve(program, least);
}

}  // namespace fatwood
