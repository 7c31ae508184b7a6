// SPDX-License-Identifier: BSD-3-Clause
// The verdict on top of the page: the lines of `fatwood check`, as data.

#include <algorithm>

#include "report/page/page_json.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kWord = 8;     // width of "cabling"
constexpr std::size_t kHealth = 16;  // width of "cabling OK"
constexpr std::size_t kRow = 16;     // width of "  limited by    "
constexpr std::string_view kNext = "next";

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == text.npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

std::string part(std::string_view line, std::size_t from, std::size_t size) {
  return from >= line.size() ? "" : trimmed(line.substr(from, size));
}

// Headings begin at the left edge, their rows with two spaces; the commands to run next are the
// last block, and the summary of the fabric is the first.
Json lines_of(std::string_view text) {
  Json lines = Json::array();
  Json line;
  const auto add = [&] {
    if (!line.is_null()) lines.push_back(std::move(line));
    line = Json();
  };
  std::size_t blank_lines = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (row == kNext) break;
    if (row.empty()) ++blank_lines;
    if (row.empty() || blank_lines == 0) continue;
    if (row.starts_with("  ")) {
      if (!line.is_null()) {
        const std::size_t space = std::min(row.find(' ', kRow), row.size());  // of long words
        line["rows"].push_back({part(row, 0, space), part(row, space, row.npos)});
      }
      continue;
    }
    add();
    // "cabling OK      nothing to repair", or a sentence: "jobs: 64 neighbouring hosts get ..."
    const std::size_t colon = row.substr(0, kWord).find(':');
    const bool sentence = colon != row.npos;
    const std::size_t word = sentence ? colon + 1 : kWord, says = sentence ? word : kHealth;
    line = {{"word", part(row, 0, word)},
            {"health", part(row, word, says - word)},
            {"text", part(row, says, row.npos)},
            {"rows", Json::array()}};
  }
  add();
  return lines;
}

}  // namespace

Json page_check(const std::optional<CheckReport>& check) {
  if (!check) return nullptr;
  Json json = check_object(*check);
  json["lines"] = lines_of(check_text(*check, Colour::kNone));
  json["command"] =
      "fatwood check " + check->name + (check->given() ? " " + check->tables.word : "");
  return json;
}

}  // namespace fatwood
