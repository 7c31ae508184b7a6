// SPDX-License-Identifier: BSD-3-Clause
// OLOAD of any fabric as a linear program [Applegate03].
//
// Problem: route all flows fractionally such that the largest channel load z is smallest. The
// channels of adapters carry what their adapter sends and receives, whatever the routing: they
// bound z from below. Between switches, the flows from one switch to another are one commodity p:
//   columns  x[p][path] >= 0, and z
//   rows     of each commodity: sum of x = what it sends
//            of each channel: sum of x over paths through it - speed * z <= 0
// Method: column generation. The first columns are shortest paths in rounds of multiplicative
// weights (as in length_bound.cpp). Then the dual prices of the program are lengths of channels,
// and a path shorter than its commodity's price improves the program. The prices also prove a lower
// bound (length_bound.hpp). It ends when z equals that bound, or another known bound.
// Cost: some dozen rounds of O(destinations * channels * log) and of the solver.

#include <algorithm>
#include <map>
#include <vector>

#include "analysis/bounds/oload.hpp"
#include "analysis/bounds/path_program.hpp"
#include "analysis/load/switch_distances.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

namespace {

constexpr double kLpNear = 1e-9;
constexpr unsigned kFirstRounds = 24;
constexpr double kFirstStep = 0.5;  // the most loaded channel gets longer by this in such a round

struct LpDemand {
  std::map<Switch, std::map<Switch, double>> to;  // amounts: [to][from]
  double least = 0;                               // the most loaded channel of a host
};

// The channels between switches as rows of the program, and their speeds.
struct LpRows {
  const Fabric& fabric;
  std::vector<Channel> channels;  // between switches
  Table<Channel, double> speed;
  Table<Channel, int> row;

  explicit LpRows(const Model& model)
      : fabric(model.fabric()), speed(fabric.num_channels(), 1), row(fabric.num_channels(), -1) {
    const ChannelSpeeds& speeds = model.speeds();
    for (const Channel c : ids<Channel>(fabric.num_channels())) {
      speed[c] = static_cast<double>(speeds.speed(c)) / static_cast<double>(speeds.usual());
      if (!fabric.between_switches(c)) continue;
      row[c] = static_cast<int>(channels.size());
      channels.push_back(c);
    }
  }
};

// nullopt if a host has several ports.
std::optional<LpDemand> demand_between(const Model& model, const Traffic& traffic,
                                       const LpRows& rows) {
  const Adapters& adapters = model.adapters();
  LpDemand demand;
  std::vector<double> out(adapters.size());
  std::vector<double> in(adapters.size());
  for (const Flow& flow : traffic.flows) {
    const Switch from = adapters.leaf(rows.fabric, flow.source);
    const Switch to = adapters.leaf(rows.fabric, flow.destination);
    if (from == kNone<Switch> || to == kNone<Switch>) return std::nullopt;
    const double amount = traffic.amount(flow).value();
    out[index(flow.source)] += amount;
    in[index(flow.destination)] += amount;
    if (from != to) demand.to[to][from] += amount;
  }
  for (const Adapter adapter : ids<Adapter>(adapters.size())) {
    if (adapters.ports(adapter) != 1) continue;
    const double speed =
        rows.speed[rows.fabric.terminal_channel(adapters.terminals(adapter).front())];
    demand.least =
        std::max({demand.least, out[index(adapter)] / speed, in[index(adapter)] / speed});
  }
  return demand;
}

// The program without paths: only z, which is at least the load of the channels of hosts.
PathProgram program_of(const LpRows& rows, const LpDemand& demand) {
  std::vector<double> low(rows.channels.size(), -PathProgram::kNoLimit);
  std::vector<double> high(rows.channels.size(), 0);
  for (const auto& [to, sources] : demand.to) {
    for (const auto& [from, amount] : sources) {
      low.push_back(amount);
      high.push_back(amount);
    }
  }
  ProgramColumns z;
  for (const Channel c : rows.channels) {
    z.row.push_back(rows.row[c]);
    z.value.push_back(-rows.speed[c]);
  }
  z.first.push_back(static_cast<int>(z.row.size()));
  z.low = {demand.least};
  z.cost = {1};
  return PathProgram(z, low, high, low.size() - rows.channels.size());
}

std::vector<int> path_from(const LpRows& rows, const SwitchDistances<double>& distances,
                           Switch from) {
  std::vector<int> path;
  distances.each_channel(from, [&](Channel c) { path.push_back(rows.row[c]); });
  return path;
}

// Sends everything along shortest paths, lengthens channels by their load, and repeats. False if
// some flow has no path.
bool offer_first(const LpRows& rows, const LpDemand& demand, PathProgram& program) {
  Table<Channel, double> length(rows.fabric.num_channels(), 0);
  for (const Channel c : rows.channels) length[c] = 1 / rows.speed[c];
  SwitchDistances<double> distances(rows.fabric);
  std::vector<double> load(rows.channels.size());
  for (unsigned round = 0; round < kFirstRounds; ++round) {
    std::ranges::fill(load, 0);
    std::size_t pair = 0;
    for (const auto& [to, sources] : demand.to) {
      distances.find(to, length);
      for (const auto& [from, amount] : sources) {
        std::vector<int> path = path_from(rows, distances, from);
        if (path.empty()) return false;
        for (const int row : path) load[static_cast<std::size_t>(row)] += amount;
        program.offer(pair++, std::move(path));
      }
    }
    double max_load = 0;
    const auto load_of = [&](Channel c) {
      return load[static_cast<std::size_t>(rows.row[c])] / rows.speed[c];
    };
    for (const Channel c : rows.channels) max_load = std::max(max_load, load_of(c));
    for (const Channel c : rows.channels) length[c] *= 1 + kFirstStep * load_of(c) / max_load;
  }
  return true;
}

// Offers paths that are shorter than the price of their pair. Returns the bound that the lengths
// prove.
double offer_shorter(const LpRows& rows, const LpDemand& demand,
                     const Table<Channel, double>& length, PathProgram& program) {
  double room = 0;
  for (const Channel c : rows.channels) room += length[c] * rows.speed[c];
  double travelled = 0;
  SwitchDistances<double> distances(rows.fabric);
  std::size_t pair = 0;
  for (const auto& [to, sources] : demand.to) {
    distances.find(to, length);
    for (const auto& [from, amount] : sources) {
      travelled += amount * distances.far(from);
      if (distances.far(from) < program.price_of_pair(pair))
        program.offer(pair, path_from(rows, distances, from));
      ++pair;
    }
  }
  return room > 0 ? travelled / room : 0;
}

}  // namespace

std::optional<LpOload> lp_oload(const Model& model, const Traffic& traffic, Fraction known) {
  const LpRows rows(model);
  const std::optional<LpDemand> demand = demand_between(model, traffic, rows);
  if (!demand || demand->to.size() * rows.channels.size() > kMostColumns) return std::nullopt;
  LpOload best{demand->least, Table<Channel, double>(model.fabric().num_channels(), 0)};
  if (demand->to.empty()) return best;
  PathProgram program = program_of(rows, *demand);
  if (!offer_first(rows, *demand, program)) return std::nullopt;
  double bound = std::max(known.value(), demand->least);
  double proved = 0;
  while (program.solve()) {
    best.value = program.value();
    if (best.value <= bound * (1 + kLpNear)) return best;
    Table<Channel, double> length(model.fabric().num_channels(), 0);
    for (const Channel c : rows.channels) length[c] = std::max(0.0, -program.price(rows.row[c]));
    const double by_length = offer_shorter(rows, *demand, length, program);
    if (by_length > proved) {
      proved = by_length;
      best.length = std::move(length);
    }
    bound = std::max(bound, proved);
    if (best.value <= bound * (1 + kLpNear) || !program.offered()) return best;
  }
  return std::nullopt;
}

}  // namespace fatwood
