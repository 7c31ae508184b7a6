// SPDX-License-Identifier: BSD-3-Clause
#include "core/error.hpp"

#include <gtest/gtest.h>

namespace fatwood {
namespace {

std::string as_option(std::string_view name, std::string_view value) {
  return "--" + std::string(name) + (value.empty() ? "" : " ") + std::string(value);
}

TEST(InputError, KeepsWhatItIsMadeOf) {
  const InputError error({.file = "net.txt", .line = 3, .column = 7}, "expected a port");
  EXPECT_STREQ(error.what(), "net.txt:3:7: expected a port");
  EXPECT_EQ(error.where().file, "net.txt");
  EXPECT_EQ(error.where().line, 3U);
  EXPECT_EQ(error.where().column, 7U);
  EXPECT_EQ(error.message(), "expected a port");
  EXPECT_EQ(error.kind(), ErrorKind::kWrong);
  EXPECT_EQ(error.parameter(), "");
}

TEST(InputError, EachFrontEndSpellsParameters) {
  const InputError error("give either " + param("message_size") + " or " + param("trace", "a=b"));
  EXPECT_STREQ(error.what(), "give either message_size or trace a=b");
  EXPECT_EQ(error.text(as_option), "give either --message_size or --trace a=b");
  EXPECT_EQ(error.parameter(), "message_size");
}

TEST(InputError, AParameterIsNoFile) {
  const InputError error({.file = param("cut", "S1[9]")}, "there is no port");
  EXPECT_EQ(error.text(as_option), "--cut S1[9]: there is no port");
  EXPECT_EQ(error.where().file, "");
  EXPECT_EQ(error.parameter(), "cut");
}

TEST(InputError, FoundWhileReadingSomethingElse) {
  const InputError error = cut_short({.file = "a"}, "expected " + param("hosts")).at({"b", 2, 0});
  EXPECT_STREQ(error.what(), "b:2: a: expected hosts (the file may be cut short)");
  EXPECT_EQ(error.text(as_option), "b:2: a: expected --hosts (the file may be cut short)");
  EXPECT_EQ(error.where().file, "b");
  EXPECT_EQ(error.kind(), ErrorKind::kCutShort);
}

// What looks like the beginning of a mark, in a file, is printed as the character that it is.
TEST(InputError, OddBytesAreNoParameters) {
  EXPECT_STREQ(InputError("name \1x").what(), "name \\u0001x");
  EXPECT_EQ(InputError("name \1x").parameter(), "");
}

}  // namespace
}  // namespace fatwood
