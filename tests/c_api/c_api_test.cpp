// SPDX-License-Identifier: BSD-3-Clause
// The C interface compared with the C++ behind it: the same tables, levels and hops in whatever
// order a fabric is described; errors as texts; and every call survives running out of memory.

#include <fatwood/c.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <new>
#include <set>
#include <utility>

#include "../../opensm/options.h"
#include "core/random.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "routing/repair/forced.hpp"
#include "support/fabrics.hpp"
#include "topology/change/faults.hpp"
#include "topology/model.hpp"

namespace {
// How many more allocations succeed.
std::atomic<std::int64_t> allocations_left{std::numeric_limits<std::int64_t>::max()};
}  // namespace

// The whole family, so that the address sanitizer meets no memory of its own in these; not inlined,
// so that GCC sees no free() of what new gave.
// NOLINTBEGIN(misc-new-delete-overloads)
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (allocations_left.fetch_sub(1) <= 0) throw std::bad_alloc();
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
void operator delete[](void* memory) noexcept { operator delete(memory); }
void operator delete[](void* memory, std::size_t) noexcept { operator delete(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { operator delete(memory); }
// NOLINTEND(misc-new-delete-overloads)

namespace fatwood {
namespace {

struct Free {
  void operator()(fatwood_fabric* fabric) const { fatwood_fabric_free(fabric); }
  void operator()(fatwood_routes* routes) const { fatwood_routes_free(routes); }
};
using CFabric = std::unique_ptr<fatwood_fabric, Free>;
using CRoutes = std::unique_ptr<fatwood_routes, Free>;

// LIDs as a manager would give them: switches have the low ones.
std::uint16_t lid(const Fabric& fabric, Switch s) {
  (void)fabric;
  return static_cast<std::uint16_t>(7 + index(s));
}
std::uint16_t lid(const Fabric& fabric, Terminal t, unsigned lmc) {
  return static_cast<std::uint16_t>((((7 + fabric.num_switches()) >> lmc) + 1 + index(t)) << lmc);
}

// Describes a fabric in random order; empty if a call failed.
CFabric build(const Fabric& fabric, std::uint64_t seed, unsigned lmc, fatwood_error* error) {
  CFabric built(fatwood_fabric_new());
  if (!built) return nullptr;
  std::vector<std::uint32_t> handle(fabric.num_nodes());
  std::uint32_t next = 0;
  for (const std::uint32_t n :
       Random(seed).permutation(static_cast<std::uint32_t>(fabric.num_nodes()))) {
    const auto node = static_cast<Node>(n);
    const std::string name(fabric.id(node));
    const fatwood_node one{.kind = fabric.is_switch(node) ? FATWOOD_SWITCH : FATWOOD_ADAPTER,
                           .ports = static_cast<std::uint8_t>(fabric.ports(node)),
                           .guid = fabric.guid(node),
                           .system_guid = 0,
                           .vendor = 0,
                           .device = 0,
                           .description = name.c_str()};
    if (fatwood_add_node(built.get(), &one, error) != 0) return nullptr;
    handle[n] = next++;
  }
  for (const std::uint32_t slot :
       Random(seed, 1).permutation(static_cast<std::uint32_t>(fabric.num_channels()))) {
    const auto c = static_cast<Channel>(slot);
    if (!fabric.connected(c) || fabric.peer(c) < c) continue;
    const Channel d = fabric.peer(c);
    if (fatwood_connect(built.get(), handle[index(fabric.owner(c))],
                        static_cast<std::uint8_t>(fabric.port(c)), handle[index(fabric.owner(d))],
                        static_cast<std::uint8_t>(fabric.port(d)), error) != 0) {
      return nullptr;
    }
  }
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const Channel c = fabric.terminal_channel(t);
    if (fatwood_set_address(built.get(), handle[index(fabric.owner(c))],
                            static_cast<std::uint8_t>(fabric.port(c)), fabric.address(t).guid,
                            lid(fabric, t, lmc), static_cast<std::uint8_t>(lmc), error) != 0) {
      return nullptr;
    }
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    if (fatwood_set_address(built.get(), handle[index(fabric.node(s))], 0, fabric.address(s).guid,
                            lid(fabric, s), 0, error) != 0) {
      return nullptr;
    }
  }
  return built;
}

constexpr std::size_t kSize = 1024;  // entries of a table

struct Tables {
  std::vector<std::vector<std::uint8_t>> of;
  std::vector<std::uint8_t*> pointers;

  explicit Tables(std::size_t switches) : of(switches, std::vector<std::uint8_t>(kSize, 77)) {
    for (auto& table : of) pointers.push_back(table.data());
  }
};

struct Case {
  std::string spec;
  std::string engine;
  unsigned lmc;
};

class SameAsInside : public testing::TestWithParam<Case> {
 protected:
  const Model model_{make_fabric(GetParam().spec)};
  const Fabric& fabric_ = model_.fabric();
  const unsigned lmc_ = GetParam().lmc;
  const Routing inside_ = route(find_engine(GetParam().engine), model_, {.lmc = lmc_});

  CRoutes routed(std::uint64_t seed) {
    fatwood_error error{};
    const CFabric built = build(fabric_, seed, lmc_, &error);
    EXPECT_TRUE(built) << error.text;
    const fatwood_options options{.lmc = lmc_,
                                  .max_lanes = 8,
                                  .manager_guid = 0,
                                  .roots_file = nullptr,
                                  .compute_file = nullptr,
                                  .order_file = nullptr,
                                  .seconds = 0};
    CRoutes routes(fatwood_route(built.get(), GetParam().engine.c_str(), &options, &error));
    EXPECT_TRUE(routes) << error.text;
    return routes;
  }
  // Every address with its destination.
  std::vector<std::pair<std::uint16_t, Destination>> addresses() const {
    std::vector<std::pair<std::uint16_t, Destination>> all;
    for (const Terminal t : ids<Terminal>(fabric_.num_terminals())) {
      for (std::uint32_t offset = 0; offset < 1U << lmc_; ++offset) {
        all.emplace_back(lid(fabric_, t, lmc_) + offset, inside_.tables.destination(t, offset));
      }
    }
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      all.emplace_back(lid(fabric_, s), inside_.tables.destination(s));
    }
    return all;
  }
};

TEST_P(SameAsInside, Tables) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const CRoutes routes = routed(seed);
    ASSERT_TRUE(routes);
    ASSERT_EQ(fatwood_switch_count(routes.get()), fabric_.num_switches());
    Tables tables(fabric_.num_switches());
    fatwood_error error{};
    ASSERT_EQ(fatwood_write_tables(routes.get(), tables.pointers.data(), kSize, &error), 0);
    std::vector<Destination> destination(kSize, kNone<Destination>);
    for (const auto& [at, to] : addresses()) destination[at] = to;
    std::size_t end = kSize;
    while (destination[end - 1] == kNone<Destination>) --end;
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      EXPECT_EQ(fatwood_switch_guid(routes.get(), index(s)), fabric_.guid(fabric_.node(s)));
      EXPECT_EQ(fatwood_switch_lid(routes.get(), index(s)), lid(fabric_, s));
      for (std::size_t at = 0; at < kSize; ++at) {
        const Port expected = at >= end ? Port{77}
                              : destination[at] == kNone<Destination>
                                  ? kNoRoute
                                  : inside_.tables.at(destination[at], s);
        ASSERT_EQ(Port{tables.of[index(s)][at]}, expected)
            << "LID " << at << " at switch " << index(s);
      }
    }
  }
}

TEST_P(SameAsInside, ServiceLevels) {
  const CRoutes routes = routed(3);
  ASSERT_TRUE(routes);
  EXPECT_EQ(fatwood_lane_count(routes.get()), inside_.lanes.count);
  for (const auto& [from, source] : addresses()) {
    const Switch start = inside_.tables.is_switch(source)
                             ? inside_.tables.as_switch(source)
                             : fabric_.leaf(inside_.tables.terminal(source));
    for (const auto& [to, destination] : addresses()) {
      EXPECT_EQ(fatwood_service_level(routes.get(), from, to),
                inside_.lanes.at(destination, start));
    }
  }
  EXPECT_EQ(fatwood_service_level(routes.get(), 0, 7), 0U);
  EXPECT_EQ(fatwood_service_level(routes.get(), 7, 0xffff), 0U);
}

INSTANTIATE_TEST_SUITE_P(
    CInterface, SameAsInside,
    testing::Values(Case{"ft(4,3)", "sftree", 0}, Case{"ft(4,3)", "minhop", 2},
                    Case{"torus(4,5)", "dfsssp", 0}, Case{"torus(4,5)", "lash", 0},
                    Case{"xgft(2;4,3;2,2)", "updn+", 1}, Case{"xgft(2;4,3;2,2)", "sftree", 1},
                    Case{"xgft(2;4,3;2,2)", "even", 0}, Case{"random(20,50)", "bfot+", 0}));

TEST(CInterface, HopsAreThoseOfAWalkFromEachSwitch) {
  const Fabric fabric = make_fabric("random(20,40,seed=9)");
  const std::size_t n = fabric.num_switches();
  fatwood_error error{};
  const CFabric built = build(fabric, 4, 0, &error);
  const CRoutes routes(fatwood_route(built.get(), "minhop", nullptr, &error));
  ASSERT_TRUE(routes) << error.text;
  std::vector<std::vector<std::uint8_t*>> rows(n, std::vector<std::uint8_t*>(7 + n));
  std::vector<std::uint8_t**> hops;
  std::vector<std::uint8_t> ports;
  for (const Switch s : ids<Switch>(n)) {
    hops.push_back(rows[index(s)].data());
    ports.push_back(static_cast<std::uint8_t>(fabric.ports(fabric.node(s)) + 1));
  }
  ASSERT_EQ(fatwood_write_hops(routes.get(), hops.data(), ports.data(), &error), 0);
  for (const Switch d : ids<Switch>(n)) {
    Table<Switch, unsigned> far(n, 255);
    std::vector<Switch> queue{d};
    far[d] = 0;
    const auto next = [&](Switch s, std::uint32_t p) {  // kNone: no switch
      const Channel c = fabric.channel(fabric.node(s), static_cast<Port>(p));
      const bool leads = fabric.connected(c) && fabric.is_switch(fabric.neighbour(c));
      return leads ? fabric.as_switch(fabric.neighbour(c)) : kNone<Switch>;
    };
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (std::uint32_t p = 1; p <= fabric.ports(fabric.node(queue[i])); ++p) {
        const Switch s = next(queue[i], p);
        if (s == kNone<Switch> || far[s] != 255) continue;
        far[s] = far[queue[i]] + 1;
        queue.push_back(s);
      }
    }
    for (const Switch s : ids<Switch>(n)) {
      const std::uint8_t* const row = rows[index(s)][lid(fabric, d)];
      ASSERT_EQ(row[0], far[s]);
      for (std::uint32_t p = 1; p <= fabric.ports(fabric.node(s)); ++p) {
        const Switch over = next(s, p);
        const bool nearer = over != kNone<Switch> && far[over] + 1 == far[s];
        EXPECT_EQ(row[p], nearer ? far[s] : 255);
      }
    }
  }
  for (auto& of_switch : rows) {
    for (std::uint8_t* const row : of_switch) std::free(row);
  }
}

// Tables of a complete tree in the switches, and new routes without some of its cables.
class KeepOld : public testing::Test {
 protected:
  const Fabric whole_ = make_fabric("pgft(2;4,4;1,4;1,1)");
  // Two cables of one leaf, one of another.
  const Fabric cut_ = with_faults(whole_, {.cut = {up(0, 0), up(0, 1), up(1, 2)}, .removed = {}});
  Tables old_{whole_.num_switches()};
  std::vector<const std::uint8_t*> in_switches_;
  CRoutes routes_;

  Channel up(std::uint32_t leaf, std::uint32_t at) const {
    return whole_.channel(whole_.node(Switch{leaf}), static_cast<Port>(1 + at));
  }
  void SetUp() override {
    fatwood_error error{};
    const CRoutes first = routed(whole_);
    ASSERT_EQ(fatwood_write_tables(first.get(), old_.pointers.data(), kSize, &error), 0);
    in_switches_.assign(old_.pointers.begin(), old_.pointers.end());
    routes_ = routed(cut_);
  }
  static CRoutes routed(const Fabric& fabric, const char* engine = "ftree") {
    fatwood_error error{};
    const CFabric built = build(fabric, 3, 0, &error);
    CRoutes routes(fatwood_route(built.get(), engine, nullptr, &error));
    EXPECT_TRUE(routes) << error.text;
    return routes;
  }
  fatwood_kept keep(const fatwood_keep_options* options) {
    fatwood_error error{};
    fatwood_kept kept{};
    routes_.reset(fatwood_keep(routes_.get(), in_switches_.data(), kSize, options, &kept, &error));
    EXPECT_TRUE(routes_) << error.text;
    return kept;
  }
  std::size_t blocks_written_differently() {
    Tables now(whole_.num_switches());
    fatwood_error error{};
    EXPECT_EQ(fatwood_write_tables(routes_.get(), now.pointers.data(), kSize, &error), 0);
    std::set<std::pair<std::size_t, std::size_t>> blocks;
    for (std::size_t s = 0; s < now.of.size(); ++s) {
      for (std::size_t at = 0; at < kSize; ++at) {
        if (now.of[s][at] != old_.of[s][at]) blocks.insert({s, at / 64});
      }
    }
    return blocks.size();
  }
  std::size_t written_differently() {
    Tables now(whole_.num_switches());
    fatwood_error error{};
    EXPECT_EQ(fatwood_write_tables(routes_.get(), now.pointers.data(), kSize, &error), 0);
    std::size_t count = 0;
    for (std::size_t s = 0; s < now.of.size(); ++s) {
      for (std::size_t at = 0; at < kSize; ++at) count += now.of[s][at] != old_.of[s][at] ? 1U : 0U;
    }
    return count;
  }
};

TEST_F(KeepOld, MakesNewRoutesAndLeavesThoseGivenAlone) {
  Tables before(whole_.num_switches()), after(whole_.num_switches());
  fatwood_error error{};
  ASSERT_EQ(fatwood_write_tables(routes_.get(), before.pointers.data(), kSize, &error), 0);
  fatwood_kept kept{};
  CRoutes result(fatwood_keep(routes_.get(), in_switches_.data(), kSize, nullptr, &kept, &error));
  ASSERT_TRUE(result) << error.text;
  ASSERT_EQ(fatwood_write_tables(routes_.get(), after.pointers.data(), kSize, &error), 0);
  EXPECT_EQ(before.of, after.of);
  routes_ = std::move(result);  // frees those given
  ASSERT_EQ(fatwood_write_tables(routes_.get(), after.pointers.data(), kSize, &error), 0);
  EXPECT_NE(before.of, after.of);
}

TEST_F(KeepOld, WithoutOptionsOnlyWhatMustChangeDoes) {
  const fatwood_kept kept = keep(nullptr);
  EXPECT_EQ(kept.taken, FATWOOD_KEPT);
  EXPECT_EQ(kept.entries, written_differently());
  EXPECT_EQ(kept.blocks, blocks_written_differently());
  EXPECT_LT(kept.blocks, kept.entries);  // some block has several
  const Model model(cut_);
  const Routing before = route(find_engine("ftree"), Model(whole_));
  const Repaired least = keep_what_can_stay(model, before.tables);
  EXPECT_EQ(kept.entries, least.forced.size() + least.dropped.size());
  EXPECT_EQ(kept.drift, 0);
  EXPECT_EQ(kept.held, 0U);
}

TEST_F(KeepOld, SpareBlocksMakeItMoreEvenAndALimitOfDriftTakesNewRoutes) {
  const fatwood_keep_options built{
      .rebalance = 0, .spare_blocks = 0, .most_drift = 1000, .before = nullptr};
  const double plain = keep(&built).drift;
  routes_ = routed(cut_);
  const fatwood_keep_options even{
      .rebalance = 1, .spare_blocks = 8, .most_drift = 1000, .before = nullptr};
  const fatwood_kept evened = keep(&even);
  EXPECT_GE(plain, evened.drift);
  EXPECT_LE(evened.spare_blocks, 8U);
  EXPECT_EQ(evened.taken, FATWOOD_KEPT);
  // Without spare blocks a repair of these cuts is less even than new routes.
  ASSERT_GT(plain, 1.01);
  routes_ = routed(cut_);
  const fatwood_keep_options strict{
      .rebalance = 0, .spare_blocks = 0, .most_drift = 1, .before = nullptr};
  const fatwood_kept anew = keep(&strict);
  EXPECT_EQ(anew.taken, FATWOOD_NEW_UNEVEN);
  EXPECT_EQ(anew.drift, plain);
  EXPECT_EQ(anew.entries, written_differently());
  Tables now(whole_.num_switches()), fresh(whole_.num_switches());
  fatwood_error error{};
  ASSERT_EQ(fatwood_write_tables(routes_.get(), now.pointers.data(), kSize, &error), 0);
  ASSERT_EQ(fatwood_write_tables(routed(cut_).get(), fresh.pointers.data(), kSize, &error), 0);
  EXPECT_EQ(now.of, fresh.of);
}

TEST_F(KeepOld, ALimitForJobsSendsMoreBlocksAndThenTakesNewRoutes) {
  const Fabric tree = make_fabric("pgft(3;12,6,4;1,6,6;1,2,1)");
  const Channel lost = tree.channel(tree.node(Switch{3}), Port{7});  // to a spine
  const Fabric now = with_faults(tree, {.cut = {lost}, .removed = {}});
  Tables before(tree.num_switches());
  fatwood_error error{};
  ASSERT_EQ(fatwood_write_tables(routed(tree, "even").get(), before.pointers.data(), kSize, &error),
            0);
  in_switches_.assign(before.pointers.begin(), before.pointers.end());
  const auto kept_within = [&](double most, int rebalance) {
    routes_ = routed(now, "even");
    const fatwood_keep_options options{
        .rebalance = rebalance, .spare_blocks = 0, .most_drift = most, .before = nullptr};
    return keep(&options);
  };
  // The slowest pair loses a fifth if only what must change does.
  const fatwood_kept plain = kept_within(0.999, 0);
  EXPECT_EQ(plain.taken, FATWOOD_KEPT);
  EXPECT_GT(plain.drift, 0.15);
  const fatwood_kept loose = kept_within(plain.drift + 1e-9, 1);
  EXPECT_EQ(loose.blocks, plain.blocks);
  EXPECT_EQ(loose.spare_blocks, 0U);
  EXPECT_EQ(loose.drift, plain.drift);
  const fatwood_kept strict = kept_within(0.05, 1);
  EXPECT_EQ(strict.taken, FATWOOD_KEPT);
  EXPECT_LE(strict.drift, 0.05);
  EXPECT_GT(strict.spare_blocks, 0U);
  EXPECT_LE(strict.spare_blocks, 7 * plain.blocks);
  EXPECT_LE(strict.blocks, plain.blocks + strict.spare_blocks);
  // Without leave to move entries the limit alone counts.
  const fatwood_kept anew = kept_within(0.05, 0);
  EXPECT_EQ(anew.taken, FATWOOD_NEW_UNEVEN);
  EXPECT_EQ(anew.drift, plain.drift);
  EXPECT_GT(anew.blocks, strict.blocks);
}

TEST_F(KeepOld, RoutesOfSeveralLanesKeepTheirsWhereTheyAreKnown) {
  const CRoutes first = routed(whole_, "dfsssp");
  ASSERT_GT(fatwood_lane_count(first.get()), 1U);
  fatwood_error error{};
  ASSERT_EQ(fatwood_write_tables(first.get(), old_.pointers.data(), kSize, &error), 0);
  routes_ = routed(cut_, "dfsssp");
  fatwood_kept kept{};
  EXPECT_EQ(fatwood_keep(routes_.get(), in_switches_.data(), kSize, nullptr, &kept, &error),
            nullptr);
  EXPECT_NE(std::string(error.text).find("lanes"), std::string::npos);
  const std::size_t anew = written_differently();
  const fatwood_keep_options options{
      .rebalance = 0, .spare_blocks = 0, .most_drift = 0, .before = first.get()};
  kept = keep(&options);
  EXPECT_EQ(kept.taken, FATWOOD_KEPT);
  EXPECT_EQ(kept.entries, written_differently());
  EXPECT_LT(kept.entries, anew);
  // Where no switch writes anything for a destination, every path to it has the level it had.
  Tables now(whole_.num_switches());
  ASSERT_EQ(fatwood_write_tables(routes_.get(), now.pointers.data(), kSize, &error), 0);
  std::size_t same = 0;
  for (std::uint16_t to = 1; to < 100; ++to) {
    bool changed = false;
    for (std::size_t s = 0; s < now.of.size(); ++s) {
      changed = changed || now.of[s][to] != old_.of[s][to];
    }
    for (std::uint16_t from = 1; from < 100 && !changed; ++from) {
      EXPECT_EQ(fatwood_service_level(routes_.get(), from, to),
                fatwood_service_level(first.get(), from, to));
      ++same;
    }
  }
  EXPECT_GT(same, 100U);
}

// Cuts of one cable after the other under sftree: what waits follows in the next round, and nothing
// else is written then.
TEST(KeepInRounds, TheNextRoundWritesWhatWaited) {
  const Fabric whole = make_fabric("xgft(3;3,3,4;1,3,3)");
  Tables in_switches(whole.num_switches());
  std::vector<Channel> cables;
  for (const Channel c : ids<Channel>(whole.num_channels())) {
    if (whole.connected(c) && c < whole.peer(c) && whole.is_switch(whole.owner(c)) &&
        whole.is_switch(whole.neighbour(c))) {
      cables.push_back(c);
    }
  }
  Random(7).shuffle(cables);
  CRoutes before;
  std::size_t rounds = 0;
  for (std::size_t dead = 0; dead < 8; ++dead) {
    const Fabric fabric = with_faults(
        whole, {.cut = {cables.begin(), cables.begin() + static_cast<std::ptrdiff_t>(dead)},
                .removed = {}});
    std::size_t waiting = 0;
    for (bool again = true; again;) {
      fatwood_error error{};
      const CFabric built = build(fabric, 3, 0, &error);
      CRoutes routes(fatwood_route(built.get(), "sftree", nullptr, &error));
      ASSERT_TRUE(routes) << error.text;
      if (before) {
        const std::vector<const std::uint8_t*> old(in_switches.pointers.begin(),
                                                   in_switches.pointers.end());
        const fatwood_keep_options options{
            .rebalance = 0, .spare_blocks = 0, .most_drift = 0, .before = before.get()};
        fatwood_kept kept{};
        routes.reset(fatwood_keep(routes.get(), old.data(), kSize, &options, &kept, &error));
        ASSERT_TRUE(routes) << error.text;
        EXPECT_EQ(kept.mixed_unsafe, 0);
        if (waiting != 0) {
          EXPECT_EQ(kept.taken, FATWOOD_KEPT);
          EXPECT_EQ(kept.entries, waiting);
          ++rounds;
        }
        waiting = kept.held;
      }
      ASSERT_EQ(fatwood_write_tables(routes.get(), in_switches.pointers.data(), kSize, &error), 0);
      before = std::move(routes);
      again = waiting != 0;
    }
  }
  EXPECT_GT(rounds, 2U);
}

TEST_F(KeepOld, OptionsWithoutSenseAreRefused) {
  for (const fatwood_keep_options& options :
       {fatwood_keep_options{.rebalance = 0, .spare_blocks = 1, .most_drift = 0, .before = nullptr},
        fatwood_keep_options{
            .rebalance = 1, .spare_blocks = 1, .most_drift = -0.5, .before = nullptr},
        fatwood_keep_options{
            .rebalance = 1, .spare_blocks = 1, .most_drift = std::nan(""), .before = nullptr}}) {
    fatwood_error error{};
    fatwood_kept kept{};
    EXPECT_EQ(fatwood_keep(routes_.get(), in_switches_.data(), kSize, &options, &kept, &error),
              nullptr);
    EXPECT_NE(error.text[0], 0);
  }
}

TEST(PluginOptions, AreReadOrRefusedAsAWhole) {
  plugin_options options{};
  fatwood_error error{};
  for (const char* const none :
       {static_cast<const char*>(nullptr), "", "(null)", "other -x 3", " fatwood_fresh\t"}) {
    EXPECT_EQ(read_options(none, &options, &error), 0) << error.text;
    EXPECT_EQ(options.repair, 0);
    EXPECT_EQ(options.seconds, 60);
  }
  ASSERT_EQ(read_options("fatwood_seconds=2.5", &options, &error), 0);
  EXPECT_EQ(options.seconds, 2.5);
  ASSERT_EQ(read_options("fatwood_repair other fatwood_spare_blocks=16 fatwood_drift=1.25",
                         &options, &error),
            0);
  EXPECT_EQ(options.repair, 1);
  EXPECT_EQ(options.keep.rebalance, 1);
  EXPECT_EQ(options.keep.spare_blocks, 16U);
  EXPECT_EQ(options.keep.most_drift, 1.25);
  ASSERT_EQ(read_options("fatwood_repair fatwood_drift=2", &options, &error), 0);
  EXPECT_EQ(options.keep.rebalance, 0);
  EXPECT_EQ(options.keep.most_drift, 2);
  EXPECT_EQ(options.cold, 0);
  ASSERT_EQ(read_options("fatwood_repair fatwood_drift=0.05", &options, &error), 0);
  EXPECT_EQ(options.keep.rebalance, 1);
  EXPECT_EQ(options.keep.spare_blocks, 0U);
  EXPECT_EQ(options.keep.most_drift, 0.05);
  ASSERT_EQ(read_options("fatwood_cold fatwood_repair", &options, &error), 0);
  EXPECT_EQ(options.cold, 1);
  for (const char* const wrong : {"fatwood_repiar",
                                  "fatwood_repair=1",
                                  "fatwood_repair fatwood_drift=0",
                                  "fatwood_repair fatwood_drift=-0.5",
                                  "fatwood_repair fatwood_drift=",
                                  "fatwood_repair fatwood_drift=nan",
                                  "fatwood_repair fatwood_drift=1,5",
                                  "fatwood_repair fatwood_drift=1.",
                                  "fatwood_repair fatwood_drift=1.2.3",
                                  "fatwood_repair fatwood_spare_blocks=-1",
                                  "fatwood_repair fatwood_spare_blocks",
                                  "fatwood_repair fatwood_spare_blocks=9999999999",
                                  "fatwood_repair fatwood_repair",
                                  "fatwood_fresh fatwood_repair",
                                  "fatwood_drift=2",
                                  "fatwood_spare_blocks=2",
                                  "fatwood_cold",
                                  "fatwood_cold fatwood_repair fatwood_cold",
                                  "fatwood_seconds=0",
                                  "fatwood_seconds=",
                                  "fatwood_seconds=-1",
                                  "fatwood_seconds=1e3",
                                  "fatwood_seconds=1 fatwood_seconds=2"}) {
    error.text[0] = 0;
    EXPECT_EQ(read_options(wrong, &options, &error), -1) << wrong;
    EXPECT_NE(error.text[0], 0) << wrong;
    EXPECT_EQ(options.repair, 0) << wrong;
    EXPECT_EQ(options.keep.spare_blocks, 0U) << wrong;
    EXPECT_EQ(options.seconds, 60) << wrong;
  }
}

TEST(CInterface, EveryEngineEndsAtTheTimeLimit) {
  fatwood_error error{};
  const CFabric built = build(make_fabric("ft(8,3)"), 8, 0, &error);
  fatwood_options options{};
  options.max_lanes = 8;
  for (std::size_t i = 0; i < fatwood_engine_count(); ++i) {
    const char* const engine = fatwood_engine_name(i);
    options.seconds = 1e-9;
    EXPECT_FALSE(CRoutes(fatwood_route(built.get(), engine, &options, &error))) << engine;
    EXPECT_STREQ(error.text, "stopped after 1e-09 s, the time limit") << engine;
    options.seconds = 600;
    EXPECT_TRUE(CRoutes(fatwood_route(built.get(), engine, &options, &error))) << engine;
  }
  for (const double wrong : {-1.0, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
    options.seconds = wrong;
    EXPECT_FALSE(CRoutes(fatwood_route(built.get(), "sftree", &options, &error)));
  }
}

TEST(CInterface, MulticastTreeJoinsItsMembers) {
  const Fabric fabric = make_fabric("ft(4,3)");
  fatwood_error error{};
  const CFabric built = build(fabric, 4, 0, &error);
  const CRoutes routes(fatwood_route(built.get(), "sftree", nullptr, &error));
  ASSERT_TRUE(routes) << error.text;
  const std::vector<std::uint8_t> capable(fabric.num_switches(), 1);
  const std::vector<std::uint16_t> members{7, 10, 14, 1000};  // the last is nothing's LID
  std::set<std::pair<std::size_t, std::uint8_t>> used;
  std::size_t left_out = 0;
  const auto use = [](void* context, std::size_t s, std::uint8_t port) {
    static_cast<decltype(used)*>(context)->emplace(s, port);
  };
  ASSERT_EQ(fatwood_multicast_tree(routes.get(), members.data(), members.size(), capable.data(), 3,
                                   use, &used, &left_out, &error),
            0);
  EXPECT_EQ(left_out, 1U);
  // A tree over ports used at both ends, with the members in it.
  std::set<std::size_t> reached{0};
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& [s, port] : used) {
      const Channel c = fabric.channel(fabric.node(static_cast<Switch>(s)), Port{port});
      const std::size_t other = index(fabric.as_switch(fabric.neighbour(c)));
      EXPECT_TRUE(used.contains({other, static_cast<std::uint8_t>(fabric.port(fabric.peer(c)))}));
      if (reached.contains(s)) grown = reached.insert(other).second || grown;
    }
  }
  EXPECT_TRUE(reached.contains(3) && reached.contains(7));
  EXPECT_EQ(used.size(), 2 * (reached.size() - 1));
}

TEST(CInterface, ListsEnginesThatFillTables) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < fatwood_engine_count(); ++i) names.insert(fatwood_engine_name(i));
  EXPECT_EQ(names.size(), fatwood_engine_count());
  EXPECT_TRUE(names.contains("sftree"));
  EXPECT_FALSE(names.contains("apot"));
  EXPECT_EQ(fatwood_engine_name(fatwood_engine_count()), nullptr);
}

TEST(CInterface, SaysWhatIsWrong) {
  const Fabric fabric = make_fabric("ring(5)");
  fatwood_error error{};
  const auto said = [&] { return std::string(error.text); };
  CFabric built = build(fabric, 1, 0, &error);
  fatwood_options options{};
  options.max_lanes = 8;
  EXPECT_EQ(fatwood_route(built.get(), "none", &options, &error), nullptr);
  EXPECT_NE(said().find("there is no engine \"none\""), std::string::npos);
  for (const char* engine : {"apot", "ar_updn"}) {
    EXPECT_EQ(fatwood_route(built.get(), engine, &options, &error), nullptr);
    EXPECT_NE(said().find("no tables with one port per entry"), std::string::npos);
  }
  options.max_lanes = 1;
  EXPECT_EQ(fatwood_route(built.get(), "dfsssp", &options, &error), nullptr);
  EXPECT_NE(said().find("needs 2 lanes"), std::string::npos);
  options.max_lanes = 0;
  EXPECT_EQ(fatwood_route(built.get(), "minhop", &options, &error), nullptr);
  EXPECT_NE(said().find("max_lanes"), std::string::npos);
  options = {.lmc = 8,
             .max_lanes = 1,
             .manager_guid = 0,
             .roots_file = nullptr,
             .compute_file = nullptr,
             .order_file = nullptr,
             .seconds = 0};
  EXPECT_EQ(fatwood_route(built.get(), "minhop", &options, &error), nullptr);
  EXPECT_NE(said().find("LMC"), std::string::npos);
  const std::string long_name(3000, 'x');
  options = {.lmc = 0,
             .max_lanes = 1,
             .manager_guid = 0,
             .roots_file = long_name.c_str(),
             .compute_file = nullptr,
             .order_file = nullptr,
             .seconds = 0};
  EXPECT_EQ(fatwood_route(built.get(), "minhop", &options, &error), nullptr);
  EXPECT_EQ(said().size(), sizeof error.text - 1);
  EXPECT_EQ(fatwood_route(built.get(), "none", nullptr, nullptr), nullptr);  // not asked why

  EXPECT_NE(fatwood_connect(built.get(), 0, 1, 999, 1, &error), 0);
  EXPECT_NE(said().find("no node has handle 999"), std::string::npos);
  EXPECT_NE(fatwood_set_address(built.get(), 999, 1, 1, 1, 0, &error), 0);
  EXPECT_NE(said().find("no node has handle 999"), std::string::npos);
  EXPECT_NE(fatwood_connect(built.get(), 0, 200, 1, 200, &error), 0);
  EXPECT_NE(said().find("has no port 200"), std::string::npos);
}

// All that a plug-in does at a sweep, with `left` allocations to succeed; whether all calls did.
bool sweep(const Fabric& fabric, const char* engine, std::int64_t left) {
  const std::size_t n = fabric.num_switches();
  Tables tables(n);
  std::vector<std::vector<std::uint8_t*>> rows(n, std::vector<std::uint8_t*>(7 + n));
  std::vector<std::uint8_t**> hops;
  for (auto& of_switch : rows) hops.push_back(of_switch.data());
  const std::vector<std::uint8_t> ports(n, 8);
  const std::vector<std::uint8_t> capable(n, 1);
  const std::vector<std::uint16_t> members{7, 9, 11};
  std::size_t left_out = 0;
  const CFabric built = build(fabric, 1, 0, nullptr);

  // The error must be reported without allocating memory.
  fatwood_error error{};
  bool done = false;
  allocations_left = left;
  fatwood_routes* const routes = fatwood_route(built.get(), engine, nullptr, &error);
  if (routes != nullptr) {
    done = fatwood_write_tables(routes, tables.pointers.data(), kSize, &error) == 0 &&
           fatwood_write_hops(routes, hops.data(), ports.data(), &error) == 0 &&
           fatwood_multicast_tree(
               routes, members.data(), members.size(), capable.data(), 1,
               [](void*, std::size_t, std::uint8_t) {}, nullptr, &left_out, &error) == 0;
  }
  fatwood_routes_free(routes);
  allocations_left = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(std::string(error.text), done ? "" : "out of memory");
  for (auto& of_switch : rows) {
    for (std::uint8_t* const row : of_switch) std::free(row);
  }
  return done;
}

class Memory : public testing::TestWithParam<std::string> {};

TEST_P(Memory, IsWantedAnywhere) {
  const Fabric fabric = make_fabric("ring(5)");
  std::int64_t left = 0;
  while (!sweep(fabric, GetParam().c_str(), left)) ++left;
  EXPECT_GT(left, 20);
}

TEST_P(Memory, IsWantedWhileTelling) {
  const Fabric fabric = make_fabric("ring(5)");
  bool done = false;
  for (std::int64_t left = 0; !done; ++left) {
    // Strings of this test are short: they take none.
    fatwood_error error{};
    const CFabric empty = CFabric(fatwood_fabric_new());
    ASSERT_TRUE(empty);
    const fatwood_node node{.kind = FATWOOD_SWITCH,
                            .ports = 200,
                            .guid = 1,
                            .system_guid = 0,
                            .vendor = 0,
                            .device = 0,
                            .description = "a"};
    allocations_left = left;
    fatwood_fabric* const made = fatwood_fabric_new();
    done = made != nullptr && fatwood_add_node(made, &node, &error) == 0 &&
           fatwood_add_node(made, &node, &error) == 0 &&
           fatwood_connect(made, 0, 1, 1, 1, &error) == 0 &&
           fatwood_set_address(made, 0, 0, 1, 1, 0, &error) == 0;
    fatwood_fabric_free(made);
    allocations_left = std::numeric_limits<std::int64_t>::max();
    ASSERT_LT(left, 1000);
  }
}

INSTANTIATE_TEST_SUITE_P(CInterface, Memory,
                         testing::Values("minhop", "updn+", "sftree", "dfsssp", "lash", "bfot"));

}  // namespace
}  // namespace fatwood
