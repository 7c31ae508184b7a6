// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One measured point of a study, and its JSON, in which it is stored between runs.
//
// {"key", "seconds", "numbers": {name: number}, "texts": {name: text}}. The key has everything that
// the point depends on. Numbers are restored to the last bit.

#include <map>
#include <optional>
#include <string>

namespace fatwood {

struct StudyPoint {
  std::map<std::string, double> numbers = {};
  std::map<std::string, std::string> texts = {};
  double seconds = 0;

  double number(const std::string& name) const { return numbers.at(name); }
  const std::string& text(const std::string& name) const { return texts.at(name); }
};

std::string point_json(const std::string& key, const StudyPoint& point);
// nullopt if the text is not a point with this key: it is then measured again.
std::optional<StudyPoint> parse_point(const std::string& text, const std::string& key);

}  // namespace fatwood
