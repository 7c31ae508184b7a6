// SPDX-License-Identifier: BSD-3-Clause
#include "plan/formats/plan_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"
#include "core/text/words.hpp"
#include "plan/model/device_words.hpp"

namespace fatwood {

namespace {

constexpr double kMostMetres = 100000;

// The words of one line, taken one after the other.
class LineWords {
 public:
  LineWords(std::string_view line, const Location& where)
      : where_(where), words_(split_words(line, where)), end_(line.size() + 1) {}

  bool empty() const { return at_ == words_.size(); }
  const Word& next(std::string_view expected) {
    if (empty()) fail(end_, fmt::format("expected {}, found the end of the line", expected));
    return words_[at_++];
  }
  std::string text(std::string_view expected) {
    const Word& word = next(expected);
    if (word.text.empty()) fail(word.column, fmt::format("expected {}", expected));
    return word.text;
  }
  double number(std::string_view expected, double low, double high) {
    const Word& word = next(expected);
    const auto value = parse_number<double>(word.text);
    if (!value || *value < low || *value > high) {
      fail(word.column, fmt::format("expected {} from {:g} to {:g}, found \"{}\"", expected, low,
                                    high, word.text));
    }
    return *value;
  }
  std::uint32_t whole(std::string_view expected, std::uint32_t low, std::uint32_t high) {
    const Word& word = next(expected);
    const auto value = parse_number<std::uint32_t>(word.text);
    if (!value || *value < low || *value > high) {
      fail(word.column, fmt::format("expected {}, a number from {} to {}, found \"{}\"", expected,
                                    low, high, word.text));
    }
    return *value;
  }
  std::vector<double> numbers(std::string_view expected) {
    const Word& word = next(expected);
    std::vector<double> list;
    for (const std::string_view part : split_at(word.text, ',')) {
      const auto value = parse_number<double>(part);
      if (!value || *value <= 0 || *value > kMostMetres) {
        fail(word.column, fmt::format("expected {}, numbers with commas between them, found \"{}\"",
                                      expected, word.text));
      }
      list.push_back(*value);
    }
    std::ranges::sort(list);
    return list;
  }
  void finish() {
    if (!empty()) {
      fail(words_[at_].column,
           fmt::format("expected the end of the line, found \"{}\"", words_[at_].text));
    }
  }
  [[noreturn]] void unknown(const Word& word, std::string_view expected) const {
    fail(word.column, fmt::format("expected {}, found \"{}\"", expected, word.text));
  }
  [[noreturn]] void fail(std::size_t column, const std::string& message) const {
    throw InputError({where_.file, where_.line, column}, message);
  }

 private:
  Location where_;
  std::vector<Word> words_;
  std::size_t end_;
  std::size_t at_ = 0;
};

// Calls read(words) for each line that has some.
template <class Read>
void for_each_line(Input& input, const Read& read) {
  while (const auto line = input.next_line()) {
    LineWords words(*line, input.at());
    if (!words.empty()) read(words);
  }
}

struct NumberKey {
  std::string_view name;
  std::uint32_t LayoutRules::* whole = nullptr;
  double LayoutRules::* metres = nullptr;
};
constexpr std::array kLayoutKeys{
    NumberKey{"rack-units", &LayoutRules::rack_units},
    NumberKey{"racks-a-row", &LayoutRules::racks_per_row},
    NumberKey{"host-units", &LayoutRules::host_units},
    NumberKey{"hosts-a-rack", &LayoutRules::hosts_per_rack},
    NumberKey{"switch-units", &LayoutRules::switch_units},
    NumberKey{"director-units", &LayoutRules::director_units},
    NumberKey{"rack-width", nullptr, &LayoutRules::rack_width_m},
    NumberKey{"row-pitch", nullptr, &LayoutRules::row_pitch_m},
    NumberKey{"tray-above", nullptr, &LayoutRules::tray_above_m},
    NumberKey{"slack", nullptr, &LayoutRules::slack_m},
    NumberKey{"tray-width", nullptr, &LayoutRules::tray_width_m},
    NumberKey{"tray-depth", nullptr, &LayoutRules::tray_depth_m},
    NumberKey{"tray-fill", nullptr, &LayoutRules::tray_fill},
};

Rack read_rack(LineWords& words, std::uint32_t units) {
  Rack rack;
  rack.name = words.text("the name of a rack");
  rack.units = units;
  while (!words.empty()) {
    const Word& key = words.next("");
    if (key.text == "row") {
      rack.row = words.text("the name of a row");
    } else if (key.text == "position") {
      rack.position = words.whole("a position", 1, 10000);
    } else if (key.text == "units") {
      rack.units = words.whole("units", 1, 1000);
    } else {
      words.unknown(key, "row, position or units");
    }
  }
  if (rack.row.empty()) rack.row += 'A';
  return rack;
}

void read_layout_line(LineWords& words, LayoutRules& rules) {
  const Word& key = words.next("a keyword");
  const auto known = std::ranges::find(kLayoutKeys, key.text, &NumberKey::name);
  if (known != kLayoutKeys.end() && known->whole != nullptr) {
    rules.*known->whole = words.whole(known->name, 1, 1000);
  } else if (known != kLayoutKeys.end()) {
    rules.*known->metres = words.number(known->name, 0.001, 1000);
  } else if (key.text == "rack") {
    rules.racks.push_back(read_rack(words, rules.rack_units));
  } else if (key.text == "place") {
    const std::string device = words.text("a device");
    const std::string rack = words.text("a rack");
    rules.places.push_back({device, rack, words.whole("a unit", 1, 1000)});
  } else if (key.text == "cross") {
    while (!words.empty()) rules.cross.push_back(words.whole("a position", 1, 10000));
  } else if (key.text == "distance") {
    const std::uint32_t racks = words.whole("racks", 0, 100000);
    rules.by_distance.emplace_back(racks, words.number("metres", 0.1, kMostMetres));
  } else if (key.text == "spines-with-units") {
    rules.spines_with_units = true;
  } else {
    std::string names;
    for (const NumberKey& one : kLayoutKeys) names += fmt::format("{}, ", one.name);
    words.unknown(key, names + "rack, place, cross, distance or spines-with-units");
  }
  words.finish();
}

}  // namespace

std::vector<SwitchModel> read_catalogue(Input& input) {
  std::vector<SwitchModel> list;
  for_each_line(input, [&](LineWords& words) {
    const Word& first = words.next("switch");
    if (first.text != "switch") words.unknown(first, "\"switch\"");
    SwitchModel model;
    model.name = words.text("a name");
    while (!words.empty()) {
      const Word& key = words.next("");
      if (key.text == "ports") {
        model.ports = words.whole("ports", 2, 100000);
      } else if (key.text == "speed") {
        model.speed = words.whole("Gb/s", 1, 100000);
      } else if (key.text == "split") {
        model.split = words.whole("parts", 1, 8);
      } else if (key.text == "cage") {
        model.cage = words.whole("ports of a cage", 1, 8);
      } else if (key.text == "chips") {
        model.chips = words.whole("ports of a chip", 2, kMaxPorts);
      } else if (key.text == "height") {
        model.height = words.whole("units", 1, 100);
      } else {
        words.unknown(key, "ports, speed, split, cage, chips or height");
      }
    }
    if (model.ports == 0 || model.speed == 0) {
      words.fail(1, fmt::format("switch \"{}\" needs ports and speed", model.name));
    }
    list.push_back(std::move(model));
  });
  if (list.empty())
    throw InputError({input.name()}, "has no switch; expected lines \"switch ...\"");
  return list;
}

CableTable read_cable_table(Input& input) {
  CableTable table;
  for_each_line(input, [&](LineWords& words) {
    const Word& first = words.next("cable");
    if (first.text != "cable") words.unknown(first, "\"cable\"");
    CableKind kind;
    kind.type = words.text("a type");
    while (!words.empty()) {
      const Word& key = words.next("");
      if (key.text == "speed") {
        kind.speed = words.whole("Gb/s", 1, 100000);
      } else if (key.text == "reach") {
        kind.reach_m = words.number("metres", 0.1, kMostMetres);
      } else if (key.text == "lengths") {
        kind.lengths = words.numbers("lengths");
      } else if (key.text == "diameter") {
        kind.diameter_mm = words.number("mm", 0.1, 200);
      } else if (key.text == "weight") {
        kind.kg_per_m = words.number("kg a metre", 0, 100);
      } else if (key.text == "splitter") {
        kind.splitter = true;
      } else {
        words.unknown(key, "speed, reach, lengths, diameter, weight or splitter");
      }
    }
    if (kind.lengths.empty()) {
      words.fail(1, fmt::format("cable \"{}\" needs lengths", kind.type));
    }
    if (kind.reach_m == 0) kind.reach_m = kind.lengths.back();
    table.push_back(std::move(kind));
  });
  if (table.empty()) throw InputError({input.name()}, "has no cable; expected lines \"cable ...\"");
  return table;
}

PriceList read_prices(Input& input) {
  PriceList prices;
  for_each_line(input, [&](LineWords& words) {
    const Word& key = words.next("price");
    if (key.text == "currency") {
      prices.currency = words.text("a currency");
    } else if (key.text == "price") {
      const std::string item = words.text("an item");
      prices.each[lower_case(item)] = words.number("a price", 0, 1e12);
    } else if (key.text == "power") {
      const std::string item = words.text("an item");
      prices.watts[lower_case(item)] = words.number("a number of watts", 0, 1e6);
    } else if (key.text == "transceivers") {
      const std::string type = words.text("a type of cable");
      prices.transceivers[lower_case(type)] =
          static_cast<std::uint64_t>(words.number("transceivers of a cable", 0, 100));
    } else {
      words.unknown(key, "\"price\", \"power\", \"transceivers\" or \"currency\"");
    }
    words.finish();
  });
  if (prices.each.empty()) {
    throw InputError({input.name()}, "has no price; expected lines \"price ITEM NUMBER\"");
  }
  return prices;
}

LayoutRules read_layout(Input& input) {
  LayoutRules rules;
  for_each_line(input, [&](LineWords& words) { read_layout_line(words, rules); });
  return rules;
}

}  // namespace fatwood
