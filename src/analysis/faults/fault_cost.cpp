// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/faults/fault_cost.hpp"

#include <algorithm>

#include "analysis/faults/changed_load.hpp"
#include "core/sort_unique.hpp"

namespace fatwood {

namespace {

// The working memory of one thread.
class Evaluator {
 public:
  Evaluator(const TablesInUse& in_use, const Lids& lids, const StandingLoad& load,
            const LostPairs& lost, const StandingPermutations& permutations,
            const std::optional<FaultSafety>& safety)
      : in_use_(in_use),
        lids_(lids),
        load_(load),
        flows_(load.flows),
        lost_(lost),
        permutations_(permutations),
        repair_(in_use),
        safety_(safety),
        changed_(flows_.flows(), load.most, load.order),
        inflow_change_(in_use.model().fabric().num_switches()),
        sample_change_(in_use.model().fabric().num_channels() * permutations.samples()),
        sample_channels_(permutations.samples()),
        state_(in_use.model().fabric().num_switches()),
        blocks_(in_use.model().fabric().num_switches(), lid_block(lids.highest()) + 1) {}

  FaultCost evaluate(const Fault& fault) {
    cost_ = {};
    gone_ = fault.removed;
    flows_lost_ = false;
    changed_.clear();
    sample_change_.clear();
    for (std::vector<Channel>& touched : sample_channels_) touched.clear();
    blocks_.clear();
    const auto changes = gone_ == kNone<Switch> ? repair_.cut(fault.cut) : repair_.remove(gone_);
    for (std::size_t i = 0; i < changes.size();) {
      std::size_t end = i;
      while (end < changes.size() && changes[end].destination == changes[i].destination) ++end;
      take_row(changes.subspan(i, end - i));
      i = end;
    }
    if (safety_) cost_.transition = safety_->of(changes, fault.cut, gone_);
    count_lost(changes);
    if (gone_ != kNone<Switch>) take_lost_hosts();
    const AllToAllLoad load = changed_.most_loaded(peers());
    cost_.mload = load.mload;
    cost_.most_loaded = load.most_loaded;
    cost_.gigabits = load.gigabits;
    find_slowest_flows();
    return cost_;
  }

 private:
  enum class State : std::uint8_t { kAsBefore, kDetached, kAttached, kLost };
  struct Entry {
    State state = State::kAsBefore;
    Port port = kNoRoute;  // when attached
  };

  void take_row(std::span<const EntryChange> changes) {
    const Destination destination = changes.front().destination;
    const std::size_t block = lid_block(lids_.of(in_use_.tables(), destination));
    for (const EntryChange& change : changes) {
      if (change.at == gone_) continue;
      ++cost_.entries;
      if (blocks_.add(change.at, block)) ++cost_.blocks;
    }
    const std::span<const std::uint32_t> behind = flows_.behind(destination);
    if (behind.empty()) return;
    for (const EntryChange& change : changes) {
      if (change.port == kNoRoute) take_from_senders(change.at, destination);
    }
    move_flows(destination, behind, changes);
    move_samples(destination);
  }

  // Lost pairs after the repair; of a lost switch, its own pairs.
  void count_lost(std::span<const EntryChange> changes) {
    const ForwardingTables& tables = in_use_.tables();
    cost_.pairs_lost = lost_.now() + (gone_ == kNone<Switch> ? 0 : lost_.at(gone_));
    for (std::size_t i = 0; i < changes.size() && !tables.is_switch(changes[i].destination);) {
      const Terminal to = tables.terminal(changes[i].destination);
      std::size_t end = i;
      while (end < changes.size() && !tables.is_switch(changes[end].destination) &&
             tables.terminal(changes[end].destination) == to) {
        ++end;
      }
      if (in_use_.model().adapters().sends(to)) count_lost(to, changes.subspan(i, end - i));
      i = end;
    }
  }
  void count_lost(Terminal to, std::span<const EntryChange> changes) {
    const auto pairs = [&](std::span<const Switch> from) {
      std::uint64_t sum = 0;
      for (const Switch s : from) sum += s == gone_ ? 0 : lost_.pairs().senders(s, to);
      return sum;
    };
    losing_.clear();
    if (lost_.from(to).empty()) {
      for (const EntryChange& change : changes) {
        if (change.port == kNoRoute) losing_.push_back(change.at);
      }
    } else {
      find_losing(to, changes);  // pairs may get a route that had none
    }
    sort_unique(losing_);
    cost_.pairs_lost += pairs(losing_);
    cost_.pairs_lost -= pairs(lost_.from(to));
  }
  // The switches from which packets to some address of an end port do not arrive after the changes.
  void find_losing(Terminal to, std::span<const EntryChange> changes) {
    const ForwardingTables& tables = in_use_.tables();
    home_ = index(in_use_.model().fabric().leaf(to));
    for (std::uint32_t offset = 0; offset < (1U << tables.lmc()); ++offset) {
      const Destination destination = tables.destination(to, offset);
      state_.clear();
      for (const EntryChange& change : changes) {
        if (change.destination != destination) continue;
        state_.at(index(change.at)) = {change.port == kNoRoute ? State::kLost : State::kAttached,
                                       change.port};
      }
      for (const Switch s : ids<Switch>(tables.num_switches())) {
        if (lost_.pairs().senders(s, to) == 0) continue;
        bool changed = false;
        const bool arrives =
            follow(tables.row(destination), index(s), Tables::kAfter, path_, changed) &&
            in_use_.model().hop_map().at(home_, tables.at(destination, Switch{home_})) ==
                in_use_.model().hop_map().at(
                    home_, own_port(in_use_.model().fabric(), tables, destination));
        if (!arrives) losing_.push_back(s);
      }
    }
  }

  Channel into_host(Destination destination) const {
    const Fabric& fabric = in_use_.model().fabric();
    return fabric.peer(fabric.terminal_channel(in_use_.tables().terminal(destination)));
  }

  // The hosts of a switch no longer reach the destination.
  void take_from_senders(Switch s, Destination destination) {
    const std::uint32_t kind = load_.sources.kind(in_use_.tables().terminal(destination));
    for (const StandingLoad::Sender& sender : load_.senders[index(s)]) {
      const std::uint64_t units = load_.sources.units(sender.kind, kind);
      if (units > 0) changed_.add(sender.channel, -static_cast<std::int64_t>(units));
    }
    flows_lost_ = true;
  }

  void move_flows(Destination destination, std::span<const std::uint32_t> behind,
                  std::span<const EntryChange> changes) {
    inflow_change_.clear();
    state_.clear();
    const auto row = in_use_.tables().row(destination);
    home_ = index(in_use_.home(destination));
    into_ = into_host(destination);
    const auto inflow = [&](std::uint32_t s) {
      return std::int64_t{behind[s]} + inflow_change_.get(s);
    };
    for (const EntryChange& change : changes) {
      const std::uint32_t s = index(change.at);
      const std::int64_t flow = inflow(s);
      state_.at(s).state = State::kDetached;
      if (flow != 0) hand_on(row, s, row[s], -flow);
    }
    for (const EntryChange& change : changes) {
      const std::uint32_t s = index(change.at);
      state_.at(s) = {change.port == kNoRoute ? State::kLost : State::kAttached, change.port};
      if (change.port == kNoRoute) continue;
      if (const std::int64_t flow = inflow(s); flow != 0) hand_on(row, s, change.port, flow);
    }
  }

  // Adds the flow along the path that begins with this port, to the first detached switch.
  void hand_on(std::span<const Port> row, std::uint32_t s, Port port, std::int64_t flow) {
    const Fabric& fabric = in_use_.model().fabric();
    for (std::size_t hops = 0; hops <= row.size(); ++hops) {
      const Hop hop = in_use_.model().hop_map().at(s, port);
      if (!hop.to_switch()) return;
      changed_.add(fabric.channel(fabric.node(Switch{s}), port), flow);
      s = hop.next();
      inflow_change_.at(s) += flow;
      if (s == home_) {
        changed_.add(into_, flow);
        return;
      }
      const Entry entry = state_.get(s);
      if (entry.state == State::kDetached || entry.state == State::kLost) return;
      port = entry.state == State::kAttached ? entry.port : row[s];
    }
  }

  void add_to_sample(std::size_t sample, Channel c, std::int32_t flow) {
    const std::size_t place = sample * in_use_.model().fabric().num_channels() + index(c);
    if (!sample_change_.touched(place)) sample_channels_[sample].push_back(c);
    sample_change_.at(place) += flow;
  }
  // The channels of one flow to the destination from a switch, with the tables before or after the
  // change. Returns whether it arrives.
  enum class Tables : std::uint8_t { kBefore, kAfter };
  bool follow(std::span<const Port> row, std::uint32_t s, Tables which, std::vector<Channel>& path,
              bool& changed) const {
    const Fabric& fabric = in_use_.model().fabric();
    path.clear();
    for (std::size_t hops = 0; s != home_; ++hops) {
      const Entry entry = state_.get(s);
      changed = changed || entry.state != State::kAsBefore;
      const bool as_before = which == Tables::kBefore || entry.state == State::kAsBefore;
      const Port port = as_before ? row[s] : entry.port;
      const Hop hop = in_use_.model().hop_map().at(s, port);
      if (!hop.to_switch() || hops > row.size()) return false;
      path.push_back(fabric.channel(fabric.node(Switch{s}), port));
      s = hop.next();
    }
    return true;
  }
  // REQUIRES that the row's changes have their states.
  void move_samples(Destination destination) {
    const ForwardingTables& tables = in_use_.tables();
    if ((index(destination) & ((1U << tables.lmc()) - 1)) != 0) return;
    const Terminal to = tables.terminal(destination);
    for (std::size_t sample = 0; sample < permutations_.samples(); ++sample) {
      const Terminal from = permutations_.source(sample, to);
      if (from == kNone<Terminal>) continue;
      const std::uint32_t first = index(in_use_.model().fabric().leaf(from));
      bool changed = false;
      follow(tables.row(destination), first, Tables::kBefore, path_, changed);
      if (!changed) continue;
      for (const Channel c : path_) add_to_sample(sample, c, -1);
      if (!follow(tables.row(destination), first, Tables::kAfter, path_, changed)) continue;
      for (const Channel c : path_) add_to_sample(sample, c, 1);
    }
  }
  void find_slowest_flows() {
    if (!flows_.rates_known() || permutations_.samples() == 0) return;
    const std::size_t channels = in_use_.model().fabric().num_channels();
    double sum = 0;
    for (std::size_t sample = 0; sample < permutations_.samples(); ++sample) {
      const auto change = [&](Channel c) {
        return sample_change_.get(sample * channels + index(c));
      };
      const auto time = [&](Channel c) {
        const auto flow = static_cast<std::int64_t>(permutations_.flows(sample, c)) + change(c);
        return static_cast<double>(flow) * flows_.unit_time(c);
      };
      double longest = permutations_.host_time();
      for (const Channel c : sample_channels_[sample]) longest = std::max(longest, time(c));
      const auto rest = std::ranges::find_if(permutations_.by_time(sample), [&](Channel c) {
        return !sample_change_.touched(sample * channels + index(c));
      });
      if (rest != permutations_.by_time(sample).end()) longest = std::max(longest, time(*rest));
      sum += 1 / longest;
    }
    cost_.permutation_gigabits = sum / static_cast<double>(permutations_.samples());
  }

  // Removes the flows to hosts of a lost switch. What these hosts sent is removed with the switch's
  // entries.
  void take_lost_hosts() {
    const Fabric& fabric = in_use_.model().fabric();
    const ForwardingTables& tables = in_use_.tables();
    for (const Terminal t : in_use_.model().adapters().all_terminals()) {
      if (fabric.leaf(t) != gone_) continue;
      for (std::uint32_t offset = 0; offset < (1U << tables.lmc()); ++offset) {
        const Destination destination = tables.destination(t, offset);
        const std::span<const std::uint32_t> behind = flows_.behind(destination);
        const auto row = tables.row(destination);
        state_.clear();
        home_ = index(gone_);
        for (std::size_t sample = 0; offset == 0 && sample < permutations_.samples(); ++sample) {
          const Terminal from = permutations_.source(sample, t);
          if (from == kNone<Terminal>) continue;
          bool changed = false;
          follow(row, index(fabric.leaf(from)), Tables::kBefore, path_, changed);
          for (const Channel c : path_) add_to_sample(sample, c, -1);
        }
        for (std::uint32_t s = 0; s < row.size(); ++s) {
          if (behind[s] == 0 || Switch{s} == gone_) continue;
          changed_.add(fabric.channel(fabric.node(Switch{s}), row[s]), -std::int64_t{behind[s]});
          take_from_senders(Switch{s}, destination);
        }
      }
      changed_.take_all(fabric.peer(fabric.terminal_channel(t)));
      flows_lost_ = true;
    }
    for (const StandingLoad::Sender& sender : load_.senders[index(gone_)])
      changed_.take_all(sender.channel);
  }

  std::int64_t peers() const {
    if (!flows_lost_) return load_.peers;
    const Fabric& fabric = in_use_.model().fabric();
    return most_peers(in_use_.model(), [&](Channel c) -> std::int64_t {
      const bool out = !fabric.is_switch(fabric.owner(c));
      const Terminal t = fabric.terminal_at(out ? c : fabric.peer(c));
      if (fabric.leaf(t) == kNone<Switch> || fabric.leaf(t) == gone_) return 0;
      return out ? flows_.flows()[c] + changed_.change(load_.represented_by[t])
                 : changed_.flow_on(c);
    });
  }

  const TablesInUse& in_use_;
  const Lids& lids_;
  const StandingLoad& load_;
  const StandingFlows& flows_;
  const LostPairs& lost_;
  const StandingPermutations& permutations_;
  FaultRepair repair_;
  std::optional<FaultSafety> safety_;
  ChangedLoad changed_;
  Scratch<std::int64_t> inflow_change_;
  Scratch<std::int32_t> sample_change_;                // [sample][channel]
  std::vector<std::vector<Channel>> sample_channels_;  // touched, by sample
  std::vector<Channel> path_;
  Scratch<Entry> state_;
  WrittenBlocks blocks_;
  FaultCost cost_;
  Switch gone_ = kNone<Switch>;
  bool flows_lost_ = false;  // some adapter sends or receives less than before
  std::vector<Switch> losing_;
  std::uint32_t home_ = 0;
  Channel into_ = kNone<Channel>;  // the destination's host
};

}  // namespace

FaultCosts::FaultCosts(const TablesInUse& in_use, const Lids& lids, int threads,
                       std::size_t permutations, std::uint64_t seed, FindTransition transition)
    : in_use_(in_use),
      lids_(lids),
      threads_(threads),
      load_(in_use.model(), in_use.tables(), threads),
      lost_(in_use.model(), in_use.tables(), nullptr, threads),
      permutations_(in_use.model(), in_use.tables(), load_.flows, permutations, seed) {
  if (transition == FindTransition::kYes) safety_.emplace(in_use, threads);
}

FaultCost FaultCosts::now() const {
  return Evaluator(in_use_, lids_, load_, lost_, permutations_, safety_).evaluate({});
}

std::vector<FaultCost> FaultCosts::of(std::span<const Fault> faults, const Progress& progress,
                                      const WorkShare& share) const {
  return evaluate_all<Evaluator>(faults, threads_, progress, share, in_use_, lids_, load_, lost_,
                                 permutations_, safety_);
}

}  // namespace fatwood
