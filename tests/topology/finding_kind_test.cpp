// SPDX-License-Identifier: BSD-3-Clause
// Every kind of finding is explained where people look it up.

#include "topology/recognise/finding_kind.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "support/real_fabrics.hpp"

namespace fatwood {
namespace {

std::string file(const std::string& name) {
  std::ifstream in(test::checkout() + "/" + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The words of a page between two marks.
std::set<std::string> marked(const std::string& text, const std::string& open,
                             const std::string& close) {
  std::set<std::string> words;
  const std::regex pattern(open + "([a-z]+(?:-[a-z]+)*)" + close);
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) {
    words.insert((*at)[1]);
  }
  return words;
}

TEST(FindingKind, EachIsInTheManual) {
  std::set<std::string> listed = marked(file("man/fatwood-show.1.scd"), "\\*", "\\*");
  listed.merge(marked(file("man/fatwood-counters.1.scd"), "_", "_"));
  for (const FindingRow& row : kFindingRows)
    EXPECT_TRUE(listed.contains(std::string(row.name))) << row.name;
}

TEST(FindingKind, NoTwoShareAName) {
  std::set<std::string_view> names, titles;
  for (const FindingRow& row : kFindingRows) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(titles.insert(row.title).second) << row.title;
  }
}

}  // namespace
}  // namespace fatwood
