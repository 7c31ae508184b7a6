// SPDX-License-Identifier: BSD-3-Clause
// One wave solved once, by lists and by bundles, against the run event by event.
#include <gtest/gtest.h>

#include <random>

#include "analysis/rates/flow_run.hpp"

namespace fatwood {
namespace {

constexpr std::uint32_t kHosts = 12;
constexpr std::uint32_t kOnLeaf = 4;
constexpr std::uint32_t kSpines = 3;
constexpr std::uint32_t kLeaves = kHosts / kOnLeaf;

// Links: out of hosts, into hosts, from leaf to spine, from spine to leaf.
constexpr std::uint32_t kIn = kHosts;
constexpr std::uint32_t kUp = 2 * kHosts;
constexpr std::uint32_t kDown = kUp + kLeaves * kSpines;
constexpr std::uint32_t kLinks = kDown + kLeaves * kSpines;

struct Wave {
  Program program;
  OpUses lists;
  OpUses bundles;
  std::vector<double> capacity;
};

std::vector<LinkUse> beyond_leaf(std::uint32_t leaf, std::uint32_t to, std::uint32_t spine) {
  std::vector<LinkUse> links;
  if (leaf != to / kOnLeaf) {
    links.push_back({kUp + leaf * kSpines + spine, 1});
    links.push_back({kDown + (to / kOnLeaf) * kSpines + spine, 1});
  }
  links.push_back({kIn + to, 1});
  return links;
}

// A random set of messages of equal size; each destination is routed by one spine from each leaf.
Wave draw(std::uint32_t seed, bool delayed) {
  std::mt19937 engine(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(engine() % n); };
  Wave wave;
  wave.program.endpoints = kHosts;
  for (std::uint32_t l = 0; l < kLinks; ++l) wave.capacity.push_back(1.0 + below(4));
  std::vector<OpUses::Bundle> bundle;
  std::vector<std::vector<LinkUse>> beyond;
  for (std::uint32_t leaf = 0; leaf < kLeaves; ++leaf) {
    for (std::uint32_t to = 0; to < kHosts; ++to) {
      beyond.push_back(beyond_leaf(leaf, to, below(kSpines)));
      bundle.push_back(wave.bundles.add_bundle(beyond.back()));
    }
  }
  for (std::uint32_t i = 0; i < 1 + seed % 80; ++i) {
    const std::uint32_t from = below(kHosts);
    const std::uint32_t to = below(kHosts);
    wave.program.add_message(from, to, 7);
    const std::uint32_t which = from / kOnLeaf * kHosts + to;
    if (from != to) {
      wave.lists.add({from, 1});
      for (const LinkUse& use : beyond[which]) wave.lists.add(use);
    }
    wave.lists.end_op();
    wave.bundles.add_op(from == to ? kNoLink : from,
                        from == to ? OpUses::kNoBundle : bundle[which]);
  }
  if (delayed) {  // no wave any more; nothing waits for it
    wave.program.add_delay(0, kNoWorker);
    wave.lists.end_op();
  }
  return wave;
}

// Whether the link is full, and no flow on it is faster.
void expect_held(const Wave& wave, const RunOps& ops, Op op) {
  double load = 0;
  wave.lists.each_user(ops[op].held_by, wave.program.size(), [&](Op other) {
    load += ops[other].rate;
    EXPECT_LE(ops[other].rate, ops[op].rate * (1 + 1e-9));
  });
  EXPECT_NEAR(load, wave.capacity[ops[op].held_by], 1e-9);
}

TEST(Wave, AgreesWithTheRunEventByEvent) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    const Wave wave = draw(seed, false);
    ASSERT_TRUE(wave.program.one_wave());
    const Wave delayed = draw(seed, true);
    ASSERT_FALSE(delayed.program.one_wave());
    const double latency = seed % 3 == 0 ? 0.25 : 0;
    const RunProgram slow{&delayed.program, &delayed.lists, false, latency};
    const FlowRun expected = run_flows(wave.capacity, {&slow, 1});
    for (const OpUses* uses : {&wave.lists, &wave.bundles}) {
      const RunProgram fast{&wave.program, uses, false, latency};
      const FlowRun run = run_flows(wave.capacity, {&fast, 1});
      ASSERT_NEAR(run.seconds[0], expected.seconds[0], 1e-9) << seed;
      ASSERT_EQ(run.ops[0].size(), wave.program.size());
      for (Op op = 0; op < wave.program.size(); ++op) {
        const RunOp& ran = run.ops[0][op];
        ASSERT_NEAR(ran.end, expected.ops[0][op].end, 1e-9) << seed << ' ' << op;
        ASSERT_NEAR(ran.rate, expected.ops[0][op].rate, 1e-9) << seed << ' ' << op;
        if (ran.held_by != kNoLink) expect_held(wave, run.ops[0], op);
      }
    }
  }
}

TEST(Wave, SeveralSizesAreNone) {
  Program program;
  program.add_message(0, 1, 10);
  EXPECT_TRUE(program.one_wave());
  program.add_message(0, 2, 30);
  EXPECT_FALSE(program.one_wave());
}

TEST(Wave, WaitsAreNone) {
  Program program;
  const Op first = program.add_message(0, 1, 10);
  program.add_message(0, 2, 10, {&first, 1});
  EXPECT_FALSE(program.one_wave());
}

}  // namespace
}  // namespace fatwood
