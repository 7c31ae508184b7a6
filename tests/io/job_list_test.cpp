// SPDX-License-Identifier: BSD-3-Clause
// Lists of jobs: Slurm's own counts are checked, and no job comes twice.

#include "io/lists/job_list.hpp"

#include <gtest/gtest.h>

#include "io/base/input.hpp"
#include "support/input_error.hpp"

namespace fatwood {
namespace {

std::vector<ListedJob> jobs(std::string_view text) {
  Input input(text, "jobs");
  return read_job_list(input);
}
std::string error(std::string_view text) {
  return test::input_error_of([&] { jobs(text); });
}

TEST(JobList, SlurmsNumberOfNodesIsChecked) {
  EXPECT_EQ(jobs("12|4|H[4-7]|x\n13|1|H8|x\n").size(), 2U);
  EXPECT_EQ(error("11|1|H1|y\n12|3|H[4-7]|x\n"),
            "jobs:2:4: job 12 has 3 nodes, but its list has 4");
  EXPECT_EQ(error("12|x|H[4-7]|x\n"), "jobs:1:4: expected a number of nodes");
  const std::string head = "JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)\n";
  EXPECT_EQ(jobs(head + "17 all a b root R 0:05 4 n[01-04]\n")[0].hosts.size(), 4U);
  EXPECT_EQ(error(head + "17 all train root R 0:05 5 n[01-04]\n"),
            "jobs:2:26: job 17 has 5 nodes, but its list has 4");
}

// squeue prints a header unless asked not to, with the separator of its lines.
TEST(JobList, ColumnsAreThoseOfTheHeader) {
  const std::string bars = "JOBID|NODES|NODELIST|NAME\n";
  const std::vector<ListedJob> found = jobs(bars + "12|4|H[4-7]|a b\n13|2||waits\n14|1|H8|c|d\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].name, "12");
  EXPECT_EQ(found[0].hosts, (std::vector<std::string>{"H4", "H5", "H6", "H7"}));
  EXPECT_EQ(found[1].hosts, std::vector<std::string>{"H8"});
  EXPECT_EQ(error(bars + "12|3|H[4-7]|x\n"), "jobs:2:4: job 12 has 3 nodes, but its list has 4");
  const std::vector<ListedJob> other =
      jobs("NODELIST START_TIME JOBID STATE\nn[1-2] 10:00 5 RUNNING\nn3 10:00 6 PENDING\n");
  ASSERT_EQ(other.size(), 1U);
  EXPECT_EQ(other[0].name, "5");
  EXPECT_EQ(other[0].hosts, (std::vector<std::string>{"n1", "n2"}));
}

TEST(JobList, AJobComesOnce) {
  EXPECT_EQ(error("a H1\nb H2\n\na H3\n"),
            "jobs:4:3: another job on line 1 has the name a; expected each job once");
  EXPECT_NE(error("12|1|H1|x\n12|1|H2|y\n").find("jobs:2:6: another job on line 1"),
            std::string::npos);
  EXPECT_NE(
      error("{\"jobs\": [{\"job_id\": 7, \"nodes\": \"a\"}, {\"job_id\": 7, \"nodes\": \"b\"}]}")
          .find("another job has the name 7"),
      std::string::npos);
}

}  // namespace
}  // namespace fatwood
