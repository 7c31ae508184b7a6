// SPDX-License-Identifier: BSD-3-Clause
// Certificates: those written are accepted; spoilt ones are refused, never crash the check.

#include "verify/certificate/certificate.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <sstream>

#include "core/error.hpp"
#include "oracle/certificate_check.hpp"
#include "support/fabrics.hpp"

namespace fatwood {
namespace {

constexpr int kCasesARun = 10;  // rapidcheck makes 100 runs

Routing some_routing(const Fabric& fabric) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  if (*rc::gen::inRange(0, 5) == 0) return test::random_source_routes(fabric, seed);
  Routing routing;
  routing.tables = test::corrupt(test::shortest_tables(fabric, seed, *rc::gen::element(0U, 0U, 1U)),
                                 seed, *rc::gen::element(0.0, 0.0, 0.02));
  const auto lanes = *rc::gen::element(1U, 1U, 2U, 4U);
  if (lanes > 1) routing.lanes = test::random_lanes(routing.tables, seed, lanes);
  return routing;
}

std::string certify(const Fabric& fabric, const Routing& routing, Sources sources,
                    const Deadlock& deadlock) {
  std::ostringstream out;
  write_certificate(out, fabric, routing, sources, deadlock);
  return out.str();
}

oracle::CertificateCheck check(const std::string& text, const Fabric& fabric,
                               const Routing& routing) {
  std::istringstream in(text);
  return oracle::check_certificate(in, "proof", fabric, routing, 1);
}

TEST(CertificateProperty, WhatIsWrittenIsAccepted) {
  const bool holds = rc::check("random fabrics and tables", [] {
    for (int i = 0; i < kCasesARun; ++i) {
      const Fabric fabric = test::random_fabric(*rc::gen::arbitrary<std::uint64_t>());
      const Routing routing = some_routing(fabric);
      const Sources sources = *rc::gen::element(Sources::kAll, Sources::kTerminals);
      const Deadlock deadlock = find_deadlock(fabric, routing, sources, 1);
      if (!deadlock.free()) continue;
      const oracle::CertificateCheck checked =
          check(certify(fabric, routing, sources, deadlock), fabric, routing);
      RC_ASSERT(checked.why_not == "");
    }
  });
  EXPECT_TRUE(holds);
}

// Two channels that a route takes one after the other, swapped in the order: refused. A cyclic
// routing with any order at all: refused.
TEST(CertificateProperty, AnOrderThatIsNoProofIsRefused) {
  const bool holds = rc::check("random fabrics and tables", [] {
    for (int i = 0; i < kCasesARun; ++i) {
      const Fabric fabric = test::random_fabric(*rc::gen::arbitrary<std::uint64_t>());
      const Routing routing = some_routing(fabric);
      Deadlock deadlock = find_deadlock(fabric, routing, Sources::kAll, 1);
      const std::vector<DependencyGraph> graphs = find_dependencies(fabric, routing);
      bool spoilt = false;
      for (std::size_t lane = 0; lane < graphs.size(); ++lane) {
        LaneVerdict& verdict = deadlock.lanes[lane];
        if (!verdict.cycle.empty()) {
          verdict.cycle.clear();
          spoilt = true;
          for (const Channel c : ids<Channel>(fabric.num_channels())) {
            if (fabric.connected(c)) verdict.order.push_back(c);
          }
          continue;
        }
        for (std::uint32_t v = 0; !spoilt && v < graphs[lane].size(); ++v) {
          graphs[lane].for_each_successor(v, [&](std::uint32_t next) {
            if (spoilt) return;
            std::swap(*std::ranges::find(verdict.order, graphs[lane].channel(v)),
                      *std::ranges::find(verdict.order, graphs[lane].channel(next)));
            spoilt = true;
          });
        }
      }
      if (!spoilt) continue;
      RC_ASSERT_FALSE(
          check(certify(fabric, routing, Sources::kAll, deadlock), fabric, routing).holds());
    }
  });
  EXPECT_TRUE(holds);
}

TEST(CertificateProperty, MangledTextIsRefusedWithALine) {
  const Fabric fabric = test::ring(4, 2);
  Routing routing;
  routing.tables = test::shortest_tables(fabric, 3);
  routing.lanes = test::random_lanes(routing.tables, 3, 2);
  Deadlock deadlock = find_deadlock(fabric, routing);
  for (std::uint64_t seed = 4; !deadlock.free(); ++seed) {
    routing.lanes = test::random_lanes(routing.tables, seed, 4);
    deadlock = find_deadlock(fabric, routing);
  }
  const std::string text = certify(fabric, routing, Sources::kAll, deadlock);
  EXPECT_TRUE(check(text, fabric, routing).holds());
  const bool holds = rc::check("one byte changed, or the end cut off", [&] {
    for (int i = 0; i < kCasesARun; ++i) {
      std::string bad = text;
      const std::size_t at = *rc::gen::inRange<std::size_t>(0, text.size());
      if (*rc::gen::inRange(0, 2) == 0) {
        bad.resize(at);
      } else {
        bad[at] = *rc::gen::element(' ', '\n', '0', '7', 'x', 'f', '\0', '-');
      }
      try {
        const oracle::CertificateCheck checked = check(bad, fabric, routing);
        if (bad == text || at + 1 == text.size()) continue;
        // A changed place may still be an order; a changed head may not pass.
        if (checked.holds()) RC_ASSERT(bad.size() == text.size());
      } catch (const InputError& error) {
        RC_ASSERT(std::string(error.what()).starts_with("proof:"));
      }
    }
  });
  EXPECT_TRUE(holds);
}

}  // namespace
}  // namespace fatwood
