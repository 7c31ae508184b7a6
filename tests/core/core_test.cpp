// SPDX-License-Identifier: BSD-3-Clause
// Random streams, parallel loops, located errors.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "core/bytes.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/radix_heap.hpp"
#include "core/random.hpp"
#include "core/short_queue.hpp"

namespace fatwood {
namespace {

struct Sent {
  double number = 0;
  std::vector<std::string> names;
  std::optional<std::vector<int>> maybe;
};
void fields(auto& bytes, auto& sent) { bytes(sent.number, sent.names, sent.maybe); }

TEST(Bytes, ComeBackAsTheyWere) {
  const Sent sent{0.1, {"a", "", std::string(300, 'x')}, std::vector<int>{1, -2}};
  const std::string bytes = to_bytes(sent);
  const Sent back = from_bytes<Sent>(bytes);
  EXPECT_EQ(back.number, sent.number);
  EXPECT_EQ(back.names, sent.names);
  EXPECT_EQ(back.maybe, sent.maybe);
  EXPECT_FALSE(from_bytes<Sent>(to_bytes(Sent{})).maybe);
  EXPECT_THROW(from_bytes<Sent>(std::string_view(bytes).substr(0, bytes.size() - 1)),
               std::length_error);
}

TEST(Random, SameStreamSameNumbers) {
  Random a(7, 3, 1);
  Random b(7, 3, 1);
  Random other_stream(7, 4, 1);
  Random other_seed(8, 3, 1);
  unsigned equal_stream = 0;
  unsigned equal_seed = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t value = a.next64();
    EXPECT_EQ(value, b.next64());
    equal_stream += value == other_stream.next64() ? 1U : 0U;
    equal_seed += value == other_seed.next64() ? 1U : 0U;
  }
  EXPECT_EQ(equal_stream, 0U);
  EXPECT_EQ(equal_seed, 0U);
}

TEST(Random, BelowIsEven) {
  Random random(1);
  std::vector<unsigned> count(7);
  for (int i = 0; i < 70'000; ++i) ++count[random.below(7)];
  // Standard deviation 93: five of them.
  for (const unsigned c : count) EXPECT_NEAR(c, 10'000, 465);
}

TEST(Random, PermutationHoldsEachOnce) {
  Random random(1);
  std::vector<std::uint32_t> values = random.permutation(1000);
  EXPECT_FALSE(std::is_sorted(values.begin(), values.end()));
  std::sort(values.begin(), values.end());
  for (std::uint32_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], i);
}

TEST(Parallel, EveryItemOnceAndTheLowestErrorWins) {
  std::vector<std::atomic<int>> done(1000);
  parallel_for(done.size(), 2, [&](std::size_t i, int) { ++done[i]; });
  for (const auto& count : done) EXPECT_EQ(count, 1);
  try {
    parallel_for(1000, 2, [](std::size_t i, int) {
      if (i % 100 == 42) throw InputError(std::to_string(i));
    });
    FAIL() << "the error was lost";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "42");
  }
}

// Results depend on which of several equal keys comes first.
TEST(Queues, ShortQueueGivesTheOrderOfRadixHeap) {
  for (std::uint32_t sample = 0; sample < 100; ++sample) {
    Random random(5, sample);
    RadixHeap<std::uint32_t> heap;
    ShortQueue<std::uint32_t> few;
    std::uint64_t last = 0;
    for (std::uint32_t item = 0; item < 200; ++item) {
      const std::uint64_t key = last + random.below(6);
      heap.push(key, item);
      few.push(key, item);
      for (std::uint32_t pops = random.below(3); pops > 0 && !few.empty(); --pops) {
        const auto found = few.pop();
        ASSERT_EQ(found, heap.pop());
        last = found.first;
      }
    }
    EXPECT_EQ(few.empty(), heap.empty());
  }
}

TEST(Error, NamesFileLineAndColumn) {
  EXPECT_STREQ(InputError({"net", 3, 7}, "expected a port").what(), "net:3:7: expected a port");
  EXPECT_STREQ(InputError({"net", 3, 0}, "expected a port").what(), "net:3: expected a port");
  EXPECT_STREQ(InputError({"net", 0, 0}, "is empty").what(), "net: is empty");
  EXPECT_STREQ(InputError("no such engine").what(), "no such engine");
}

}  // namespace
}  // namespace fatwood
