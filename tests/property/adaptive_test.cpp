// SPDX-License-Identifier: BSD-3-Clause
// Adaptive tables: the verifier against every choice tried one by one, against the plain verifier
// where each group has one port, and its certificates against both checkers' rules.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <sstream>

#include "oracle/certificate_check.hpp"
#include "oracle/choices.hpp"
#include "routing/engine.hpp"
#include "support/fabrics.hpp"
#include "support/small_fabrics.hpp"
#include "verify/certificate/certificate.hpp"
#include "verify/verify.hpp"

namespace fatwood {
namespace {

constexpr int kCasesARun = 10;  // rapidcheck makes 100 runs

bool between_switches(const Fabric& fabric, Channel c) {
  return fabric.is_switch(fabric.owner(c)) && fabric.is_switch(fabric.neighbour(c));
}

Routing some_adaptive(const Fabric& fabric) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto lmc = *rc::gen::weightedElement<unsigned>({{4, 0}, {1, 1}});
  const auto spoilt = *rc::gen::element(0.0, 0.0, 0.05);
  const auto share = *rc::gen::element(0.05, 0.2, 0.6);
  return oracle::random_adaptive(
      fabric, test::corrupt(test::shortest_tables(fabric, seed, lmc), seed, spoilt), seed, share);
}

void expect_histogram(const HopHistogram& found, const std::map<std::size_t, std::uint64_t>& all) {
  for (std::size_t h = 0; h < found.pairs.size(); ++h) {
    RC_ASSERT(found.pairs[h] == (all.contains(h) ? all.at(h) : 0));
  }
  RC_ASSERT(found.longest() == (all.empty() ? 0 : all.rbegin()->first));
}

void expect_certificate(const Fabric& fabric, const Routing& routing, const Verdict& verdict,
                        const SomeChoice* some) {
  std::ostringstream out;
  write_certificate(out, fabric, routing, Sources::kAll, verdict.deadlock, some);
  std::istringstream in(out.str());
  const oracle::CertificateCheck check = oracle::check_certificate(in, "proof", fabric, routing, 1);
  RC_ASSERT(check.why_not == "");
  RC_ASSERT(check.some_choice == (some != nullptr));
}

void agrees_with_all_choices(const Fabric& fabric, const Routing& routing) {
  const oracle::AllChoices all = oracle::try_all_choices(fabric, routing);
  if (all.gave_up) return;
  const Verdict verdict = verify(Model(fabric), routing, {.threads = 1});
  RC_ASSERT(verdict.reachability.unreachable == all.unreachable);
  RC_ASSERT((verdict.reachability.loops > 0) == all.loops);
  RC_ASSERT(verdict.adaptive->never == all.never);
  expect_histogram(verdict.hops.terminals, all.most);
  expect_histogram(verdict.adaptive->fewest.terminals, all.fewest);
  oracle::Edges inner;
  for (const auto& [from, to] : all.dependencies) {
    if (between_switches(fabric, from) && between_switches(fabric, to)) inner.insert({from, to});
  }
  const LaneVerdict& lane = verdict.deadlock.lanes.front();
  RC_ASSERT(lane.dependencies == inner.size());
  RC_ASSERT(verdict.deadlock.free() != oracle::has_cycle(inner));
  if (verdict.deadlock.free()) {
    expect_certificate(fabric, routing, verdict, nullptr);
    return;
  }
  RC_ASSERT(lane.cycle.size() == oracle::shortest_cycle_length(inner));
  std::size_t held = 0;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    held += fabric.connected(c) && between_switches(fabric, c) ? 1U : 0U;
  }
  if (held > 14) return;  // every set of channels is tried
  RC_ASSERT(verdict.adaptive->some->free() != oracle::can_stand_still(fabric, routing, all));
  if (verdict.adaptive->some->free()) {
    expect_certificate(fabric, routing, verdict, &*verdict.adaptive->some);
  }
}

TEST(AdaptiveProperty, AgreesWithEveryChoiceTriedOneByOne) {
  const bool holds = rc::check("random fabrics and groups", [] {
    for (int i = 0; i < kCasesARun; ++i) {
      const Fabric fabric = test::random_fabric(*rc::gen::arbitrary<std::uint64_t>(), 4);
      const Routing routing = some_adaptive(fabric);
      if (!routing.sets.empty()) agrees_with_all_choices(fabric, routing);
    }
  });
  EXPECT_TRUE(holds);
}

TEST(AdaptiveProperty, GroupsOfOnePortAreJudgedAsPlainTables) {
  const bool holds = rc::check("random fabrics and tables", [] {
    for (int i = 0; i < kCasesARun; ++i) {
      const auto seed = *rc::gen::arbitrary<std::uint64_t>();
      const Fabric fabric = test::random_fabric(seed, 8);
      Routing plain;
      plain.tables =
          test::corrupt(test::shortest_tables(fabric, seed, *rc::gen::element(0U, 0U, 2U)), seed,
                        *rc::gen::element(0.0, 0.01, 0.2));
      const auto lanes = *rc::gen::element(1U, 1U, 3U);
      if (lanes > 1) plain.lanes = test::random_lanes(plain.tables, seed, lanes);
      const Routing adaptive = oracle::one_port_groups(fabric, plain);
      // A switch alone has no pairs, and the plain verifier looks no further.
      if (adaptive.sets.empty() || fabric.num_terminals() + fabric.num_switches() < 2) continue;
      const Model model(fabric);
      const Sources sources = *rc::gen::element(Sources::kAll, Sources::kTerminals);
      const Verdict a = verify(model, plain, {.sources = sources, .threads = 1});
      const Verdict b = verify(model, adaptive, {.sources = sources, .threads = 1});
      RC_ASSERT(a.reachability.unreachable == b.reachability.unreachable);
      RC_ASSERT(a.reachability.pairs == b.reachability.pairs);
      RC_ASSERT(a.reachability.loops == b.reachability.loops);
      for (std::size_t k = 0; k < a.reachability.faults.size(); ++k) {
        RC_ASSERT(a.reachability.faults[k].entries == b.reachability.faults[k].entries);
        RC_ASSERT(a.reachability.faults[k].first_destination ==
                  b.reachability.faults[k].first_destination);
      }
      RC_ASSERT(a.hops.terminals.pairs == b.hops.terminals.pairs);
      RC_ASSERT(a.hops.all.pairs == b.hops.all.pairs);
      RC_ASSERT(a.minimality.longer == b.minimality.longer);
      RC_ASSERT(a.minimality.hops == b.minimality.hops);
      RC_ASSERT(a.minimality.least_hops == b.minimality.least_hops);
      RC_ASSERT(a.minimality.worst_excess == b.minimality.worst_excess);
      RC_ASSERT(a.up_down.has_value() == b.up_down.has_value());
      if (a.up_down) {
        RC_ASSERT(a.up_down->turning == b.up_down->turning);
        RC_ASSERT(a.up_down->horizontal == b.up_down->horizontal);
      }
      RC_ASSERT(a.deadlock.lanes.size() == b.deadlock.lanes.size());
      for (std::size_t k = 0; k < a.deadlock.lanes.size(); ++k) {
        RC_ASSERT(a.deadlock.lanes[k].dependencies == b.deadlock.lanes[k].dependencies);
        RC_ASSERT(a.deadlock.lanes[k].order == b.deadlock.lanes[k].order);
        RC_ASSERT(a.deadlock.lanes[k].cycle.size() == b.deadlock.lanes[k].cycle.size());
      }
      RC_ASSERT(a.holds() == b.holds());
    }
  });
  EXPECT_TRUE(holds);
}

}  // namespace
}  // namespace fatwood
