// SPDX-License-Identifier: BSD-3-Clause
// Lines of files of ours, and numbers in them: what is broken is an error, never the end.

#include "core/text/text_file.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <streambuf>

#include "core/text/parse_number.hpp"
#include "support/input_error.hpp"

namespace fatwood {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  TextLines lines(in, "t");
  std::vector<std::string> all;
  while (const auto line = lines.next()) all.emplace_back(*line);
  return all;
}

TEST(TextLines, EndAsTheyDo) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(lines_of(""), Lines{});
  EXPECT_EQ(lines_of("a"), Lines{"a"});
  EXPECT_EQ(lines_of("a\n"), Lines{"a"});
  EXPECT_EQ(lines_of("a\r\n\r\n\nb"), (Lines{"a", "", "", "b"}));
  EXPECT_EQ(lines_of("\n"), Lines{""});
}

TEST(TextLines, MayBeLongButNotAnyLength) {
  const std::string most(65536, 'x');
  EXPECT_EQ(lines_of(most), std::vector<std::string>{most});
  EXPECT_EQ(lines_of(most + "\n" + most), (std::vector<std::string>{most, most}));
  const auto message = [](const std::string& text) {
    return test::input_error_of([&] { lines_of(text); });
  };
  EXPECT_EQ(message("a\n" + most + most), "t:2: a line has more than 65536 bytes");
  EXPECT_EQ(message(most + most + "\n"), "t:1: a line has more than 65536 bytes");
}

// Gives two lines, then fails like a file whose disk does.
class Failing : public std::streambuf {
 protected:
  int_type underflow() override {
    if (given_) throw std::ios_base::failure("the disk");
    given_ = true;
    setg(text_, text_, text_ + 4);
    return traits_type::to_int_type(text_[0]);
  }

 private:
  char text_[4] = {'a', '\n', 'b', '\n'};
  bool given_ = false;
};

TEST(TextLines, AReadErrorIsNotTheEnd) {
  Failing broken;
  std::istream in(&broken);
  TextLines lines(in, "t");
  EXPECT_EQ(lines.next(), "a");
  EXPECT_EQ(lines.next(), "b");
  EXPECT_EQ(lines.number(), 2U);
  const std::string message = test::input_error_of([&] { lines.next(); });
  EXPECT_TRUE(message.starts_with("t:3: can't be read further")) << message;
}

TEST(ParseNumber, RefusesWhatIsNoNumber) {
  EXPECT_EQ(parse_number<double>("2.5"), 2.5);
  EXPECT_EQ(parse_number<double>("-1e3"), -1000.0);
  for (const char* bad :
       {"nan", "NAN", "-nan", "inf", "-inf", "infinity", "1e999", "", "1x", " 1"}) {
    EXPECT_FALSE(parse_number<double>(bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace fatwood
