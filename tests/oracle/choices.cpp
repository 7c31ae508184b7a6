// SPDX-License-Identifier: BSD-3-Clause
#include "oracle/choices.hpp"

#include <algorithm>
#include <functional>

#include "core/random.hpp"
#include "routing/adaptive/port_sets_builder.hpp"

namespace fatwood::oracle {

namespace {

constexpr std::uint64_t kMostSteps = 100'000;

struct Outcome {
  bool arrives = false, fails = false, loops = false;
  std::size_t most = 0, fewest = ~std::size_t{0};
};

class Packets {
 public:
  Packets(const Fabric& fabric, const Routing& routing, Destination address, AllChoices& all)
      : fabric_(fabric), routing_(routing), address_(address), all_(all) {}

  Outcome from(const Endpoint& source) {
    outcome_ = {};
    path_.clear();
    if (source.is_switch()) {
      at(source.sw, kNone<Channel>, 0);
      return outcome_;
    }
    const Channel out = fabric_.terminal_channel(source.terminal);
    if (!fabric_.is_switch(fabric_.neighbour(out))) {
      const bool there =
          !routing_.tables.is_switch(address_) &&
          fabric_.peer(out) == fabric_.terminal_channel(routing_.tables.terminal(address_));
      (there ? outcome_.arrives : outcome_.fails) = true;
      return outcome_;
    }
    at(fabric_.as_switch(fabric_.neighbour(out)), out, 0);
    return outcome_;
  }

 private:
  bool delivers(Switch s, Port port) const {
    const ForwardingTables& tables = routing_.tables;
    if (tables.is_switch(address_)) return port == kOwnPort && tables.as_switch(address_) == s;
    return port != kOwnPort && index(port) <= fabric_.ports(fabric_.node(s)) &&
           fabric_.connected(fabric_.channel(fabric_.node(s), port)) &&
           fabric_.peer(fabric_.channel(fabric_.node(s), port)) ==
               fabric_.terminal_channel(tables.terminal(address_));
  }

  void at(Switch s, Channel held, std::size_t hops) {
    const std::pair here{s, held};
    if (++all_.steps > kMostSteps) {
      all_.gave_up = true;
      return;
    }
    if (std::ranges::find(path_, here) != path_.end()) {
      outcome_.loops = outcome_.fails = true;
      return;
    }
    path_.push_back(here);
    const std::span<const Port> ports = routing_.ports(s, address_);
    if (ports.empty()) outcome_.fails = true;
    for (const Port port : ports) {
      const Node node = fabric_.node(s);
      const bool cable = port != kOwnPort && index(port) <= fabric_.ports(node) &&
                         fabric_.connected(fabric_.channel(node, port));
      const Channel wanted = cable ? fabric_.channel(node, port) : kNone<Channel>;
      const bool back = cable && held != kNone<Channel> && wanted == fabric_.peer(held);
      if (back && fabric_.is_switch(fabric_.owner(held)) && ports.size() > 1) continue;
      if (cable && held != kNone<Channel>) all_.dependencies.insert({held, wanted});
      if (delivers(s, port)) {
        outcome_.arrives = true;
        outcome_.most = std::max(outcome_.most, hops);
        outcome_.fewest = std::min(outcome_.fewest, hops);
      } else if (cable && fabric_.is_switch(fabric_.neighbour(wanted))) {
        all_.held.insert({wanted, address_});
        at(fabric_.as_switch(fabric_.neighbour(wanted)), wanted, hops + 1);
      } else {
        outcome_.fails = true;
      }
    }
    path_.pop_back();
  }

  const Fabric& fabric_;
  const Routing& routing_;
  Destination address_;
  AllChoices& all_;
  Outcome outcome_;
  std::vector<std::pair<Switch, Channel>> path_;
};

std::uint64_t& by_kind(PairCounts& counts, const Endpoint& a, const Endpoint& b) {
  if (!a.is_switch()) return b.is_switch() ? counts.terminal_switch : counts.terminal_terminal;
  return b.is_switch() ? counts.switch_switch : counts.switch_terminal;
}

bool between_switches(const Fabric& fabric, Channel c) {
  return fabric.is_switch(fabric.owner(c)) && fabric.is_switch(fabric.neighbour(c));
}

}  // namespace

AllChoices try_all_choices(const Fabric& fabric, const Routing& routing) {
  AllChoices all;
  for (const Destination address : ids<Destination>(routing.tables.num_destinations())) {
    const Endpoint destination = endpoint(routing.tables, address);
    Packets packets(fabric, routing, address, all);
    const auto one = [&](const Endpoint& source) {
      const Outcome outcome = packets.from(source);
      all.loops = all.loops || outcome.loops;
      if (source == destination) return;
      if (outcome.fails) ++by_kind(all.unreachable, source, destination);
      if (!outcome.arrives) ++by_kind(all.never, source, destination);
      const bool on_switches = switch_of(fabric, source) != kNone<Switch>;
      if (outcome.fails || source.is_switch() || destination.is_switch() || !on_switches) return;
      ++all.most[outcome.most];
      ++all.fewest[outcome.fewest];
    };
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) one(endpoint(t));
    for (const Switch s : ids<Switch>(fabric.num_switches())) one(endpoint(s));
  }
  return all;
}

bool can_stand_still(const Fabric& fabric, const Routing& routing, const AllChoices& all) {
  std::vector<Channel> channels;
  for (const auto& [c, address] : all.held) {
    if (between_switches(fabric, c) && std::ranges::find(channels, c) == channels.end()) {
      channels.push_back(c);
    }
  }
  const auto place = [&](Channel c) {
    return static_cast<std::size_t>(std::ranges::find(channels, c) - channels.begin());
  };
  // For each channel: what packets that hold it wait for, as bits; one entry a destination.
  std::vector<std::vector<std::uint32_t>> dependencies(channels.size());
  for (const auto& [c, address] : all.held) {
    const Switch s = fabric.as_switch(fabric.neighbour(c));
    const std::span<const Port> ports = routing.ports(s, address);
    std::uint32_t wanted = 0;
    bool leaves = ports.empty();
    for (const Port port : ports) {
      const Node node = fabric.node(s);
      if (port == kOwnPort || index(port) > fabric.ports(node) ||
          !fabric.connected(fabric.channel(node, port))) {
        leaves = true;
        continue;
      }
      const Channel next = fabric.channel(node, port);
      if (next == fabric.peer(c) && ports.size() > 1) continue;
      if (!between_switches(fabric, next)) {
        leaves = true;
      } else {
        wanted |= 1U << place(next);
      }
    }
    if (!leaves) dependencies[place(c)].push_back(wanted);
  }
  for (std::uint32_t set = 1; set < 1U << channels.size(); ++set) {
    bool stands = true;
    for (std::size_t i = 0; stands && i < channels.size(); ++i) {
      if ((set >> i & 1U) == 0) continue;
      stands =
          std::ranges::any_of(dependencies[i], [&](std::uint32_t w) { return (w & ~set) == 0; });
    }
    if (stands) return true;
  }
  return false;
}

Routing random_adaptive(const Fabric& fabric, ForwardingTables tables, std::uint64_t seed,
                        double share) {
  Routing routing;
  routing.engine = "test";
  routing.tables = std::move(tables);
  Random random(seed, 77, 5);
  PortSetsBuilder builder(fabric);
  std::vector<GroupNumber> next(fabric.num_switches(), 1);
  for (const Destination address : ids<Destination>(routing.tables.num_destinations())) {
    std::vector<PortSets::Kind> row(fabric.num_switches());
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      const std::uint32_t ports = fabric.ports(fabric.node(s));
      if (ports == 0 || random.uniform() >= share) continue;
      std::set<Port> chosen;
      for (std::uint32_t i = random.below(3); i < 3; ++i) {
        chosen.insert(static_cast<Port>(1 + random.below(ports)));
      }
      const GroupNumber number = next[index(s)]++;
      builder.add_group(s, number, {{.ports = {chosen.begin(), chosen.end()}, .weight = 0}});
      row[index(s)] = builder.kind(s, EntryState::kFree, number, routing.tables.at(address, s));
    }
    builder.set_row(address, row);
  }
  routing.sets = std::move(builder).build(routing.tables.num_destinations());
  return routing;
}

Routing one_port_groups(const Fabric& fabric, const Routing& plain) {
  Routing routing = plain;
  PortSetsBuilder builder(fabric);
  for (const Switch s : ids<Switch>(fabric.num_switches())) builder.add_group(s, 1, {});
  for (const Destination address : ids<Destination>(routing.tables.num_destinations())) {
    std::vector<PortSets::Kind> row(fabric.num_switches());
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      row[index(s)] = builder.kind(s, EntryState::kBounded, 1, routing.tables.at(address, s));
    }
    builder.set_row(address, row);
  }
  routing.sets = std::move(builder).build(routing.tables.num_destinations());
  return routing;
}

}  // namespace fatwood::oracle
