// SPDX-License-Identifier: BSD-3-Clause
// Slurm's host lists: what its own tools print for each (scontrol show hostnames, hostlist), bad
// ones, and random lists that must survive the way there and back.

#include "core/text/hostlist.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "support/input_error.hpp"

namespace fatwood {
namespace {

using List = std::vector<std::string>;

TEST(Hostlist, Expands) {
  EXPECT_EQ(expand_hostlist("n1"), List{"n1"});
  EXPECT_EQ(expand_hostlist(""), List{});
  EXPECT_EQ(expand_hostlist("b, a\tc\n"), (List{"b", "a", "c"}));
  EXPECT_EQ(expand_hostlist("luna-[0129-0131]"), (List{"luna-0129", "luna-0130", "luna-0131"}));
  EXPECT_EQ(expand_hostlist("p[0-1,12,018-020]s"),
            (List{"p0s", "p1s", "p12s", "p018s", "p019s", "p020s"}));
  EXPECT_EQ(expand_hostlist("r[1-2]n[1-2]"), (List{"r1n1", "r1n2", "r2n1", "r2n2"}));
  EXPECT_EQ(expand_hostlist("n[9-11]"), (List{"n9", "n10", "n11"}));
  EXPECT_EQ(expand_hostlist("n[09-11]"), (List{"n09", "n10", "n11"}));
  EXPECT_EQ(expand_hostlist("n1*2,m[1-2]*2"), (List{"n1", "n1", "m1", "m2", "m1", "m2"}));
  EXPECT_EQ(expand_hostlist("[1-3]"), (List{"1", "2", "3"}));
  EXPECT_EQ(expand_hostlist("n[1-2],leaf[2] (H-3),m (H-4)"),
            (List{"n1", "n2", "leaf[2] (H-3)", "m (H-4)"}));
}

TEST(Hostlist, Writes) {
  EXPECT_EQ(hostlist_in_order(List{"t2", "t1", "t2"}), "t[2,1-2]");
  EXPECT_EQ(hostlist_in_order(List{"luna-0129", "luna-0130", "luna-0131", "x"}),
            "luna-[0129-0131],x");
  EXPECT_EQ(hostlist_in_order(List{"n9", "n10", "n011"}), "n[9-10,011]");
  EXPECT_EQ(hostlist_in_order(List{"a", "a"}), "a,a");
  EXPECT_EQ(hostlist_in_order(List{"a7"}), "a7");
  EXPECT_EQ(hostlist_in_order(List{}), "");
  EXPECT_EQ(hostlist_in_order(List{"S-12345678901234567890", "S-12345678901234567891"}),
            "S-12345678901234567890,S-12345678901234567891");
}

TEST(Hostlist, Sorts) {
  const List names{"n3", "n1", "n2", "n7", "x", "n08", "n09", "n10", "H-0010000000000001", "m1"};
  EXPECT_EQ(hostlist(names), "H-0010000000000001,x,m1,n[1-3,7],n[08-10]");
  for (const std::string list : {"sl390lin[1-5,7]", "a,b[001-003],c7", "n[9-11]"}) {
    EXPECT_EQ(hostlist(expand_hostlist(list)), list);
  }
}

TEST(Hostlist, BadOnesSayWhere) {
  const auto message = [](std::string_view text) {
    return test::input_error_of([&] { expand_hostlist(text, {.file = "--hosts"}); });
  };
  EXPECT_EQ(message("a[1-"), "--hosts: host list 'a[1-', character 5: expected a number");
  EXPECT_EQ(test::input_error_of([] { expand_hostlist("a[1-", {"jobs", 7, 3}); }),
            "jobs:7:7: host list: expected a number");
  for (const auto& [text, what] : std::vector<std::pair<std::string, std::string>>{
           {"a[1", "'[' without ']'"},
           {"a1]", "']' without '['"},
           {"a[3-1]", "from low to high"},
           {"a[1-70000]", "more than 65536"},
           {"a[1-9999]b[1-9999]", "more than a million"},
           {"a[1;2]", "expected ',', '-' or ']'"},
           {"a[]", "expected a number"},
           {"a[1,]", "expected a number"},
           {"a[1234567890123456789]", "at most 18 digits"},
           {"a*0", "above 0"},
           {"a*x", "expected a number"},
           {"a*2b", "expected ',' after the count"},
           {"a*999999999", "more than a million"},
           {"*2", "expected a name"},
           {"switch{s1}", "scontrol show hostnames"}}) {
    EXPECT_NE(message(text).find(what), std::string::npos) << text << ": " << message(text);
  }
}

TEST(Hostlist, ThereAndBack) {
  for (std::uint32_t sample = 0; sample < 200; ++sample) {
    Random random(7, sample);
    List names;
    const std::uint64_t count = random.below(60);
    while (names.size() < count) {
      const std::uint64_t width = 1 + random.below(3);
      const std::uint64_t first = random.below(12);
      for (std::uint64_t i = 0; i <= random.below(5); ++i) {
        names.push_back(
            fmt::format("{}{:0{}}", random.below(2) == 0 ? "n" : "rack3-n", first + i, width));
      }
    }
    EXPECT_EQ(expand_hostlist(hostlist_in_order(names)), names);
  }
}

}  // namespace
}  // namespace fatwood
