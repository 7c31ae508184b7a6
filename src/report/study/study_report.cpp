// SPDX-License-Identifier: BSD-3-Clause
#include "report/study/study_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/cells.hpp"
#include "report/json.hpp"

namespace fatwood {

namespace {

std::string text_of(const StudyValue& value) {
  if (!value.text.empty()) return value.text;
  if (!value.number) return "-";
  const bool large = std::abs(*value.number) >= 1e4;
  return large ? fmt::format("{:.0f}", *value.number) : fmt::format("{:.4g}", *value.number);
}

const char* words_of(StudyVerdict verdict) {
  constexpr const char* kWords[] = {"not seen", "in part", "seen"};
  return kWords[static_cast<std::size_t>(verdict)];
}

Json json_of(const StudyValue& value) {
  if (!value.text.empty()) return value.text;
  return value.number;
}

Json result_json(const StudyResult& result) {
  Json rows = Json::array();
  for (const StudyRow& row : result.rows) {
    Json json;
    for (std::size_t i = 0; i < row.labels.size(); ++i) {
      json[result.label_names[i]] = row.labels[i];
    }
    json["published"] = json_of(row.published);
    json["ours"] = json_of(row.ours);
    const auto gap = difference(row);
    json["difference"] = gap;
    for (std::size_t i = 0; i < row.more.size(); ++i) {
      json[result.more_names[i]] = json_of(row.more[i]);
    }
    json["seconds"] = row.seconds;
    rows.push_back(std::move(json));
  }
  return {{"name", result.name},
          {"paper", result.paper},
          {"claim", result.claim},
          {"seen", result.verdict == StudyVerdict::kSeen},
          {"verdict", words_of(result.verdict)},
          {"finding", result.finding},
          {"size", result.size},
          {"seconds", result.seconds},
          {"rows", std::move(rows)}};
}

bool has_published(const StudyRow& row) {
  return row.published.number || !row.published.text.empty();
}

// The table with its head as cells, for text, CSV and Markdown alike. A study of our own has no
// published values: those columns are left out.
std::vector<std::vector<std::string>> cells_of(const StudyResult& result) {
  const bool published = std::ranges::any_of(result.rows, has_published);
  std::vector<std::vector<std::string>> cells(1, result.label_names);
  if (published) cells[0].emplace_back("published");
  cells[0].push_back(result.ours_name);
  if (published) cells[0].emplace_back("difference");
  cells[0].insert(cells[0].end(), result.more_names.begin(), result.more_names.end());
  cells[0].emplace_back("seconds");
  for (const StudyRow& row : result.rows) {
    std::vector<std::string> line = row.labels;
    if (published) line.push_back(text_of(row.published));
    line.push_back(text_of(row.ours));
    const auto gap = difference(row);
    if (published) line.push_back(gap ? fmt::format("{:+.3g}", *gap) : "-");
    for (const StudyValue& value : row.more) line.push_back(text_of(value));
    line.push_back(fmt::format("{:.2f}", row.seconds));
    cells.push_back(std::move(line));
  }
  return cells;
}

}  // namespace

std::optional<double> difference(const StudyRow& row) {
  if (!row.published.number || !row.ours.number) return std::nullopt;
  return *row.ours.number - *row.published.number;
}

std::string study_list_text(const std::vector<StudyTitle>& titles) {
  std::string text;
  for (const StudyTitle& title : titles) {
    text += fmt::format("{:<16} {:<28} {}\n", title.name, title.paper, title.claim);
  }
  return text;
}

std::string study_list_json(const std::vector<StudyTitle>& titles) {
  Json all = Json::list(titles, [&](const StudyTitle& title) -> Json {
    return {{"name", title.name}, {"paper", title.paper}, {"claim", title.claim}};
  });
  return document({{"studies", std::move(all)}});
}

std::string study_text(const StudyResult& result) {
  std::string text =
      fmt::format("{} ({}), {}\nclaim: {}\n{}: {}\n\n", result.name, result.paper, result.size,
                  result.claim, words_of(result.verdict), result.finding);
  const auto cells = cells_of(result);
  std::vector<std::size_t> width(cells[0].size());
  for (const auto& line : cells) {
    for (std::size_t i = 0; i < line.size(); ++i) width[i] = std::max(width[i], line[i].size());
  }
  for (const auto& line : cells) {
    std::string written;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool label = i < result.label_names.size();
      written += label ? fmt::format("{:<{}}  ", line[i], width[i])
                       : fmt::format("{:>{}}  ", line[i], width[i]);
    }
    written.erase(written.find_last_not_of(' ') + 1);
    text += written + "\n";
  }
  return text + fmt::format("\n{:.1f} CPU seconds to measure\n", result.seconds);
}

std::string study_json(const StudyResult& result) { return document(result_json(result)); }

std::string studies_json(const std::vector<StudyResult>& results) {
  Json all = Json::list(results, [&](const StudyResult& result) { return result_json(result); });
  return document({{"studies", std::move(all)}});
}

std::string study_csv(const StudyResult& result) {
  std::string text;
  for (const auto& line : cells_of(result)) text += csv_line(line);
  return text;
}

std::string study_svg(const StudyResult& result) {
  if (!result.panels.empty()) return svg_plot(result.panels);
  PlotPanel rows{.title = fmt::format("{} ({})", result.name, result.paper),
                 .x_label = result.ours_name == "ours" ? "" : result.ours_name,
                 .bars = {}};
  for (const StudyRow& row : result.rows) {
    if (!row.ours.number) continue;
    rows.bars.push_back(
        {fmt::format("{}", fmt::join(row.labels, ", ")), row.published.number, row.ours.number});
  }
  return svg_plot({rows});
}

std::string study_markdown(const StudyResult& result) {
  std::string headline = words_of(result.verdict);
  headline[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(headline[0])));
  std::string text =
      fmt::format("## {}: {}\n\nClaim: {}\n\n**{}.** {}\n\n    fatwood study {}{}\n\n", result.name,
                  result.paper, result.claim, headline, result.finding, result.name,
                  result.size == "quick" ? " --quick" : "");
  // Of a long table, what has a published value; all of it when nothing has.
  constexpr std::size_t kShown = 30;
  const bool all = result.rows.size() <= kShown ||
                   std::none_of(result.rows.begin(), result.rows.end(), has_published);
  const auto cells = cells_of(result);
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool shown = i == 0 || all || has_published(result.rows[i - 1]);
    if (!shown) {
      ++left_out;
      continue;
    }
    text += fmt::format("| {} |\n", fmt::join(cells[i], " | "));
    if (i > 0) continue;
    for (std::size_t column = 0; column < cells[0].size(); ++column) text += "| --- ";
    text += "|\n";
  }
  if (left_out > 0) {
    text += fmt::format("\n{} rows without a published value: {}.csv.\n", left_out, result.name);
  }
  return text + fmt::format("\n{:.1f} CPU seconds to measure.\n\n", result.seconds);
}

std::string studies_markdown(const std::vector<StudyResult>& results) {
  std::string text =
      "| study | of | run | claim | CPU seconds |\n| --- | --- | --- | --- | --- |\n";
  for (const StudyResult& result : results) {
    const char* mark = result.verdict == StudyVerdict::kSeen ? "" : "**";
    text += fmt::format("| {} | {} | {} | {}{}{} | {:.1f} |\n", result.name, result.paper,
                        result.size, mark, words_of(result.verdict), mark, result.seconds);
  }
  text += "\n";
  for (const StudyResult& result : results) text += study_markdown(result);
  text.pop_back();
  return text;
}

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
