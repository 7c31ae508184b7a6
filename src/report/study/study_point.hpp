// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One measured point of a study, and the JSON it is kept as between runs.
//
// {"key", "seconds", "numbers": {name: number}, "texts": {name: text}}. The key says everything
// the point depends on; numbers come back as they were, to the last bit.

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
// nullopt when the text is not a point, or that of another key: it is measured again.
std::optional<StudyPoint> parse_point(const std::string& text, const std::string& key);

}  // namespace fatwood
