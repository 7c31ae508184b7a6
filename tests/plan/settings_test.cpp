// SPDX-License-Identifier: BSD-3-Clause
// Files that people write for `fatwood plan`: what they say, and each mistake with its place.

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "plan/formats/plan_settings.hpp"

namespace fatwood {
namespace {

template <class Read>
auto from_text(std::string_view text, Read read) {
  Input input(text, "file");
  return read(input);
}

template <class Read>
std::string mistake(std::string_view text, Read read) {
  try {
    from_text(text, read);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(PlanSettings, Layout) {
  const LayoutRules rules = from_text(
      "rack-units 42 # low\nslack 0.25\nrack A01 row A position 3\nrack B01 row B units 10\n"
      "place leaf-01 A01 40\ncross 1 8\ndistance 2 5\nspines-with-units\n",
      read_layout);
  EXPECT_EQ(rules.rack_units, 42U);
  EXPECT_EQ(rules.slack_m, 0.25);
  ASSERT_EQ(rules.racks.size(), 2U);
  EXPECT_EQ(rules.racks[0].position, 3U);
  EXPECT_EQ(rules.racks[0].units, 42U);
  EXPECT_EQ(rules.racks[1].units, 10U);
  EXPECT_EQ(rules.places.at(0).unit, 40U);
  EXPECT_EQ(rules.cross, (std::vector<std::uint32_t>{1, 8}));
  EXPECT_EQ(rules.by_distance.at(0), (std::pair<std::uint32_t, double>{2, 5.0}));
  EXPECT_TRUE(rules.spines_with_units);
}

TEST(PlanSettings, Catalogue) {
  const auto list = from_text(
      "switch \"big one\" ports 64 speed 400 split 2 cage 2\nswitch d ports 800 speed 200 chips 40 "
      "height 29\n",
      read_catalogue);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0], (SwitchModel{"big one", 64, 400, 2, 2, 0, 1}));
  EXPECT_EQ(list[1], (SwitchModel{"d", 800, 200, 1, 1, 40, 29}));
}

TEST(PlanSettings, CablesAndPrices) {
  const CableTable table =
      from_text("cable DAC speed 400 lengths 2,0.5,1\ncable X reach 9 lengths 20 splitter\n",
                read_cable_table);
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table[0].lengths, (std::vector<double>{0.5, 1, 2}));
  EXPECT_EQ(table[0].reach_m, 2);
  EXPECT_TRUE(table[1].splitter);
  const PriceList prices = from_text("currency EUR\nprice \"DAC 2 m\" 12.5\n", read_prices);
  EXPECT_EQ(prices.currency, "EUR");
  EXPECT_EQ(prices.each.at("dac 2 m"), 12.5);
  const PriceList ends =
      from_text("price x 1\ntransceivers MMF 2\npower \"64-port switch\" 900\n", read_prices);
  EXPECT_EQ(ends.transceivers.at("mmf"), 2);
  EXPECT_EQ(ends.watts.at("64-port switch"), 900);
}

TEST(PlanSettings, MistakesHaveTheirPlace) {
  EXPECT_TRUE(mistake("slack much\n", read_layout).starts_with("file:1:7: expected slack"));
  EXPECT_TRUE(mistake("\nracks 7\n", read_layout).starts_with("file:2:1: expected rack-units"));
  EXPECT_TRUE(
      mistake("place leaf-01 A01\n", read_layout).starts_with("file:1:18: expected a unit"));
  EXPECT_TRUE(mistake("slack 1 2\n", read_layout).starts_with("file:1:9: expected the end"));
  EXPECT_TRUE(mistake("switch x ports 64\n", read_catalogue).starts_with("file:1:1: switch"));
  EXPECT_TRUE(mistake("cable x lengths 1,,2\n", read_cable_table).starts_with("file:1:17: "));
  EXPECT_TRUE(mistake("cable x reach 2\n", read_cable_table).starts_with("file:1:1: cable"));
  EXPECT_TRUE(mistake("price x -1\n", read_prices).starts_with("file:1:9: "));
  EXPECT_TRUE(mistake("", read_prices).starts_with("file: has no price"));
  EXPECT_TRUE(mistake("power x -1\n", read_prices).starts_with("file:1:9: "));
}

}  // namespace
}  // namespace fatwood
