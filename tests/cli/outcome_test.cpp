// SPDX-License-Identifier: BSD-3-Clause
// Exit codes: whose fault it is decides, and our own asks for a report.

#include "cli/outcome.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <new>
#include <stdexcept>

#include "core/error.hpp"
#include "core/fraction.hpp"
#include "core/invariant.hpp"
#include "core/parallel.hpp"

namespace fatwood::cli {
namespace {

template <class Work>
Outcome outcome(const Work& work) {
  try {
    work();
  } catch (...) {
    return outcome_of(std::current_exception());
  }
  return {};
}

TEST(Outcome, InputAndPromiseKeepTheirWords) {
  const Outcome input = outcome([] { throw InputError({"a.txt", 3, 4}, "expected a port"); });
  EXPECT_EQ(input.status, 2);
  EXPECT_EQ(input.message, "a.txt:3:4: expected a port");
  EXPECT_EQ(outcome([] { throw PromiseError("no tree"); }).status, 1);
}

TEST(Outcome, WhatTheMachineRefusesIsNotOurFault) {
  const Outcome memory = outcome([] { throw std::bad_alloc(); });
  EXPECT_EQ(memory.status, 2);
  EXPECT_NE(memory.message.find("out of memory"), std::string::npos);
  const Outcome files = outcome([] { (void)std::filesystem::file_size("no/such/file"); });
  EXPECT_EQ(files.status, 2);
  EXPECT_NE(files.message.find("no/such/file"), std::string::npos);
  EXPECT_EQ(outcome([] { (void)(Fraction(INT64_MAX) + Fraction(1)); }).status, 2);
}

TEST(Outcome, OurFaultAsksForAReport) {
  for (const Outcome& ours :
       {outcome([] { throw std::out_of_range("vector::at"); }),
        outcome([] { invariant(1 + 1 == 3, "arithmetic is broken"); }), outcome([] { throw 7; })}) {
    EXPECT_EQ(ours.status, 70);
    EXPECT_NE(ours.message.find("report it"), std::string::npos) << ours.message;
  }
}

TEST(Outcome, InvariantsAreCheckedInThisBuildAndSayWhere) {
  const Outcome broken = outcome(
      [] { parallel_for(4, 2, [](std::size_t i, int) { invariant(i != 3, "three came"); }); });
  EXPECT_EQ(broken.status, 70);
  EXPECT_NE(broken.message.find("three came"), std::string::npos);
  EXPECT_NE(broken.message.find("outcome_test.cpp:"), std::string::npos) << broken.message;
  EXPECT_EQ(outcome([] { invariant(true, "nothing"); }).status, 0);
}

}  // namespace
}  // namespace fatwood::cli
