// SPDX-License-Identifier: BSD-3-Clause
// The order of hosts and the set of jobs.

#include "topology/hosts/job_windows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "io/fabric/spec.hpp"
#include "topology/hosts/host_order.hpp"
#include "topology/hosts/rails.hpp"

namespace fatwood {
namespace {

TEST(JobSizes, GoFromALeafToTheMachine) {
  EXPECT_EQ(job_sizes(560, 20), (std::vector<std::uint32_t>{16, 32, 64, 128, 256, 512}));
  EXPECT_EQ(job_sizes(16, 16), (std::vector<std::uint32_t>{16}));
  EXPECT_EQ(job_sizes(3, 3), (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(job_sizes(5, 1), (std::vector<std::uint32_t>{2, 4}));
  EXPECT_TRUE(job_sizes(1, 1).empty());
  EXPECT_TRUE(job_sizes(0, 0).empty());
}

TEST(JobWindows, AreAsDocumented) {
  const std::vector<JobWindow> windows = job_windows(5000, 20);
  std::set<std::vector<std::uint32_t>> seen;
  std::map<std::pair<std::size_t, Placed>, std::size_t> number;
  for (const JobWindow& window : windows) {
    ASSERT_TRUE(std::ranges::is_sorted(window.members));
    ASSERT_LT(window.members.back(), 5000U);
    ASSERT_EQ(std::set(window.members.begin(), window.members.end()).size(), window.size());
    const bool run = window.members.back() - window.members.front() + 1 == window.size();
    EXPECT_EQ(run, window.placed == Placed::kNeighbours);
    EXPECT_TRUE(seen.insert(window.members).second);
    ++number[{window.size(), window.placed}];
  }
  ASSERT_EQ(number.size(), 18U);  // 16 to 4096, both placements
  for (const auto& [key, count] : number) {
    EXPECT_EQ(count, std::clamp<std::size_t>(8192 / key.first, 4, 16)) << key.first;
  }
}

TEST(JobWindows, OffsetsCoverTheMachine) {
  std::vector<std::uint32_t> offsets;
  for (const JobWindow& window : job_windows(1000, 16)) {
    if (window.size() == 16 && window.placed == Placed::kNeighbours) {
      offsets.push_back(window.members.front());
    }
  }
  ASSERT_EQ(offsets.size(), 16U);
  for (std::size_t j = 0; j < 16; ++j) {
    EXPECT_GE(offsets[j], 985 * j / 16);
    EXPECT_LT(offsets[j], 985 * (j + 1) / 16);
  }
}

TEST(JobWindows, SmallMachinesHaveEachOffsetOnce) {
  const std::vector<JobWindow> windows = job_windows(8, 4);
  std::size_t of_machine = 0;
  std::set<std::uint32_t> offsets;
  for (const JobWindow& window : windows) {
    if (window.size() == 8) ++of_machine;
    if (window.size() == 4 && window.placed == Placed::kNeighbours) {
      offsets.insert(window.members.front());
    }
  }
  EXPECT_EQ(of_machine, 1U);
  EXPECT_EQ(offsets, (std::set<std::uint32_t>{0, 1, 2, 3, 4}));
}

TEST(JobWindows, AnotherSeedGivesOthers) {
  const auto members = [](std::uint64_t seed) {
    std::vector<std::vector<std::uint32_t>> all;
    for (const JobWindow& window : job_windows(500, 16, {.seed = seed})) {
      all.push_back(window.members);
    }
    return all;
  };
  EXPECT_EQ(members(1), members(1));
  EXPECT_NE(members(1), members(2));
}

TEST(JobPhases, AllOfSmallJobsAndASampleOfLargeOnes) {
  EXPECT_TRUE(job_phases(1).empty());
  EXPECT_EQ(job_phases(4), (std::vector<std::uint32_t>{1, 2, 3}));
  EXPECT_EQ(job_phases(16).size(), 15U);
  const std::vector<std::uint32_t> sample = job_phases(1024);
  ASSERT_EQ(sample.size(), 15U);
  for (std::size_t j = 0; j < 15; ++j) {
    EXPECT_GE(sample[j], 1 + 1023 * j / 15);
    EXPECT_LT(sample[j], 1 + 1023 * (j + 1) / 15);
  }
  for (const std::uint32_t size : {2U, 3U, 8U, 13U}) {
    for (const std::uint32_t phase : job_phases(size)) {
      std::set<std::uint32_t> receivers;
      for (std::uint32_t i = 0; i < size; ++i) {
        EXPECT_NE(phase_partner(size, phase, i), i);
        receivers.insert(phase_partner(size, phase, i));
      }
      EXPECT_EQ(receivers.size(), size);
      EXPECT_LT(*receivers.rbegin(), size);
    }
  }
  EXPECT_EQ(phase_partner(8, 3, 5), 6U);
  EXPECT_EQ(phase_partner(7, 3, 5), 1U);
  EXPECT_EQ(ring_partner(8, 7), 0U);
}

TEST(HostOrder, IsThatOfNamesOrAsGiven) {
  const Model model(make_fabric("ft(4,2)"));  // H0 to H7
  const Hosts& hosts = model.hosts().hosts;
  const HostOrder natural = natural_host_order(model);
  ASSERT_EQ(natural.size(), hosts.size());
  for (std::size_t i = 0; i < natural.size(); ++i) {
    EXPECT_EQ(natural.hosts[i], static_cast<Host>(i));
    EXPECT_EQ(natural.adapters[i], std::vector<Adapter>{static_cast<Adapter>(i)});
  }
  EXPECT_EQ(usual_hosts_of_leaf(model, natural), 2U);
  const std::vector<Host> first{Host{5}, Host{2}};
  const HostOrder given = given_host_order(model, first, "a file");
  EXPECT_EQ(given.source, "a file");
  EXPECT_EQ(given.hosts, (std::vector<Host>{Host{5}, Host{2}, Host{0}, Host{1}, Host{3}, Host{4},
                                            Host{6}, Host{7}}));
}

}  // namespace
}  // namespace fatwood
