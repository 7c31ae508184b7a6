// SPDX-License-Identifier: BSD-3-Clause
// Time limits of other programs: whatever they do, the caller goes on.

#include <gtest/gtest.h>

#include "io/base/run_program.hpp"

namespace fatwood {
namespace {

ProgramCall shell(const char* script) {
  return {.name = "the script", .path = "/bin/sh", .words = {"-c", script}, .own_group = true};
}

TEST(RunProgram, OutputAndExitCode) {
  const ProgramOutput output = run_program(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(output.status, 3);
  EXPECT_EQ(output.out, "out\n");
  EXPECT_EQ(output.err, "err\n");
}

TEST(RunProgram, ALimitEndsWhateverItWaitsFor) {
  for (const char* const script :
       {"sleep 1000", "exec >&- 2>&-; sleep 1000", "sleep 1000 & exec >&- 2>&-; wait", "yes"}) {
    EXPECT_THROW(run_program(shell(script), {.time = std::chrono::seconds(0)}), ProgramError)
        << script;
  }
}

TEST(RunProgram, CancelEndsAProgramWithoutOutput) {
  const std::atomic<bool> cancel = true;
  EXPECT_THROW(run_program(shell("exec >&- 2>&-; sleep 1000"), {}, &cancel), ProgramError);
}

}  // namespace
}  // namespace fatwood
