// SPDX-License-Identifier: BSD-3-Clause
// The verdict on top of the page: the lines of `fatwood check`.

#include "report/page/page_json.hpp"

namespace fatwood {

Json page_check(const std::optional<CheckReport>& check) {
  if (!check) return nullptr;
  Json json = check_object(*check);
  json["lines"] = Json::array();
  for (const CheckLine& line : check_lines(*check)) {
    Json rows = Json::array();
    for (const CheckRow& row : line.rows) rows.push_back(Json::array({row.word, row.text}));
    json["lines"].push_back({{"word", line.topic + (line.is_sentence ? ":" : "")},
                             {"health", health_word(line)},
                             {"text", line.text},
                             {"rows", std::move(rows)}});
  }
  json["command"] =
      "fatwood check " + check->name + (check->given() ? " " + check->tables.word : "");
  return json;
}

}  // namespace fatwood
