// SPDX-License-Identifier: BSD-3-Clause
#include "verify/choices.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/parallel.hpp"
#include "routing/choice_walk.hpp"
#include "topology/leaves.hpp"

namespace fatwood {

namespace {

enum Rest : std::uint8_t { kUp = 1, kTurn = 2, kHorizontal = 4 };

struct Job {
  const Model& model;
  const Routing& routing;
  const TargetClasses& classes;
  const Levels* levels;  // null when the fabric is not a tree
  std::vector<std::uint16_t> least;
  Table<Switch, std::uint32_t> on;
  std::uint64_t loose = 0;  // terminals on no switch
};

// What one thread has seen. Firsts are of the lowest target, then the lowest switch.
struct Tally {
  ChoiceFindings found;
  Target first_loop = kNone<Target>;
  std::array<Target, 4> first_lost{kNone<Target>, kNone<Target>, kNone<Target>, kNone<Target>};
  std::vector<std::uint8_t> rest;
};

constexpr std::array kKinds = {&PairCounts::terminal_terminal, &PairCounts::terminal_switch,
                               &PairCounts::switch_terminal, &PairCounts::switch_switch};

std::uint64_t one_less(std::uint64_t count) { return count == 0 ? 0 : count - 1; }

void add(HopHistogram& histogram, std::size_t hops, std::uint64_t pairs) {
  if (pairs == 0) return;
  if (histogram.pairs.size() <= hops) histogram.pairs.resize(hops + 1, 0);
  histogram.pairs[hops] += pairs;
}

void add(HopCounts& counts, std::size_t hops, const PairCounts& pairs) {
  add(counts.terminals, hops, pairs.terminal_terminal);
  add(counts.all, hops, pairs.total());
}

void merge(HopCounts& into, const HopCounts& from) {
  for (std::size_t h = 0; h < from.terminals.pairs.size(); ++h) {
    add(into.terminals, h, from.terminals.pairs[h]);
  }
  for (std::size_t h = 0; h < from.all.pairs.size(); ++h) add(into.all, h, from.all.pairs[h]);
}

// The pairs that a switch and its terminals make with all targets of a class.
PairCounts pairs_with(const Job& job, std::span<const Target> targets, std::uint32_t s,
                      Switch home) {
  const ForwardingTables& tables = job.routing.tables;
  const Place place = s == index(home) ? Place::kHome : Place::kElsewhere;
  PairCounts sum;
  const auto terminals = static_cast<std::uint64_t>(
      std::ranges::count_if(targets, [&](Target target) { return !tables.is_switch(target); }));
  const auto times = [&](const PairCounts& one, std::uint64_t n) {
    sum += {one.terminal_terminal * n, one.terminal_switch * n, one.switch_terminal * n,
            one.switch_switch * n};
  };
  const std::uint64_t on = job.on[static_cast<Switch>(s)];
  if (terminals > 0) times(pairs_from(on, tables, targets.front(), place), terminals);
  if (terminals < targets.size()) {
    times(pairs_from(on, tables, targets.back(), place), targets.size() - terminals);
  }
  return sum;
}

void tally_hops(const Job& job, const ChoiceWalk& walk, std::uint32_t s, const PairCounts& pairs,
                Tally& tally) {
  add(tally.found.most, walk.most(s), pairs);
  add(tally.found.fewest, walk.fewest(s), pairs);
  const std::size_t switches = job.on.size();
  const std::uint32_t least = job.least[index(walk.home()) * switches + s];
  Minimality& minimality = tally.found.minimality;
  minimality.hops += pairs.terminal_terminal * walk.most(s);
  minimality.least_hops += pairs.terminal_terminal * least;
  if (walk.most(s) == least) return;
  minimality.longer += pairs;
  minimality.worst_excess = std::max(minimality.worst_excess, walk.most(s) - least);
}

std::uint8_t rest_of(const Levels& levels, std::uint32_t from, std::uint32_t to,
                     std::uint8_t onwards) {
  const Level here = levels.level[static_cast<Switch>(from)];
  const Level there = levels.level[static_cast<Switch>(to)];
  if (there > here) return onwards | kUp;
  if (there == here) return onwards | kHorizontal;
  return (onwards & kUp) != 0 ? onwards | kTurn : onwards;
}

void tally_turns(const Job& job, const ChoiceWalk& walk, std::span<const Target> targets,
                 Tally& tally) {
  std::vector<std::uint8_t>& rest = tally.rest;
  rest.resize(job.on.size());
  UpDown& found = *tally.found.up_down;
  for (const std::uint32_t s : walk.order()) {
    rest[s] = 0;
    for (const std::uint8_t port : walk.ports(s)) {
      const Hop hop = walk.hop(s, port);
      if (!hop.to_switch() || walk.delivers(s, port)) continue;
      rest[s] |= rest_of(*job.levels, s, hop.next(), rest[hop.next()]);
    }
    if ((rest[s] & (kTurn | kHorizontal)) == 0) continue;
    const PairCounts pairs = pairs_with(job, targets, s, walk.home());
    if ((rest[s] & kHorizontal) != 0) found.horizontal += pairs;
    if ((rest[s] & kTurn) == 0) continue;
    found.turning += pairs;
    const auto from = static_cast<Switch>(s);
    if (std::pair(targets.front(), from) <
        std::pair(found.first_target, found.first_switch.value_or(kNone<Switch>))) {
      found.first_target = targets.front();
      found.first_switch = from;
    }
  }
}

void tally_fault(TableFault& fault, std::span<const Target> targets, std::uint32_t s) {
  fault.entries += targets.size();
  const auto at = static_cast<Switch>(s);
  if (std::pair(targets.front(), at) >= std::pair(fault.first_target, fault.first_switch)) return;
  fault.first_target = targets.front();
  fault.first_switch = at;
}

// An entry of a switch that does not arrive by every choice.
void tally_entry(const ChoiceWalk& walk, std::span<const Target> targets, std::uint32_t s,
                 Tally& tally) {
  std::array<bool, 5> ends{};
  bool good = false;
  std::optional<std::uint8_t> bad;
  for (const std::uint8_t port : walk.ports(s)) {
    const Hop hop = walk.hop(s, port);
    if (walk.delivers(s, port) || (hop.to_switch() && walk.fate(hop.next()) == Fate::kArrives)) {
      good = true;
      continue;
    }
    if (!bad) bad = port;
    if (!hop.to_switch()) ends[static_cast<std::size_t>(hop.end())] = true;
  }
  if (walk.ports(s).empty()) ends[static_cast<std::size_t>(HopEnd::kNoEntry)] = true;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (ends[i]) tally_fault(tally.found.reachability.faults[i], targets, s);
  }
  if (!good || !bad) return;
  tally.found.risky += targets.size();
  std::optional<RiskyPort>& first = tally.found.first_risky;
  const RiskyPort mine{static_cast<Switch>(s), targets.front(), *bad};
  if (!first || std::pair(mine.target, mine.at) < std::pair(first->target, first->at)) first = mine;
}

void tally_lost(const PairCounts& lost, Target target, Tally& tally) {
  tally.found.reachability.unreachable += lost;
  for (std::size_t k = 0; k < kKinds.size(); ++k) {
    if (lost.*kKinds[k] > 0) tally.first_lost[k] = std::min(tally.first_lost[k], target);
  }
}

// By target: pairs of one class may be lost for the terminals' addresses and not for a switch's.
void tally_unreached(const Job& job, const ChoiceWalk& walk, std::span<const Target> targets,
                     Tally& tally) {
  const ForwardingTables& tables = job.routing.tables;
  for (const Target target : targets) {
    const std::array one{target};
    PairCounts lost;
    PairCounts never;
    if (tables.is_switch(target)) {
      lost.terminal_switch = never.terminal_switch = job.loose;
    } else if (walk.home() != kNone<Switch>) {
      lost.terminal_terminal = never.terminal_terminal = job.loose;
    } else {  // reached from the adapter it is cabled to
      lost.terminal_terminal = never.terminal_terminal = job.loose - 2;
    }
    for (std::uint32_t s = 0; s < job.on.size(); ++s) {
      if (walk.fate(s) == Fate::kArrives) continue;
      const PairCounts pairs = pairs_with(job, one, s, walk.home());
      lost += pairs;
      if (walk.fate(s) == Fate::kNever) never += pairs;
    }
    tally_lost(lost, target, tally);
    tally.found.never += never;
  }
}

void judge(const Job& job, std::span<const Target> targets, ChoiceWalk& walk, Tally& tally) {
  walk.follow(targets.front());
  for (std::uint32_t s = 0; s < job.on.size(); ++s) {
    if (walk.fate(s) == Fate::kArrives) {
      tally_hops(job, walk, s, pairs_with(job, targets, s, walk.home()), tally);
    } else {
      tally_entry(walk, targets, s, tally);
    }
  }
  if (!walk.all_arrive() || job.loose > 0) tally_unreached(job, walk, targets, tally);
  if (job.levels != nullptr) tally_turns(job, walk, targets, tally);
  if (walk.loops().empty()) return;
  tally.found.reachability.loops += walk.loops().size() * targets.size();
  tally.first_loop = std::min(tally.first_loop, targets.front());
}

void merge(Tally& all, const Tally& one) {
  ChoiceFindings& into = all.found;
  const ChoiceFindings& from = one.found;
  into.reachability.unreachable += from.reachability.unreachable;
  into.reachability.loops += from.reachability.loops;
  into.never += from.never;
  merge(into.most, from.most);
  merge(into.fewest, from.fewest);
  into.minimality.longer += from.minimality.longer;
  into.minimality.hops += from.minimality.hops;
  into.minimality.least_hops += from.minimality.least_hops;
  into.minimality.worst_excess =
      std::max(into.minimality.worst_excess, from.minimality.worst_excess);
  for (std::size_t i = 0; i < into.reachability.faults.size(); ++i) {
    TableFault& fault = into.reachability.faults[i];
    const TableFault& other = from.reachability.faults[i];
    fault.entries += other.entries;
    if (std::pair(other.first_target, other.first_switch) <
        std::pair(fault.first_target, fault.first_switch)) {
      fault.first_target = other.first_target;
      fault.first_switch = other.first_switch;
    }
  }
  into.risky += from.risky;
  if (from.first_risky &&
      (!into.first_risky || std::pair(from.first_risky->target, from.first_risky->at) <
                                std::pair(into.first_risky->target, into.first_risky->at))) {
    into.first_risky = from.first_risky;
  }
  if (into.up_down) {
    UpDown& turns = *into.up_down;
    turns.turning += from.up_down->turning;
    turns.horizontal += from.up_down->horizontal;
    if (std::pair(from.up_down->first_target, from.up_down->first_switch.value_or(kNone<Switch>)) <
        std::pair(turns.first_target, turns.first_switch.value_or(kNone<Switch>))) {
      turns.first_target = from.up_down->first_target;
      turns.first_switch = from.up_down->first_switch;
    }
  }
  all.first_loop = std::min(all.first_loop, one.first_loop);
  for (std::size_t k = 0; k < kKinds.size(); ++k) {
    all.first_lost[k] = std::min(all.first_lost[k], one.first_lost[k]);
  }
}

// The lowest source of the kind whose packets to the walk's target some choice loses.
LostPair lost_pair(const Fabric& fabric, const ChoiceWalk& walk, const Endpoint& destination,
                   bool from_terminal) {
  if (!from_terminal) {
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      if (endpoint(s) != destination && walk.fate(index(s)) != Fate::kArrives) {
        return {endpoint(s), destination};
      }
    }
  }
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (endpoint(t) == destination) continue;
    const Switch leaf = fabric.leaf(t);
    const bool arrives = leaf != kNone<Switch>
                             ? walk.fate(index(leaf)) == Fate::kArrives
                             : !destination.is_switch() &&
                                   fabric.terminal_at(fabric.peer(fabric.terminal_channel(t))) ==
                                       destination.terminal;
    if (!arrives) return {endpoint(t), destination};
  }
  return {};
}

PairCounts all_pairs(const Fabric& fabric, unsigned lmc) {
  const std::uint64_t t = fabric.num_terminals();
  const std::uint64_t s = fabric.num_switches();
  return {(t * one_less(t)) << lmc, t * s, (s * t) << lmc, s * one_less(s)};
}

}  // namespace

ChoiceFindings find_choices(const Model& model, const Routing& routing,
                            const TargetClasses& classes, int threads) {
  const Fabric& fabric = model.fabric();
  Job job{model,
          routing,
          classes,
          model.levels().is_tree() ? &model.levels() : nullptr,
          hop_counts(model.port_graph(), threads),
          terminals_on(fabric)};
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) == kNone<Switch>) ++job.loose;
  }
  const auto workers = static_cast<std::size_t>(thread_count(threads));
  std::vector<ChoiceWalk> walks(workers, ChoiceWalk(fabric, model.hop_map(), routing));
  std::vector<Tally> tallies(workers);
  for (Tally& tally : tallies) {
    if (job.levels != nullptr) tally.found.up_down.emplace();
  }
  parallel_for(
      classes.size(), threads,
      [&](std::size_t c, int thread) {
        judge(job, classes.of(c), walks[static_cast<std::size_t>(thread)],
              tallies[static_cast<std::size_t>(thread)]);
      },
      4);
  Tally& all = tallies.front();
  for (std::size_t w = 1; w < workers; ++w) merge(all, tallies[w]);
  ChoiceFindings found = std::move(all.found);
  Reachability& reach = found.reachability;
  reach.pairs = all_pairs(fabric, routing.tables.lmc());
  ChoiceWalk& walk = walks.front();
  if (reach.loops > 0) {
    walk.follow(all.first_loop);
    reach.first_loop = ForwardingLoop{all.first_loop, walk.loops().front()};
  }
  for (std::size_t k = 0; k < kKinds.size() && !reach.first_lost; ++k) {
    if (reach.unreachable.*kKinds[k] == 0) continue;
    walk.follow(all.first_lost[k]);
    reach.first_lost = lost_pair(fabric, walk, endpoint(routing.tables, all.first_lost[k]), k < 2);
  }
  return found;
}

}  // namespace fatwood
