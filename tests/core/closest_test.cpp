// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/closest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace fatwood {
namespace {

TEST(Closest, CountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("shwo", "show"), 1U);  // two neighbours swapped
  EXPECT_EQ(edit_distance("ca", "abc"), 3U);     // optimal string alignment, not Damerau's 2
  EXPECT_EQ(edit_distance("same", "same"), 0U);
}

TEST(Closest, TakesSlipsAndParts) {
  const std::vector<std::string> names = {"message-size", "message-flits", "engine", "to"};
  EXPECT_EQ(closest("size", names), "message-size");
  EXPECT_EQ(closest("message-sise", names), "message-size");
  EXPECT_EQ(closest("egnine", names), "engine");
  EXPECT_EQ(closest("x", names), "");
  EXPECT_EQ(closest("colour", names), "");
  EXPECT_EQ(closest("message", names), "message-size");  // the first of several
}

TEST(Closest, OneEditInThreeCharacters) {
  const std::vector<std::string> names = {"abcdef"};
  EXPECT_EQ(closest("abcdxy", names), "abcdef");
  EXPECT_EQ(closest("abcxyz", names), "");
}

TEST(Closest, IsSaidInAMessage) {
  const std::vector<std::string> names = {"sftree", "ftree"};
  EXPECT_EQ(did_you_mean("sfree", names), " (did you mean sftree?)");
  EXPECT_EQ(did_you_mean("zzz", names), "");
}

}  // namespace
}  // namespace fatwood
