// SPDX-License-Identifier: BSD-3-Clause
// What a repair spreads over further blocks: it stays within its blocks, all is proved again, loads
// are counted again pair by pair, and on small fabrics the result is the best of all tables.

#include "routing/improve/spread_blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/faults/fault_list.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "routing/repair/forced.hpp"
#include "topology/change/faults.hpp"
#include "verify/transition.hpp"
#include "verify/verify.hpp"

namespace fatwood {
namespace {

// The model after a loss: the same terminals count, so leaves stay leaves.
Model after_loss(const Model& whole, const std::vector<Channel>& cut) {
  ModelHints hints;
  for (const Terminal t : ids<Terminal>(whole.fabric().num_terminals())) hints.compute.push_back(t);
  return Model(with_faults(whole.fabric(), {.cut = cut, .removed = {}}), std::move(hints));
}

using Loads = std::map<std::uint32_t, int>;

// Every terminal sends to every other: the flows of each channel between switches.
Loads loads_of(const Fabric& fabric, const ForwardingTables& tables) {
  Loads loads;
  for (const Terminal to : ids<Terminal>(fabric.num_terminals())) {
    const std::span<const Port> row = tables.row(tables.destination(to));
    for (const Terminal from : ids<Terminal>(fabric.num_terminals())) {
      for (Switch s = fabric.leaf(from); s != fabric.leaf(to);) {
        const Channel c = fabric.channel(fabric.node(s), row[index(s)]);
        ++loads[index(c)];
        s = fabric.next_switch(c);
      }
    }
  }
  return loads;
}
int most_loaded(const Loads& loads) {
  int most = 0;
  for (const auto& [channel, load] : loads) most = std::max(most, load);
  return most;
}

using Blocks = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // switch, block
Blocks blocks_between(const ForwardingTables& a, const ForwardingTables& b, const Lids& lids) {
  Blocks blocks;
  for (const Destination destination : ids<Destination>(a.num_destinations())) {
    for (const Switch s : ids<Switch>(a.num_switches())) {
      if (a.at(destination, s) == b.at(destination, s)) continue;
      blocks.emplace(index(s), lid_block(lids.of(a, destination)));
    }
  }
  return blocks;
}

struct Spread {
  ForwardingTables plain;                // what must change
  std::vector<SpreadResult> results;     // for each number of spare blocks
  std::vector<ForwardingTables> tables;  // of these
};
Spread spread_after(const Model& model, const ForwardingTables& old, const Lids& lids,
                    const std::vector<std::uint64_t>& spare) {
  const Repaired plain = keep_what_can_stay(model, old, 1);
  TablesInUse in_use(model, plain.tables, 1);
  std::vector<TableEntry> sent = plain.forced;
  sent.insert(sent.end(), plain.dropped.begin(), plain.dropped.end());
  auto results = spread_blocks(in_use, lids, sent, {.spare_blocks = spare});
  EXPECT_TRUE(results.has_value());
  Spread spread{plain.tables, std::move(*results), {}};
  for (const SpreadResult& result : spread.results) {
    spread.tables.push_back(spread.plain);
    for (const EntryChange& move : result.moves) {
      spread.tables.back().row(move.destination)[index(move.at)] = move.port;
    }
  }
  EXPECT_EQ(blocks_between(spread.tables.back(), in_use.tables(), lids).size(), 0U);
  return spread;
}

TEST(SpreadBlocks, KeepsToItsBlocksAndIsProved) {
  const std::vector<std::uint64_t> spare = {0, 3, 12};
  std::size_t relieved = 0, cuts = 0;
  for (const char* spec : {"pgft(3;4,4,4;1,4,2;1,1,2)", "pgft(3;6,6,4;1,6,3;1,1,2)",
                           "pgft(2;24,4;1,2;1,6)", "xgft(3;3,3,4;1,3,3)"}) {
    const Model whole(make_fabric(spec));
    const Lids lids = assign_lids(whole.fabric(), 0);
    for (const char* engine : {"even", "sftree", "updn"}) {
      const ForwardingTables old = route(find_engine(engine), whole).tables;
      const std::vector<Fault> cables = single_cables(whole);
      for (std::size_t i = 0; i < cables.size(); i += cables.size() / 5) {
        const std::string what = std::string(spec) + ' ' + engine + ' ' + std::to_string(i);
        const Model model = after_loss(whole, cables[i].cut);
        const Spread spread = spread_after(model, old, lids, spare);
        const int before = most_loaded(loads_of(model.fabric(), spread.plain));
        const std::size_t forced = blocks_between(old, spread.plain, lids).size();
        ASSERT_EQ(spread.results.size(), spare.size());
        for (std::size_t k = 0; k < spare.size(); ++k) {
          const ForwardingTables& now = spread.tables[k];
          EXPECT_LE(spread.results[k].spare_blocks, spare[k]) << what;
          EXPECT_LE(blocks_between(old, now, lids).size(), forced + spread.results[k].spare_blocks)
              << what;
          Routing routing;
          routing.tables = now;
          const Verdict verdict = verify(model, routing, {.threads = 1});
          EXPECT_EQ(verdict.reachability.loops, 0U) << what;
          EXPECT_TRUE(verdict.deadlock.free()) << what;
          EXPECT_EQ(find_legal_but_lost(model.fabric(), routing, model.levels()).total(), 0U)
              << what;
          EXPECT_EQ(find_transition(model, spread.plain, now, 1).safety, Safety::kAnyOrder) << what;
        }
        const int after = most_loaded(loads_of(model.fabric(), spread.tables.back()));
        EXPECT_LE(after, before) << what;
        relieved += after < before ? 1U : 0U;
        ++cuts;
      }
    }
  }
  EXPECT_GT(relieved * 2, cuts);
}

// All tables of a tree with two levels in which only some switches may change their entries.
class AllTables {
 public:
  AllTables(const Model& model, ForwardingTables tables, const std::set<std::uint32_t>& open)
      : fabric_(model.fabric()), tables_(std::move(tables)) {
    for (const Terminal to : ids<Terminal>(fabric_.num_terminals())) {
      const Switch home = fabric_.leaf(to);
      std::vector<Loads> choices;
      choose(to, home, open, 0, choices);
      std::ranges::sort(choices);
      choices.erase(std::ranges::unique(choices).begin(), choices.end());
      choices_.push_back(std::move(choices));
    }
  }
  // The least load of the most loaded channel.
  int best() {
    best_ = 1 << 20;
    Loads none;
    add(0, none);
    return best_;
  }

 private:
  // Lists the loads of all rows of a destination, deciding switch by switch.
  void choose(Terminal to, Switch home, const std::set<std::uint32_t>& open, std::uint32_t s,
              std::vector<Loads>& choices) {
    const std::span<Port> row = tables_.row(tables_.destination(to));
    if (s == row.size()) {
      Loads loads;
      for (const Terminal from : ids<Terminal>(fabric_.num_terminals())) {
        for (Switch at = fabric_.leaf(from); at != home;) {
          const Channel c = fabric_.channel(fabric_.node(at), row[index(at)]);
          ++loads[index(c)];
          at = fabric_.next_switch(c);
        }
      }
      return choices.push_back(std::move(loads));
    }
    if (!open.contains(s) || Switch{s} == home) return choose(to, home, open, s + 1, choices);
    const Port kept = row[s];
    const bool leaf = is_leaf(Switch{s});
    for (std::uint32_t p = 1; p <= fabric_.ports(fabric_.node(Switch{s})); ++p) {
      const Channel c =
          fabric_.channel(fabric_.node(Switch{s}), Port{static_cast<std::uint8_t>(p)});
      if (!fabric_.between_switches(c)) continue;
      const Switch next = fabric_.next_switch(c);
      if (leaf ? !reaches(next, home) : next != home) continue;
      row[s] = Port{static_cast<std::uint8_t>(p)};
      choose(to, home, open, s + 1, choices);
    }
    row[s] = kept;
  }
  bool is_leaf(Switch s) const {
    return std::ranges::any_of(ids<Terminal>(fabric_.num_terminals()),
                               [&](Terminal t) { return fabric_.leaf(t) == s; });
  }
  bool reaches(Switch spine, Switch home) const {
    for (std::uint32_t p = 1; p <= fabric_.ports(fabric_.node(spine)); ++p) {
      const Channel c = fabric_.channel(fabric_.node(spine), Port{static_cast<std::uint8_t>(p)});
      if (fabric_.between_switches(c) && fabric_.next_switch(c) == home) return true;
    }
    return false;
  }
  void add(std::size_t row, const Loads& so_far) {
    const int most = most_loaded(so_far);
    if (most >= best_) return;
    if (row == choices_.size()) {
      best_ = most;
      return;
    }
    for (const Loads& choice : choices_[row]) {
      Loads sum = so_far;
      for (const auto& [channel, load] : choice) sum[channel] += load;
      add(row + 1, sum);
    }
  }

  const Fabric& fabric_;
  ForwardingTables tables_;
  std::vector<std::vector<Loads>> choices_;
  int best_ = 0;
};

// Fewer than 64 LIDs: a block is a switch.
TEST(SpreadBlocks, IsTheBestOfAllTablesOnSmallFabrics) {
  std::size_t best = 0, all = 0;
  for (const char* spec : {"pgft(2;3,2;1,2;1,2)", "pgft(2;2,3;1,2;1,2)"}) {
    const Model whole(make_fabric(spec));
    const Lids lids = assign_lids(whole.fabric(), 0);
    for (const char* engine : {"even", "sftree", "minhop"}) {
      const ForwardingTables old = route(find_engine(engine), whole).tables;
      for (const Fault& cable : single_cables(whole)) {
        const Model model = after_loss(whole, cable.cut);
        const Spread spread = spread_after(model, old, lids, {0, 1});
        std::set<std::uint32_t> sent;
        for (const auto& [s, block] : blocks_between(old, spread.plain, lids)) sent.insert(s);
        int least = AllTables(model, spread.plain, sent).best();
        const int none = most_loaded(loads_of(model.fabric(), spread.tables[0]));
        EXPECT_GE(none, least);
        best += none == least ? 1U : 0U;
        for (std::uint32_t s = 0; s < old.num_switches(); ++s) {
          std::set<std::uint32_t> open = sent;
          if (open.insert(s).second) {
            least = std::min(least, AllTables(model, spread.plain, open).best());
          }
        }
        const int one = most_loaded(loads_of(model.fabric(), spread.tables[1]));
        EXPECT_GE(one, least);
        EXPECT_LE(2 * one, 3 * least);
        best += one == least ? 1U : 0U;
        all += 2;
      }
    }
  }
  EXPECT_GE(best * 100, all * 85);
}

}  // namespace
}  // namespace fatwood
