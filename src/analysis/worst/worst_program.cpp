// SPDX-License-Identifier: BSD-3-Clause
// The largest load of one channel for traffic that some routing carries without overload, as a
// linear program: the worst case of that channel.
//
//   columns  g[s][d] >= 0, what s sends to d, for pairs whose routes use the channel;
//            f[path] >= 0, over any paths between the switches of such pairs
//   rows     what an adapter sends, and what it gets, is within the speed of its cable;
//            what all paths put on a channel between switches is within its speed;
//            paths between two switches carry what their adapters send
//   maximise the sum of share * g
// Method: column generation, as in path_program.hpp. The prices of a round, scaled so that they
// hold for every pair, prove an upper bound. It ends when both bounds agree, or when the upper
// bound shows that the result cannot exceed `enough`. Cost: some dozen rounds of O(destinations *
// channels * log) and of the solver.

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/bounds/path_program.hpp"
#include "analysis/load/switch_distances.hpp"
#include "analysis/worst/worst_flows.hpp"

namespace fatwood {

namespace {

constexpr double kMeeting = 1e-6;
constexpr unsigned kPathRounds = 6;  // of first paths
constexpr unsigned kMostSolves = 300;
constexpr std::int64_t kPartsOfOne = 1'000'000;  // of what an adapter sends, in the traffic

// A column of g: a pair of adapters.
struct Sending {
  Adapter source, destination;
  double share;
  int from_row, to_row;  // of its adapters
  std::size_t between;   // which pair of switches
};

class WorstProgram {
 public:
  WorstProgram(const Model& model, const std::vector<PairArc>& arcs, std::int64_t units_in_one)
      : model_(model),
        fabric_(model.fabric()),
        speeds_(model.speeds()),
        row_(fabric_.num_channels(), -1) {
    for (const Channel c : ids<Channel>(fabric_.num_channels())) {
      if (!fabric_.between_switches(c)) continue;
      row_[c] = new_row(speed(c));
      channels_.push_back(c);
    }
    std::map<Adapter, int> from_rows;
    std::map<Adapter, int> to_rows;
    std::map<std::pair<Switch, Switch>, std::size_t> number;  // to, from
    for (const PairArc& arc : arcs) {
      const Switch from = model.adapters().leaf(fabric_, arc.source);
      const Switch to = model.adapters().leaf(fabric_, arc.destination);
      if (from == kNone<Switch> || to == kNone<Switch> || from == to) return;
      number.try_emplace({to, from}, 0);
      sendings_.push_back({arc.source, arc.destination,
                           static_cast<double>(arc.weight) / static_cast<double>(units_in_one),
                           row_of_adapter(from_rows, arc.source),
                           row_of_adapter(to_rows, arc.destination), 0});
    }
    for (auto& [pair, at] : number) {
      at = pairs_.size();
      pairs_.push_back(pair);
    }
    for (Sending& one : sendings_) {
      one.between = number.at({model.adapters().leaf(fabric_, one.destination),
                               model.adapters().leaf(fabric_, one.source)});
    }
    load();
  }

  std::optional<ChannelWorst> solve(double enough) {
    if (!program_ || !offer_first()) return std::nullopt;
    ChannelWorst result{.at_least = 0, .at_most = PathProgram::kNoLimit, .traffic = {}};
    for (unsigned i = 0; i < kMostSolves; ++i) {
      if (!program_->solve()) return std::nullopt;
      result.at_least = -program_->value();
      result.at_most = std::min(result.at_most, offer_shorter(result.at_least));
      if (result.at_most <= std::max(enough, result.at_least) * (1 + kMeeting)) break;
      if (!program_->offered()) break;
    }
    result.traffic = traffic();
    return result;
  }

 private:
  double speed(Channel c) const {
    return static_cast<double>(speeds_.speed(c)) / static_cast<double>(speeds_.usual());
  }
  int new_row(double high) {
    high_.push_back(high);
    return static_cast<int>(high_.size()) - 1;
  }
  int row_of_adapter(std::map<Adapter, int>& rows, Adapter adapter) {
    const auto [at, fresh] = rows.try_emplace(adapter, 0);
    if (fresh) {
      at->second =
          new_row(speed(fabric_.terminal_channel(model_.adapters().terminals(adapter).front())));
    }
    return at->second;
  }

  // Adds all columns of g; there are no paths yet.
  void load() {
    std::vector<double> low(high_.size(), -PathProgram::kNoLimit);
    const auto first_pair = static_cast<int>(high_.size());
    low.resize(high_.size() + pairs_.size(), 0);
    high_.resize(low.size(), 0);
    ProgramColumns columns;
    for (const Sending& one : sendings_) {
      columns.row.insert(columns.row.end(),
                         {one.from_row, one.to_row, first_pair + static_cast<int>(one.between)});
      columns.value.insert(columns.value.end(), {1, 1, -1});
      columns.first.push_back(static_cast<int>(columns.row.size()));
      columns.low.push_back(0);
      columns.cost.push_back(-one.share);
    }
    program_.emplace(columns, low, high_, pairs_.size());
  }

  void offer(std::size_t pair, const SwitchDistances<double>& distances) {
    std::vector<int> path;
    distances.each_channel(pairs_[pair].second, [&](Channel c) { path.push_back(row_[c]); });
    program_->offer(pair, std::move(path));
  }

  // Pairs are ordered by destination, so one computation of distances serves consecutive pairs.
  template <class Visit>
  void each_pair(const Table<Channel, double>& length, const Visit& visit) const {
    SwitchDistances<double> distances(fabric_);
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      if (pair == 0 || pairs_[pair].first != pairs_[pair - 1].first) {
        distances.find(pairs_[pair].first, length);
      }
      visit(pair, distances);
    }
  }

  // Offers shortest paths in some rounds; channels used in a round get longer for the next.
  bool offer_first() {
    Table<Channel, double> length(fabric_.num_channels(), 0);
    for (const Channel c : channels_) length[c] = 1 / speed(c);
    bool all = true;
    for (unsigned round = 0; round < kPathRounds; ++round) {
      Table<Channel, double> longer = length;
      each_pair(length, [&](std::size_t pair, const SwitchDistances<double>& distances) {
        all = all && distances.first(index(pairs_[pair].second)) != kNone<Channel>;
        offer(pair, distances);
        distances.each_channel(pairs_[pair].second,
                               [&](Channel c) { longer[c] += 0.1 / speed(c); });
      });
      length = std::move(longer);
    }
    return all;
  }

  // Offers paths that are shorter than the price of their pair of switches. Returns the upper bound
  // that the prices prove.
  double offer_shorter(double value) {
    Table<Channel, double> length(fabric_.num_channels(), 0);
    for (const Channel c : channels_) length[c] = std::max(0.0, -program_->price(row_[c]));
    std::vector<double> far(pairs_.size());
    each_pair(length, [&](std::size_t pair, const SwitchDistances<double>& distances) {
      far[pair] = distances.far(pairs_[pair].second);
      if (far[pair] < program_->price_of_pair(pair) - 1e-9) offer(pair, distances);
    });
    // If the price of a pair is below its share, its source makes up for it.
    std::map<int, double> missing;
    for (const Sending& one : sendings_) {
      const double paid = std::max(0.0, -program_->price(one.from_row)) +
                          std::max(0.0, -program_->price(one.to_row)) + far[one.between];
      double& most = missing[one.from_row];
      most = std::max(most, one.share - paid);
    }
    for (const auto& [row, more] : missing) value += more * high_[static_cast<std::size_t>(row)];
    return value;
  }

  Traffic traffic() const {
    Traffic traffic{.adapters = model_.adapters().size(), .units_in_one = kPartsOfOne, .flows = {}};
    for (std::size_t i = 0; i < sendings_.size(); ++i) {
      // Round: 0.999999999 of a solver is 1, and a value of 1 may be a little more.
      const auto units = static_cast<std::int64_t>(
          std::floor(program_->column(i) * static_cast<double>(kPartsOfOne) + 1e-3));
      if (units > 0)
        traffic.flows.push_back({sendings_[i].source, sendings_[i].destination, units});
    }
    return traffic;
  }

  const Model& model_;
  const Fabric& fabric_;
  const ChannelSpeeds& speeds_;
  Table<Channel, int> row_;
  std::vector<Channel> channels_;  // between switches
  std::vector<double> high_;       // by row
  std::vector<Sending> sendings_;
  std::vector<std::pair<Switch, Switch>> pairs_;  // to, from
  std::optional<PathProgram> program_;  // empty if an adapter has several ports or no switch
};

}  // namespace

std::optional<ChannelWorst> worst_program(const Model& model, const std::vector<PairArc>& arcs,
                                          std::int64_t units_in_one, double enough) {
  if (arcs.empty()) return std::nullopt;
  return WorstProgram(model, arcs, units_in_one).solve(enough);
}

}  // namespace fatwood
