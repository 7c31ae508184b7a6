// SPDX-License-Identifier: BSD-3-Clause
#include "core/time_limit.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "core/parallel.hpp"

namespace fatwood {
namespace {

using Seconds = std::chrono::duration<double>;

TEST(TimeLimit, EndsLoopsOnAllThreadsAndOnlyWhileItLives) {
  std::atomic<int> done = 0;
  const auto count = [&](std::size_t, int) { ++done; };
  {
    const TimeLimit limit(Seconds{1e-9});
    EXPECT_THROW(check_time(), TimeLimitError);
    EXPECT_THROW(parallel_for(100, 3, count), TimeLimitError);
    EXPECT_EQ(done, 0);
    {
      const TimeLimit none(Seconds{0});
      EXPECT_NO_THROW(check_time());
    }
    EXPECT_THROW(check_time(), TimeLimitError);
  }
  EXPECT_EQ(TimeLimit::current(), nullptr);
  EXPECT_NO_THROW(parallel_for(100, 3, count));
  EXPECT_EQ(done, 100);
}

TEST(TimeLimit, IsNotReachedBeforeItsTime) {
  const TimeLimit limit(Seconds{3600});
  EXPECT_NO_THROW(check_time());
  EXPECT_NO_THROW(parallel_for(10, 2, [](std::size_t, int) {}));
}

}  // namespace
}  // namespace fatwood
