// SPDX-License-Identifier: BSD-3-Clause
// The passes over bytes against loops over integers, for every small length and depth.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/random.hpp"
#include "routing/tree/bytes.hpp"

namespace fatwood {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct Rows {
  Bytes hops, least;
  std::vector<Port> ports, from;
  std::uint8_t depth;
};

// Small hops and 255, so that equal sums are common.
Rows random_rows(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  Rows rows{Bytes(n), Bytes(n), std::vector<Port>(n), std::vector<Port>(n),
            static_cast<std::uint8_t>(random.below(6))};
  for (std::size_t s = 0; s < n; ++s) {
    rows.hops[s] = static_cast<std::uint8_t>(random.below(4) == 0 ? 255 : 1 + random.below(4));
    rows.least[s] = static_cast<std::uint8_t>(random.below(8));
    rows.ports[s] = static_cast<Port>(random.below(256));
    rows.from[s] = static_cast<Port>(random.below(256));
  }
  return rows;
}

int sum(const Rows& rows, std::size_t s) {
  return rows.hops[s] == 255 ? 255 : rows.hops[s] + rows.depth;
}

TEST(TreeBytes, PassesAreWhatTheySay) {
  for (std::size_t n = 0; n < 200; ++n) {
    const Rows rows = random_rows(n, n + 1);
    Bytes shorter(n), known(n), met(n);
    std::vector<Port> laid(n), in_place = rows.from;
    std::ranges::transform(rows.from, shorter.begin(), index<Port>);
    take_shorter(rows.hops.data(), rows.depth, shorter.data(), n);
    copy_known(rows.hops.data(), known.data(), n);
    const Overlay root{rows.hops.data(), rows.least.data(), rows.ports.data(), rows.depth};
    lay_over(root, rows.from.data(), laid.data(), n);
    lay_over(root, in_place.data(), in_place.data(), n);
    mark_met(rows.hops.data(), rows.depth, rows.least.data(), met.data(), n);
    Bytes added = known;
    for (std::size_t s = 0; s < n; ++s) added[s] = index(rows.ports[s]) & 1;
    Bytes before = added;
    add_met(rows.hops.data(), rows.depth, rows.least.data(), added.data(), n);
    for (std::size_t s = 0; s < n; ++s) {
      const bool equal = sum(rows, s) == rows.least[s];
      ASSERT_EQ(shorter[s], std::min(static_cast<int>(rows.from[s]), sum(rows, s)));
      ASSERT_EQ(known[s], rows.hops[s] == 255 ? 0 : rows.hops[s]);
      ASSERT_EQ(laid[s], equal ? rows.ports[s] : rows.from[s]);
      ASSERT_EQ(in_place[s], laid[s]);
      ASSERT_EQ(met[s], equal || rows.least[s] == 0 ? 1 : 0);
      ASSERT_EQ(added[s], equal ? 1 : before[s]);
    }
  }
}

TEST(TreeBytes, AllMetSeesTheOneThatIsNot) {
  for (std::size_t n = 0; n < 200; ++n) {
    Rows rows = random_rows(n, n + 1000);
    for (std::size_t s = 0; s < n; ++s) {
      rows.least[s] = static_cast<std::uint8_t>(
          rows.hops[s] == 255 || rows.ports[s] < Port{50} ? 0 : rows.hops[s] + rows.depth);
    }
    ASSERT_TRUE(all_met(rows.hops.data(), rows.depth, rows.least.data(), n));
    for (std::size_t s = 0; s < n; ++s) {
      const std::uint8_t right = rows.least[s];
      rows.least[s] = 11;  // no sum is that large
      ASSERT_FALSE(all_met(rows.hops.data(), rows.depth, rows.least.data(), n)) << n << " " << s;
      rows.least[s] = right;
    }
  }
}

}  // namespace
}  // namespace fatwood
