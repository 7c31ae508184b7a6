// SPDX-License-Identifier: BSD-3-Clause
// The text of JSON, against a reader of another project.

#include "report/json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/invariant.hpp"
#include "core/version.hpp"

namespace fatwood {
namespace {

using Read = nlohmann::ordered_json;

TEST(Json, ScalarsAreWrittenAsTheyAre) {
  EXPECT_EQ(Json().text(), "null");
  EXPECT_EQ(Json(true).text(), "true");
  EXPECT_EQ(Json(-7).text(), "-7");
  EXPECT_EQ(Json(UINT64_MAX).text(), "18446744073709551615");
  EXPECT_EQ(Json(INT64_MIN).text(), "-9223372036854775808");
  EXPECT_EQ(Json(std::uint8_t{65}).text(), "65");
  EXPECT_EQ(Json("a").text(), "\"a\"");
  EXPECT_EQ(Json(2.0).text(), "2.0");
  EXPECT_EQ(Json(std::nan("")).text(), "null");
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).text(), "null");
}

TEST(Json, ListsAndWhatMayBeAbsent) {
  const std::vector<int> numbers{1, 2, 3};
  EXPECT_EQ(Json::list(numbers, [](int n) { return 2 * n; }).text(), "[2,4,6]");
  EXPECT_EQ(Json::list(std::vector<int>{}, [](int n) { return n; }).text(), "[]");
  EXPECT_EQ(Json(std::optional<double>()).text(), "null");
  EXPECT_EQ(Json(std::optional<bool>(false)).text(), "false");
  EXPECT_EQ(text_or_null("").text(), "null");
  EXPECT_EQ(text_or_null("a").text(), "\"a\"");
}

TEST(Json, NumbersReadBackAsTheSame) {
  for (const double value :
       {0.1, 1.0 / 3, 1e-300, 1.7976931348623157e308, -0.0, 5e-324, 1e15, 1e16, 1e22}) {
    const Read read = Read::parse(Json(value).text());
    ASSERT_TRUE(read.is_number_float()) << Json(value).text();
    EXPECT_EQ(read.get<double>(), value);
  }
}

TEST(Json, PairsThatStartWithATextAreAnObjectInTheirOrder) {
  const std::vector<int> list = {1, 2};
  Json json{{"b", 1}, {"a", list}, {"c", {{"d", nullptr}}}, {"e", {"f", "g"}}, {"h", {1, "x"}}};
  json["z"]["y"].push_back("deep");
  json["b"] = 2;
  EXPECT_EQ(json.text(),
            R"({"b":2,"a":[1,2],"c":{"d":null},"e":["f","g"],"h":[1,"x"],"z":{"y":["deep"]}})");
  EXPECT_EQ(Json::array().text(), "[]");
  EXPECT_EQ(Json::object().text(), "{}");
  EXPECT_EQ(Json(std::map<std::string, double>{{"k", 0.5}}).text(), R"({"k":0.5})");
  EXPECT_EQ(json.find("b")->text(), "2");
  EXPECT_EQ(json.find("x"), nullptr);
  EXPECT_EQ(json.find("b")->find("x"), nullptr);
}

TEST(Json, AnyBytesBecomeTextThatCanBeRead) {
  // Every byte alone, and every start of a character with a wrong end.
  for (int first = 0; first < 256; ++first) {
    for (const int second : {-1, 0x22, 0x7f, 0x80, 0x90, 0xa0, 0xbf, 0xc2, 0xff}) {
      std::string bytes(1, static_cast<char>(first));
      if (second >= 0) bytes += static_cast<char>(second);
      const std::string text = Json(bytes).text();
      ASSERT_TRUE(Read::accept(text)) << first << ' ' << second;
      const Read other = Read(bytes);
      // What is UTF-8 stays as it is, by the other project's judgement.
      std::string strict;
      try {
        strict = other.dump();
      } catch (const Read::exception&) {
        EXPECT_NE(text.find("\xef\xbf\xbd"), std::string::npos);
        continue;
      }
      EXPECT_EQ(Read::parse(text).get<std::string>(), bytes);
    }
  }
  for (const char* good : {"\u00e9", "\u20ac", "\U0001f600", "\ufffd", "\U0010ffff"}) {
    EXPECT_EQ(Read::parse(Json(good).text()).get<std::string>(), good);
  }
  for (const char* bad : {"\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\x80", "\xe2\x82"}) {
    EXPECT_TRUE(Read::accept(Json(bad).text()));
    EXPECT_NE(Json(bad).text().find("\xef\xbf\xbd"), std::string::npos);
  }
}

TEST(Json, ADocumentSaysWhoWroteIt) {
  Json json{{"holds", true}};
  add_fraction(json, "ratio", Fraction(4, 3));
  add_fraction(json, "mload", Fraction(15));
  const Read read = Read::parse(document(json));
  EXPECT_EQ(read["mload"], 15);
  EXPECT_EQ(read["mload_value"], 15.0);
  EXPECT_EQ(read.begin().key(), "fatwood");
  EXPECT_EQ(read["fatwood"], version());
  EXPECT_EQ(read["ratio"], "4/3");
  EXPECT_NEAR(read["ratio_value"].get<double>(), 4.0 / 3, 1e-15);
  EXPECT_EQ(document(json).back(), '\n');
  EXPECT_THROW((void)document(Json::array()), InvariantError);
  EXPECT_THROW(json["holds"].push_back(1), InvariantError);
}

}  // namespace
}  // namespace fatwood
