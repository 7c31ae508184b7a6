// SPDX-License-Identifier: BSD-3-Clause
#include "report/study/study_point.hpp"

#include <nlohmann/json.hpp>

namespace fatwood {

std::string point_json(const std::string& key, const StudyPoint& point) {
  const nlohmann::ordered_json json{
      {"key", key}, {"seconds", point.seconds}, {"numbers", point.numbers}, {"texts", point.texts}};
  return json.dump() + "\n";
}

std::optional<StudyPoint> parse_point(const std::string& text, const std::string& key) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("key", "") != key) return std::nullopt;
  try {
    StudyPoint point;
    json.at("seconds").get_to(point.seconds);
    json.at("numbers").get_to(point.numbers);
    json.at("texts").get_to(point.texts);
    return point;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace fatwood
