// SPDX-License-Identifier: BSD-3-Clause
#include "routing/improve/rebalance_blocks.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

#include "routing/improve/legal_moves.hpp"

namespace fatwood {

namespace {

// Channels down to this fraction of the maximum are relieved, too, to make room. Measured with
// bench_churn.
constexpr double kWindow = 0.8;
constexpr std::size_t kChannels = 64;

class Rebalancer {
 public:
  Rebalancer(TablesInUse& in_use, const Lids& lids, std::span<const TableEntry> sent,
             const RebalanceOptions& options)
      : in_use_(in_use),
        lids_(lids),
        options_(options),
        graph_(in_use.model().port_graph()),
        map_(in_use.model().hop_map()),
        moves_(in_use),
        sources_(in_use.model()),
        load_(options.flows != nullptr
                  ? options.flows->flows()
                  : TableFlows({in_use.model(), in_use.tables()}, options.threads).flows()),
        unit_time_(in_use.model().fabric().num_channels(), 1),
        blocks_(std::size_t{lid_block(lids.highest())} + 1),
        allowed_(in_use.model().fabric().num_switches() * blocks_),
        allowed_in_(blocks_),
        examined_(in_use.model().fabric().num_channels()) {
    for (const TableEntry& entry : sent) allow(entry.destination, index(entry.at));
    const Fabric& fabric = in_use.model().fabric();
    std::vector<std::pair<double, Channel>> order;
    for (const Channel c : ids<Channel>(load_.size())) {
      if (!fabric.between_switches(c)) continue;
      const double rate = gigabits(fabric.rate(c));
      if (rate > 0) unit_time_[c] = 1 / rate;
      order.emplace_back(time(c), c);
    }
    std::ranges::sort(order);
    order_.insert(order.begin(), order.end());
  }

  RebalanceResult run() {
    RebalanceResult result;
    result.before = max_load();
    Top best = top();
    std::vector<Move> idle;  // how to undo spare blocks used since the maximum last improved
    std::uint64_t spent = 0;
    for (std::uint64_t moves = 0; moves < options_.most_moves && !order_.empty(); ++moves) {
      std::optional<Move> move = rebalance(Within::kAllowed);
      if (!move && result.spare_blocks + spent < options_.spare_blocks) {
        move = rebalance(Within::kAny);
        if (move) {
          ++spent;
          allow(move->destination, move->at);
        }
      }
      if (!move) break;
      if (spent > 0) idle.push_back({move->destination, move->at, port_of(*move)});
      make(*move);
      if (const Top now = top(); now < best) {
        best = now;
        result.spare_blocks += std::exchange(spent, 0);
        idle.clear();
      }
    }
    for (const Move& back : std::ranges::reverse_view(idle)) make(back);
    result.after = max_load();
    for (const auto& [entry, first] : first_port_) {
      const Destination destination{entry.first};
      const Port now = in_use_.tables().at(destination, Switch{entry.second});
      if (now != first) result.moves.push_back({destination, Switch{entry.second}, now});
    }
    return result;
  }

 private:
  enum class Within : std::uint8_t { kAllowed, kAny };
  struct Move {
    Destination destination;
    std::uint32_t at;
    Port port;
  };

  void allow(Destination destination, std::uint32_t s) {
    std::uint8_t& allowed = allowed_[block_of(destination, s)];
    if (allowed == 0) allowed_in_[lid_block(lids_.of(in_use_.tables(), destination))].push_back(s);
    allowed = 1;
    failed_.clear();
  }

  // The load of the most loaded channels, and their number.
  using Top = std::pair<double, std::size_t>;
  Top top() const {
    if (order_.empty()) return {};
    const double full = order_.rbegin()->first;
    const auto first = order_.lower_bound({full, Channel{0}});
    return {full, static_cast<std::size_t>(std::distance(first, order_.end()))};
  }

  Port port_of(const Move& move) const {
    return in_use_.tables().at(move.destination, Switch{move.at});
  }
  std::size_t block_of(Destination destination, std::uint32_t s) const {
    return s * blocks_ + lid_block(lids_.of(in_use_.tables(), destination));
  }
  double time(Channel c) const { return static_cast<double>(load_[c]) * unit_time_[c]; }
  double time_with(Channel c, std::int64_t more) const {
    return static_cast<double>(load_[c] + more) * unit_time_[c];
  }
  Fraction max_load() const {
    std::int64_t most = 0;
    for (const auto& [full, c] : order_) most = std::max(most, load_[c]);
    return {most, static_cast<std::int64_t>(sources_.units_in_one() << in_use_.tables().lmc())};
  }
  Channel channel(std::uint32_t s, Port port) const {
    const Fabric& fabric = in_use_.model().fabric();
    return fabric.channel(fabric.node(Switch{s}), port);
  }
  bool arrives(Destination destination, std::span<const Port> row, std::uint32_t s) const {
    const std::uint32_t home = index(in_use_.home(destination));
    for (std::size_t hops = 0; s != home; ++hops) {
      const Hop hop = map_.at(s, row[s]);
      if (!hop.to_switch() || hops > row.size()) return false;
      s = hop.next();
    }
    return row[home] == own_port(in_use_.model().fabric(), in_use_.tables(), destination);
  }
  // The flow that arrives at a switch from all that forward to it. Mostly called for leaves, where
  // few do.
  std::int64_t behind(Destination destination, std::uint32_t s) {
    const auto row = in_use_.tables().row(destination);
    if (!arrives(destination, row, s)) return 0;
    const std::uint32_t home = index(in_use_.home(destination));
    const Terminal terminal = in_use_.tables().terminal(destination);
    const Table<Switch, std::uint64_t>& on = sources_.on(terminal);
    std::uint64_t sum = s == home ? 0 - sources_.from_itself(terminal) : 0;
    leading_.assign(1, s);
    for (std::size_t i = 0; i < leading_.size(); ++i) {
      const std::uint32_t u = leading_[i];
      sum += on[Switch{u}];
      for (const Switch to : graph_.neighbours(Switch{u})) {
        const std::uint32_t n = index(to);
        if (n != home && moves_.leads_to(row, n, u)) leading_.push_back(n);
      }
    }
    return static_cast<std::int64_t>(sum);
  }

  // A move for the first of the most loaded channels that can be relieved.
  std::optional<Move> rebalance(Within blocks) {
    std::size_t tried = 0;
    for (auto at = order_.rbegin(); at != order_.rend() && tried < kChannels; ++at) {
      if (at->first < kWindow * order_.rbegin()->first) break;
      ++tried;
      if (blocks == Within::kAllowed && failed_.contains(at->second)) continue;
      examined_.assign(examined_.size(), false);
      if (auto move = find_move(at->second, blocks)) return move;
      if (blocks == Within::kAllowed) failed_.insert_or_assign(at->second, examined_);
    }
    return std::nullopt;
  }

  // A search that failed fails again until a load that it examined changes, or a route over the
  // channel.
  void forget_failures(std::span<const Port> row) {
    const Fabric& fabric = in_use_.model().fabric();
    const auto changed = [&](const std::vector<bool>& examined) {
      const auto looked_at = [&](Channel c) { return examined[index(c)]; };
      return std::ranges::any_of(old_path_, looked_at) || std::ranges::any_of(new_path_, looked_at);
    };
    std::erase_if(failed_, [&](const auto& failure) {
      const Channel c = failure.first;
      return row[index(fabric.as_switch(fabric.owner(c)))] == fabric.port(c) ||
             changed(failure.second);
    });
  }

  // An entry whose move takes flow off the channel and makes no other channel as loaded.
  std::optional<Move> find_move(Channel most_loaded, Within blocks) {
    const Fabric& fabric = in_use_.model().fabric();
    const ForwardingTables& tables = in_use_.tables();
    const Switch s = fabric.as_switch(fabric.owner(most_loaded));
    const auto port = fabric.port(most_loaded);
    limit_ = time(most_loaded);
    examined_[index(most_loaded)] = true;
    for (const Destination destination :
         ids<Destination>(tables.num_destinations() - tables.num_switches())) {
      if (tables.at(destination, s) != port ||
          !in_use_.model().adapters().sends(tables.terminal(destination))) {
        continue;
      }
      if (in_use_.kind(destination) == RowKind::kUnsettled) continue;
      if (blocks == Within::kAllowed && !some_come_by(destination, index(s))) continue;
      if (auto move = move_behind(destination, index(s), blocks)) return move;
    }
    return std::nullopt;
  }

  // Whether packets to the destination reach the switch from a switch with an allowed entry.
  bool some_come_by(Destination destination, std::uint32_t s) const {
    const auto row = in_use_.tables().row(destination);
    const std::uint32_t home = index(in_use_.home(destination));
    return std::ranges::any_of(
        allowed_in_[lid_block(lids_.of(in_use_.tables(), destination))], [&](std::uint32_t u) {
          for (std::size_t hops = 0; u != s && u != home && hops <= row.size(); ++hops) {
            const Hop hop = map_.at(u, row[u]);
            if (!hop.to_switch()) return false;
            u = hop.next();
          }
          return u == s;
        });
  }

  // A move at the switch, or at one that forwards to the destination through it.
  std::optional<Move> move_behind(Destination destination, std::uint32_t s, Within blocks) {
    const auto row = in_use_.tables().row(destination);
    const std::uint32_t home = index(in_use_.home(destination));
    waiting_.assign(1, s);
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      const std::uint32_t u = waiting_[i];
      const bool may = blocks == Within::kAny || allowed_[block_of(destination, u)] != 0;
      if (may && u != home && moves_.may_move(destination, u) && behind(destination, u) > 0) {
        if (const auto port = better_port(destination, row, u)) return Move{destination, u, *port};
      }
      for (const Switch to : graph_.neighbours(Switch{u})) {
        const std::uint32_t n = index(to);
        if (n != home && moves_.leads_to(row, n, u)) waiting_.push_back(n);
      }
    }
    return std::nullopt;
  }

  std::optional<Port> better_port(Destination destination, std::span<const Port> row,
                                  std::uint32_t u) {
    const std::int64_t flow = behind(destination, u);
    follow(destination, row, u, row[u], old_path_);
    examine(old_path_);
    std::optional<Port> better;
    moves_.each_port(destination, u, [&](std::uint32_t, Port port) {
      if (better) return;
      examined_[index(channel(u, port))] = true;
      if (time_with(channel(u, port), flow) >= limit_) return;
      if (fits(destination, row, u, port, flow)) better = port;
    });
    return better;
  }

  void examine(const std::vector<Channel>& path) {
    for (const Channel c : path) examined_[index(c)] = true;
  }

  // The channels from u on, beginning with this port.
  void follow(Destination destination, std::span<const Port> row, std::uint32_t u, Port port,
              std::vector<Channel>& path) const {
    path.clear();
    const std::uint32_t home = index(in_use_.home(destination));
    for (std::size_t hops = 0; hops <= row.size(); ++hops) {
      const Hop hop = map_.at(u, port);
      if (!hop.to_switch()) return;
      path.push_back(channel(u, port));
      u = hop.next();
      if (u == home) return;
      port = row[u];
    }
  }

  // Channels on both paths keep their load; the most loaded one must be on the old path alone.
  bool fits(Destination destination, std::span<const Port> row, std::uint32_t u, Port port,
            std::int64_t flow) {
    follow(destination, row, u, port, new_path_);
    examine(new_path_);
    const auto on = [](const std::vector<Channel>& path, Channel c) {
      return std::ranges::find(path, c) != path.end();
    };
    bool relieved = false;
    for (const Channel c : old_path_) {
      relieved = relieved || (time(c) >= limit_ && !on(new_path_, c));
    }
    return relieved && std::ranges::all_of(new_path_, [&](Channel c) {
             return on(old_path_, c) || time_with(c, flow) < limit_;
           });
  }

  void add(Channel c, std::int64_t flow) {
    if (!in_use_.model().fabric().between_switches(c)) return;
    order_.erase({time(c), c});
    load_[c] += flow;
    order_.emplace(time(c), c);
  }

  void make(const Move& move) {
    const auto row = in_use_.tables().row(move.destination);
    const std::int64_t flow = behind(move.destination, move.at);
    first_port_.emplace(std::pair(index(move.destination), move.at), row[move.at]);
    follow(move.destination, row, move.at, row[move.at], old_path_);
    follow(move.destination, row, move.at, move.port, new_path_);
    for (const Channel c : old_path_) add(c, -flow);
    for (const Channel c : new_path_) add(c, flow);
    forget_failures(row);
    const EntryChange change{move.destination, Switch{move.at}, move.port};
    in_use_.apply(std::span(&change, 1));
    forget_failures(row);
  }

  TablesInUse& in_use_;
  const Lids& lids_;
  const RebalanceOptions& options_;
  const PortGraph& graph_;
  const HopMap& map_;
  LegalMoves moves_;
  FlowSources sources_;
  Table<Channel, std::int64_t> load_;
  Table<Channel, double> unit_time_;            // 1 / (Gb/s); 1 if the rate is unknown
  std::set<std::pair<double, Channel>> order_;  // channels between switches, the most loaded last
  std::size_t blocks_;
  std::vector<std::uint8_t> allowed_;                   // [switch][block]
  std::vector<std::vector<std::uint32_t>> allowed_in_;  // the same: by block, its switches
  std::vector<bool> examined_;  // channels whose load the current search examined
  std::map<Channel, std::vector<bool>>
      failed_;  // channels that cannot be relieved, and what was examined
  std::map<std::pair<std::uint32_t, std::uint32_t>, Port> first_port_;
  double limit_ = 0;
  std::vector<std::uint32_t> waiting_, leading_;
  std::vector<Channel> old_path_, new_path_;
};

}  // namespace

RebalanceResult rebalance_blocks(TablesInUse& in_use, const Lids& lids,
                                 std::span<const TableEntry> sent,
                                 const RebalanceOptions& options) {
  return Rebalancer(in_use, lids, sent, options).run();
}

}  // namespace fatwood
