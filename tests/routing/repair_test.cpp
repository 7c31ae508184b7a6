// SPDX-License-Identifier: BSD-3-Clause
// Repaired tables: legal, whole, and no entry changed that could stay, held against all tables of
// small fabrics.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "routing/repair/changes.hpp"
#include "routing/repair/forced.hpp"
#include "topology/change/faults.hpp"
#include "verify/transition.hpp"
#include "verify/verify.hpp"

namespace fatwood {
namespace {

Fabric cut(const Fabric& fabric, const std::string& what, std::uint64_t seed,
           Connection connection = Connection::kKept) {
  const std::vector<FaultRequest> orders = {{FaultKind::kCut, what, {}}};
  return with_faults(fabric, find_faults(fabric, orders, {seed, connection}));
}

// Every switch that any legal path joins to the destination arrives, and no packet goes down, then
// up.
struct Rule {
  const Model& model;

  int direction(std::uint32_t from, std::uint32_t to) const {
    return static_cast<int>(model.levels().level[Switch{to}]) -
           static_cast<int>(model.levels().level[Switch{from}]);
  }
  // Switches with a legal path, by a search over (switch, still going up).
  std::vector<bool> legal_sources(Switch home) const {
    const std::size_t n = model.fabric().num_switches();
    std::vector<bool> found(n);
    for (std::uint32_t s = 0; s < n; ++s) found[s] = reaches(s, index(home), true, 0);
    return found;
  }
  bool reaches(std::uint32_t at, std::uint32_t home, bool upward, unsigned depth) const {
    if (at == home) return true;
    if (depth > 2U * model.levels().height) return false;
    const PortGraph& graph = model.port_graph();
    for (const Switch to : graph.neighbours(Switch{at})) {
      const std::uint32_t next = index(to);
      const int step = direction(at, next);
      if (step > 0 && upward && reaches(next, home, true, depth + 1)) return true;
      if (step < 0 && reaches(next, home, false, depth + 1)) return true;
    }
    return false;
  }
  bool holds(std::span<const Port> row, Switch home, const std::vector<bool>& sources) const {
    for (std::uint32_t s = 0; s < row.size(); ++s) {
      std::uint32_t at = s;
      bool fell = false;
      std::size_t hops = 0;
      while (at != index(home)) {
        const Hop hop = model.hop_map().at(at, row[at]);
        if (!hop.to_switch() || ++hops > row.size()) break;
        const int step = direction(at, hop.next());
        if (step == 0 || (step > 0 && fell)) return false;
        fell = fell || step < 0;
        at = hop.next();
      }
      if (at != index(home) && sources[s]) return false;
    }
    return true;
  }
};

// The least number of entries to change, over all rows there are.
std::size_t least_changes(const Rule& rule, std::span<const Port> old, Switch home) {
  const std::vector<bool> sources = rule.legal_sources(home);
  std::vector<Port> row(old.begin(), old.end());
  std::size_t best = old.size() + 1;
  const std::function<void(std::uint32_t, std::size_t)> choose = [&](std::uint32_t s,
                                                                     std::size_t changed) {
    if (changed >= best) return;
    if (s == old.size()) {
      if (rule.holds(row, home, sources)) best = changed;
      return;
    }
    row[s] = old[s];
    choose(s + 1, changed);
    if (s == index(home)) return;
    const PortGraph& graph = rule.model.port_graph();
    for (const Trunk g : graph.trunks(Switch{s})) {
      row[s] = graph.ports(g).front();
      if (row[s] != old[s]) choose(s + 1, changed + 1);
    }
    row[s] = old[s];
  };
  choose(0, 0);
  return best;
}

TEST(Repair, ChangesTheFewestEntriesOfAllLegalTables) {
  for (const char* spec : {"xgft(2;2,3;1,3)", "xgft(2;2,2;1,2)", "pgft(2;2,3;1,2;1,2)"}) {
    const Fabric whole = make_fabric(spec);
    const Routing old = route(find_engine("ftree"), Model(whole));
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      for (const char* what : {"1", "2"}) {
        const Model model(cut(whole, what, seed, Connection::kMayBreak));
        const Repaired repaired = keep_what_can_stay(model, old.tables);
        const Rule rule{model};
        for (const Destination destination : ids<Destination>(old.tables.num_destinations())) {
          const Switch home = old.tables.is_switch(destination)
                                  ? old.tables.as_switch(destination)
                                  : model.fabric().leaf(old.tables.terminal(destination));
          const auto forced = static_cast<std::size_t>(
              std::ranges::count(repaired.forced, destination,
                                 [](const TableEntry& entry) { return entry.destination; }));
          EXPECT_EQ(forced, least_changes(rule, old.tables.row(destination), home))
              << spec << " seed " << seed << " cut " << what << " target " << index(destination);
          EXPECT_TRUE(rule.holds(repaired.tables.row(destination), home, rule.legal_sources(home)));
        }
      }
    }
  }
}

TEST(Repair, LargerTreesStayWholeFreeOfDeadlockAndSafeToRewrite) {
  for (const char* spec : {"ft(8,3)", "pgft(3;4,4,4;1,4,2;1,1,2)", "xgft(3;4,4,8;1,4,4)"}) {
    const Fabric fabric = make_fabric(spec);
    const Routing old = route(find_engine("ftree"), Model(fabric));
    for (const char* what : {"1", "3%", "8%"}) {
      const Model model(cut(fabric, what, 7));
      const Repaired repaired = keep_what_can_stay(model, old.tables);
      Routing routing;
      routing.tables = repaired.tables;
      const Verdict verdict = verify(model, routing);
      EXPECT_TRUE(verdict.deadlock.free()) << spec << ' ' << what;
      EXPECT_EQ(verdict.reachability.loops, 0U);
      EXPECT_EQ(find_legal_but_lost(model.fabric(), routing, model.levels()).total(), 0U)
          << spec << ' ' << what;
      // On a PGFT, however damaged, all legal tables agree on directions.
      EXPECT_EQ(find_transition(model, old.tables, repaired.tables).safety, Safety::kAnyOrder);
      const Routing fresh = route(find_engine("ftree"), model);
      const Lids lids = assign_lids(model.fabric(), 0);
      EXPECT_LT(table_changes(model, old.tables, repaired.tables, lids).entries,
                table_changes(model, old.tables, fresh.tables, lids).entries);
    }
  }
}

TEST(Repair, TheSameFabricChangesNothingAndThreadsDoNotMatter) {
  const Fabric fabric = make_fabric("ft(8,3)");
  const Routing old = route(find_engine("sftree"), Model(fabric));
  const Repaired same = keep_what_can_stay(Model(fabric), old.tables);
  EXPECT_TRUE(same.forced.empty());
  EXPECT_EQ(same.tables, old.tables);
  const Model damaged(cut(fabric, "5%", 3));
  EXPECT_EQ(keep_what_can_stay(damaged, old.tables, 1).tables,
            keep_what_can_stay(damaged, old.tables, 3).tables);
}

TEST(TableChanges, CountEntriesBlocksAndPairs) {
  const Fabric fabric = make_fabric("ft(4,2)");
  const Model model(fabric);
  const Routing old = route(find_engine("ftree"), model);
  ForwardingTables now = old.tables;
  const Lids lids = assign_lids(fabric, 0);
  EXPECT_EQ(table_changes(model, old.tables, now, lids).entries, 0U);
  EXPECT_EQ(table_changes(model, old.tables, now, lids).pairs, 0U);
  // One leaf sends one remote host's packets by its other up-port: its two hosts are disturbed.
  const Destination destination = now.destination(Terminal{7});
  Port& entry = now.row(destination)[0];
  entry = entry == Port{3} ? Port{4} : Port{3};
  const TableChanges changes = table_changes(model, old.tables, now, lids);
  EXPECT_EQ(changes.entries, 1U);
  EXPECT_EQ(changes.blocks, 1U);
  EXPECT_EQ(changes.entries_at[Switch{0}], 1U);
  EXPECT_EQ(changes.pairs, 2U);
  EXPECT_EQ(changes.all_pairs, 56U);
}

}  // namespace
}  // namespace fatwood
