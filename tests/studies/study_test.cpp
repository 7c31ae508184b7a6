// SPDX-License-Identifier: BSD-3-Clause
// The frame of the studies: points are kept and taken up again, the list is in order, and what is
// written says what was measured.

#include "studies/study.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "core/error.hpp"
#include "support/temp_folder.hpp"

namespace fatwood {
namespace {

TEST(Studies, NamesAreTheirOwnAndClaimsAreSentences) {
  std::set<std::string_view> names;
  for (const Study& study : studies()) {
    EXPECT_TRUE(names.insert(study.name).second) << study.name;
    ASSERT_FALSE(study.claim.empty()) << study.name;
    EXPECT_EQ(study.claim.back(), '.') << study.name;
    EXPECT_FALSE(study.paper.empty()) << study.name;
    EXPECT_EQ(&find_study(study.name), &study);
  }
  EXPECT_THROW(find_study("no-such-study"), InputError);
}

TEST(Studies, AStoppedRunGoesOnWhereItWas) {
  const test::TempFolder folder;
  int measured = 0;
  bool fail = true;
  const std::vector<PointTask> tasks{
      {"first", [&] { return ++measured, StudyPoint{.numbers = {{"x", 1.0 / 3}}}; }},
      {"second", [&]() -> StudyPoint {
         if (fail) throw PromiseError("stopped");
         return ++measured, StudyPoint{.texts = {{"ratio", "4/3"}}};
       }}};
  const StudyContext context{.points = folder.path()};
  EXPECT_THROW(measure(context, tasks), PromiseError);
  fail = false;
  const auto points = measure(context, tasks);
  EXPECT_EQ(measured, 2);  // the first was kept
  EXPECT_EQ(points[0].number("x"), 1.0 / 3);
  EXPECT_EQ(points[1].text("ratio"), "4/3");
  measure(context, tasks);
  EXPECT_EQ(measured, 2);
}

TEST(Studies, APointThatIsBrokenOrAnothersIsMeasuredAgain) {
  const test::TempFolder folder;
  const StudyContext context{.points = folder.path()};
  const auto run = [&](const std::string& key, double x) {
    const std::vector<PointTask> tasks{{key, [=] { return StudyPoint{.numbers = {{"x", x}}}; }}};
    return measure(context, tasks)[0].number("x");
  };
  EXPECT_EQ(run("ft(4,2)", 1), 1);
  EXPECT_EQ(run("ft(4,2)", 2), 1);
  EXPECT_EQ(run("ft(4;2)", 3), 3);  // the same file name
  for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
    std::ofstream(file.path()) << "{\"key\": \"ft(4;2)\", \"numbers\": 7";
  }
  EXPECT_EQ(run("ft(4;2)", 4), 4);
}

TEST(Studies, DifferencesOnlyBetweenNumbers) {
  EXPECT_DOUBLE_EQ(*difference({.published = 1.5, .ours = Fraction(2)}), 0.5);
  EXPECT_FALSE(difference({.published = "near 1", .ours = 1.0}));
  EXPECT_FALSE(difference({.ours = 1.0}));
}

}  // namespace
}  // namespace fatwood
