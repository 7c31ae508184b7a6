#include "verify/up_down.hpp"

#include <algorithm>
#include <vector>

#include "core/parallel.hpp"
#include "routing/target_tree.hpp"
#include "topology/leaves.hpp"

namespace fatwood {

namespace {

// What the route from a switch to the target at hand has in it.
enum Rest : std::uint8_t { kUp = 1, kTurn = 2, kHorizontal = 4 };

struct Worker {
  TargetTree tree;
  std::vector<std::uint8_t> rest;  // Rest, of each switch
  UpDown found;
};

std::uint8_t rest_of(const Levels& levels, std::uint32_t from, std::uint32_t to,
                     std::uint8_t onwards) {
  const Level here = levels.level[static_cast<Switch>(from)];
  const Level there = levels.level[static_cast<Switch>(to)];
  if (there > here) return onwards | kUp;
  if (there == here) return onwards | kHorizontal;
  return (onwards & kUp) != 0 ? onwards | kTurn : onwards;
}

}  // namespace

UpDown find_turns(const Fabric& fabric, const Routing& routing, const Levels& levels, int threads) {
  const HopMap map(fabric);
  const Table<Switch, std::uint32_t> on = terminals_on(fabric);
  std::vector<Worker> workers(
      static_cast<std::size_t>(thread_count(threads)),
      Worker{TargetTree(fabric, map), std::vector<std::uint8_t>(fabric.num_switches()), {}});
  parallel_for(
      routing.tables.num_targets(), threads,
      [&](std::size_t item, int thread) {
        const auto target = static_cast<Target>(item);
        auto& [tree, rest, found] = workers[static_cast<std::size_t>(thread)];
        tree.follow(routing.tables, target);
        for (const std::uint32_t s : tree.reached()) {
          if (tree.hops(s) == 0) {
            rest[s] = 0;
            continue;
          }
          const std::uint32_t next = tree.hop(s).next();
          rest[s] = rest_of(levels, s, next, rest[next]);
          if ((rest[s] & (kTurn | kHorizontal)) == 0) continue;
          const auto from = static_cast<Switch>(s);
          const PairCounts pairs = pairs_from(on[from], routing.tables, target, Place::kElsewhere);
          if ((rest[s] & kHorizontal) != 0) found.horizontal += pairs;
          if ((rest[s] & kTurn) == 0) continue;
          found.turning += pairs;
          if (std::pair(target, from) <
              std::pair(found.first_target, found.first_switch.value_or(kNone<Switch>))) {
            found.first_target = target;
            found.first_switch = from;
          }
        }
      },
      16);
  UpDown all = workers.front().found;
  for (std::size_t w = 1; w < workers.size(); ++w) {
    const UpDown& one = workers[w].found;
    all.turning += one.turning;
    all.horizontal += one.horizontal;
    if (one.first_target >= all.first_target) continue;
    all.first_target = one.first_target;
    all.first_switch = one.first_switch;
  }
  return all;
}

}  // namespace fatwood
