#include "report/study_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace fatwood {

namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const StudyValue& value) {
  if (!value.text.empty()) return value.text;
  if (!value.number) return "-";
  const bool large = std::abs(*value.number) >= 1e4;
  return large ? fmt::format("{:.0f}", *value.number) : fmt::format("{:.4g}", *value.number);
}

Json json_of(const StudyValue& value) {
  if (!value.text.empty()) return value.text;
  return value.number ? Json(*value.number) : Json(nullptr);
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
    json["difference"] = gap ? Json(*gap) : Json(nullptr);
    for (std::size_t i = 0; i < row.more.size(); ++i) {
      json[result.more_names[i]] = json_of(row.more[i]);
    }
    json["seconds"] = row.seconds;
    rows.push_back(std::move(json));
  }
  return {{"name", result.name},       {"paper", result.paper},     {"claim", result.claim},
          {"seen", result.seen},       {"finding", result.finding}, {"size", result.size},
          {"seconds", result.seconds}, {"rows", std::move(rows)}};
}

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// The table with its head as cells, for text, CSV and Markdown alike.
std::vector<std::vector<std::string>> cells_of(const StudyResult& result) {
  std::vector<std::vector<std::string>> cells(1, result.label_names);
  for (const char* name : {"published", "ours", "difference"}) cells[0].emplace_back(name);
  cells[0].insert(cells[0].end(), result.more_names.begin(), result.more_names.end());
  cells[0].emplace_back("seconds");
  for (const StudyRow& row : result.rows) {
    std::vector<std::string> line = row.labels;
    line.push_back(text_of(row.published));
    line.push_back(text_of(row.ours));
    const auto gap = difference(row);
    line.push_back(gap ? fmt::format("{:+.3g}", *gap) : "-");
    for (const StudyValue& value : row.more) line.push_back(text_of(value));
    line.push_back(fmt::format("{:.2f}", row.seconds));
    cells.push_back(std::move(line));
  }
  return cells;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

std::optional<double> difference(const StudyRow& row) {
  if (!row.published.number || !row.ours.number) return std::nullopt;
  return *row.ours.number - *row.published.number;
}

std::string study_list_text(const std::vector<StudyTitle>& titles) {
  std::string text;
  for (const StudyTitle& title : titles) {
    text += fmt::format("{:<16} {:<20} {}\n", title.name, title.paper, title.claim);
  }
  return text;
}

std::string study_list_json(const std::vector<StudyTitle>& titles) {
  Json all = Json::array();
  for (const StudyTitle& title : titles) {
    all.push_back({{"name", title.name}, {"paper", title.paper}, {"claim", title.claim}});
  }
  return dumped({{"studies", std::move(all)}});
}

std::string study_text(const StudyResult& result) {
  std::string text =
      fmt::format("{} ({}), {}\nclaim: {}\nseen: {}. {}\n\n", result.name, result.paper,
                  result.size, result.claim, result.seen ? "yes" : "NO", result.finding);
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
  return text + fmt::format("\n{:.1f} s to measure\n", result.seconds);
}

std::string study_json(const StudyResult& result) { return dumped(result_json(result)); }

std::string studies_json(const std::vector<StudyResult>& results) {
  Json all = Json::array();
  for (const StudyResult& result : results) all.push_back(result_json(result));
  return dumped({{"studies", std::move(all)}});
}

std::string study_csv(const StudyResult& result) {
  std::string text;
  for (const auto& line : cells_of(result)) {
    for (const std::string& cell : line) text += csv_cell(cell) + ",";
    text.back() = '\n';
  }
  return text;
}

std::string study_svg(const StudyResult& result) {
  if (!result.panels.empty()) return svg_plot(result.panels);
  PlotPanel rows{.title = result.name, .x_label = "row of the table", .y_label = "", .lines = {}};
  rows.lines = {{"published", {}}, {"ours", {}}};
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const StudyRow& row = result.rows[i];
    const auto x = static_cast<double>(i + 1);
    if (row.published.number) rows.lines[0].points.emplace_back(x, *row.published.number);
    if (row.ours.number) rows.lines[1].points.emplace_back(x, *row.ours.number);
  }
  return svg_plot({rows});
}

std::string study_markdown(const StudyResult& result) {
  std::string text =
      fmt::format("## {}: {}\n\nClaim: {}\n\n**{}** {}\n\n    fatwood study {}{}\n\n", result.name,
                  result.paper, result.claim, result.seen ? "Seen." : "Not seen.", result.finding,
                  result.name, result.size == "quick" ? " --quick" : "");
  // Of a long table, what has a published value; all of it when nothing has.
  constexpr std::size_t kShown = 30;
  const auto has_published = [](const StudyRow& row) {
    return row.published.number || !row.published.text.empty();
  };
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
  return text + fmt::format("\n{:.1f} s to measure.\n\n", result.seconds);
}

std::string studies_markdown(const std::vector<StudyResult>& results) {
  std::string text =
      "| study | of | run | claim seen | seconds |\n| --- | --- | --- | --- | --- |\n";
  for (const StudyResult& result : results) {
    text += fmt::format("| {} | {} | {} | {} | {:.1f} |\n", result.name, result.paper, result.size,
                        result.seen ? "yes" : "**no**", result.seconds);
  }
  text += "\n";
  for (const StudyResult& result : results) text += study_markdown(result);
  text.pop_back();
  return text;
}

}  // namespace fatwood
