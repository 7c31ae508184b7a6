// SPDX-License-Identifier: BSD-3-Clause
#include "verify/adaptive/choices.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/parallel.hpp"
#include "routing/adaptive/choice_walk.hpp"

namespace fatwood {

namespace {

struct ChoiceJob {
  const Routing& routing;
  const Levels* levels;  // null when the fabric is not a tree
  std::vector<std::uint16_t> least;
  Table<Switch, std::uint32_t> on;
  std::uint64_t loose = 0;  // terminals on no switch
};

// The results of one thread. Firsts are of the lowest destination, then the lowest switch.
struct ChoiceTally {
  ChoiceWalk walk;
  ChoiceFindings found;
  ReachTally reach;
  std::vector<std::uint8_t> rest;
  PairCounts unknown;
  std::vector<std::uint8_t> surely;  // by switch: some choice fails, whatever unknown entries have
};

// The pairs that a switch and its terminals make with all destinations of a class.
PairCounts pairs_with(const ChoiceJob& job, std::span<const Destination> destinations,
                      std::uint32_t s, Switch home) {
  const ForwardingTables& tables = job.routing.tables;
  const Place place = s == index(home) ? Place::kHome : Place::kElsewhere;
  PairCounts sum;
  const auto terminals = static_cast<std::uint64_t>(std::ranges::count_if(
      destinations, [&](Destination destination) { return !tables.is_switch(destination); }));
  const auto times = [&](const PairCounts& one, std::uint64_t n) {
    sum += {one.terminal_terminal * n, one.terminal_switch * n, one.switch_terminal * n,
            one.switch_switch * n};
  };
  const std::uint64_t on = job.on[static_cast<Switch>(s)];
  if (terminals > 0) times(pairs_from(on, tables, destinations.front(), place), terminals);
  if (terminals < destinations.size()) {
    times(pairs_from(on, tables, destinations.back(), place), destinations.size() - terminals);
  }
  return sum;
}

void tally_hops(const ChoiceJob& job, const ChoiceWalk& walk, std::uint32_t s,
                const PairCounts& pairs, ChoiceTally& tally) {
  tally.found.most.add(walk.most(s), pairs);
  tally.found.fewest.add(walk.fewest(s), pairs);
  tally.found.minimality.add(walk.most(s), job.least[index(walk.home()) * job.on.size() + s],
                             pairs);
}

void tally_turns(const ChoiceJob& job, const ChoiceWalk& walk,
                 std::span<const Destination> destinations, ChoiceTally& tally) {
  std::vector<std::uint8_t>& rest = tally.rest;
  rest.resize(job.on.size());
  UpDown& found = *tally.found.up_down;
  for (const std::uint32_t s : walk.order()) {
    rest[s] = 0;
    for (const Port port : walk.ports(s)) {
      const Hop hop = walk.hop(s, port);
      if (!hop.to_switch() || walk.delivers(s, port)) continue;
      rest[s] |= rest_of(*job.levels, s, hop.next(), rest[hop.next()]);
    }
    if ((rest[s] & (kRestTurn | kRestHorizontal)) == 0) continue;
    found.add(rest[s], destinations.front(), static_cast<Switch>(s),
              pairs_with(job, destinations, s, walk.home()));
  }
}

void note_risky(const RiskyPort& one, std::optional<RiskyPort>& first) {
  const auto place = [](const RiskyPort& of) { return std::pair(of.destination, of.at); };
  if (!first || place(one) < place(*first)) first = one;
}

// Counts an entry of a switch from which not every choice arrives.
void tally_entry(const ChoiceJob& job, const ChoiceWalk& walk,
                 std::span<const Destination> destinations, std::uint32_t s, ChoiceTally& tally) {
  std::array<bool, 5> ends{};
  bool good = false;
  std::optional<Port> bad;
  for (const Port port : walk.ports(s)) {
    const Hop hop = walk.hop(s, port);
    if (walk.delivers(s, port) || (hop.to_switch() && walk.fate(hop.next()) == Fate::kArrives)) {
      good = true;
      continue;
    }
    if (!bad) bad = port;
    if (!hop.to_switch()) ends[static_cast<std::size_t>(hop.end())] = true;
  }
  if (walk.ports(s).empty()) {
    if (job.routing.unknown.at(destinations.front(), static_cast<Switch>(s))) return;
    ends[static_cast<std::size_t>(HopEnd::kNoEntry)] = true;
  }
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (ends[i])
      tally.reach.faults[i] += {destinations.size(), static_cast<Switch>(s), destinations.front()};
  }
  if (!good || !bad) return;
  tally.found.risky += destinations.size();
  note_risky({static_cast<Switch>(s), destinations.front(), *bad}, tally.found.first_risky);
}

// Finds the switches from which some choice leads to a known fault or into a loop. What others lose
// they lose at an unknown entry.
void find_sure_losses(const ChoiceJob& job, const ChoiceWalk& walk, Destination destination,
                      std::vector<std::uint8_t>& surely) {
  const std::size_t switches = job.on.size();
  surely.assign(switches, 0);
  for (const std::vector<Switch>& loop : walk.loops()) {
    for (const Switch s : loop) surely[index(s)] = 1;
  }
  const auto fails = [&](std::uint32_t s) {
    if (walk.ports(s).empty()) return !job.routing.unknown.at(destination, static_cast<Switch>(s));
    return std::ranges::any_of(walk.ports(s), [&](Port port) {
      const Hop hop = walk.hop(s, port);
      if (walk.delivers(s, port)) return false;
      return !hop.to_switch() || surely[hop.next()] != 0;
    });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t s = 0; s < switches; ++s) {
      if (surely[s] != 0 || walk.fate(s) == Fate::kArrives || !fails(s)) continue;
      surely[s] = 1;
      changed = true;
    }
  }
}

// By destination: pairs of one class may be lost for addresses of terminals and not for that of a
// switch.
void tally_unreached(const ChoiceJob& job, const ChoiceWalk& walk,
                     std::span<const Destination> destinations, ChoiceTally& tally) {
  const ForwardingTables& tables = job.routing.tables;
  const bool some_unknown = !job.routing.unknown.empty();
  if (some_unknown) find_sure_losses(job, walk, destinations.front(), tally.surely);
  for (const Destination destination : destinations) {
    const std::array one{destination};
    PairCounts lost;
    PairCounts never;
    if (tables.is_switch(destination)) {
      lost.terminal_switch = never.terminal_switch = job.loose;
    } else if (walk.home() != kNone<Switch>) {
      lost.terminal_terminal = never.terminal_terminal = job.loose;
    } else {  // reached from the adapter it is cabled to
      lost.terminal_terminal = never.terminal_terminal = job.loose - 2;
    }
    for (std::uint32_t s = 0; s < job.on.size(); ++s) {
      if (walk.fate(s) == Fate::kArrives) continue;
      const PairCounts pairs = pairs_with(job, one, s, walk.home());
      if (some_unknown && tally.surely[s] == 0) {
        tally.unknown += pairs;
        continue;
      }
      lost += pairs;
      if (walk.fate(s) == Fate::kNever) never += pairs;
    }
    tally.reach.add_lost(lost, destination);
    tally.found.never += never;
  }
}

void evaluate(const ChoiceJob& job, std::span<const Destination> destinations, ChoiceTally& tally) {
  ChoiceWalk& walk = tally.walk;
  walk.follow(destinations.front());
  for (std::uint32_t s = 0; s < job.on.size(); ++s) {
    if (walk.fate(s) == Fate::kArrives) {
      tally_hops(job, walk, s, pairs_with(job, destinations, s, walk.home()), tally);
    } else {
      tally_entry(job, walk, destinations, s, tally);
    }
  }
  if (!walk.all_arrive() || job.loose > 0) tally_unreached(job, walk, destinations, tally);
  if (job.levels != nullptr) tally_turns(job, walk, destinations, tally);
  tally.reach.add_loops(walk.loops().size() * destinations.size(), destinations.front());
}

void merge(ChoiceTally& all, const ChoiceTally& one) {
  ChoiceFindings& into = all.found;
  const ChoiceFindings& from = one.found;
  all.reach += one.reach;
  all.unknown += one.unknown;
  into.never += from.never;
  into.most += from.most;
  into.fewest += from.fewest;
  into.minimality += from.minimality;
  into.risky += from.risky;
  if (from.first_risky) note_risky(*from.first_risky, into.first_risky);
  if (into.up_down) *into.up_down += *from.up_down;
}

}  // namespace

ChoiceFindings find_choices(const Model& model, const Routing& routing,
                            const DestinationClasses& classes, int threads) {
  const Fabric& fabric = model.fabric();
  ChoiceJob job{routing, model.levels().is_tree() ? &model.levels() : nullptr,
                hop_counts(model.port_graph(), threads), terminals_on(fabric)};
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) == kNone<Switch>) ++job.loose;
  }
  ChoiceTally fresh{ChoiceWalk(fabric, model.hop_map(), routing), {}, {}, {}, {}, {}};
  if (job.levels != nullptr) fresh.found.up_down.emplace();
  std::vector<ChoiceTally> tallies = parallel_with(
      fresh, classes.size(), threads,
      [&](std::size_t c, ChoiceTally& tally) { evaluate(job, classes.of(c), tally); }, 4);
  ChoiceTally& all = tallies.front();
  for (std::size_t w = 1; w < tallies.size(); ++w) merge(all, tallies[w]);
  ChoiceFindings found = std::move(all.found);
  Reachability& reach = found.reachability;
  reach.pairs = all_pairs(fabric.num_terminals(), fabric.num_switches(), routing.tables.lmc());
  reach.disconnected = reach.pairs - joined_pairs(fabric, routing.tables.lmc());
  reach.unreachable = all.reach.unreachable;
  reach.unknown = all.unknown;
  reach.loops = all.reach.loops;
  reach.faults = all.reach.faults;
  ChoiceWalk& walk = all.walk;
  if (reach.loops > 0) {
    walk.follow(all.reach.first_loop);
    reach.first_loop = ForwardingLoop{all.reach.first_loop, walk.loops().front()};
  }
  for (std::size_t k = 0; k < kPairKinds.size() && !reach.first_lost; ++k) {
    if (reach.unreachable.*kPairKinds[k] == 0) continue;
    const Destination destination = all.reach.first_lost[k];
    walk.follow(destination);
    if (!routing.unknown.empty()) find_sure_losses(job, walk, destination, all.surely);
    reach.first_lost =
        lost_pair(fabric, endpoint(routing.tables, destination), k < 2, [&](Switch s) {
          return walk.fate(index(s)) == Fate::kArrives ||
                 (!routing.unknown.empty() && all.surely[index(s)] == 0);
        });
  }
  return found;
}

}  // namespace fatwood
