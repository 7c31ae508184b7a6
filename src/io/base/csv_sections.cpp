// SPDX-License-Identifier: BSD-3-Clause
#include "io/base/csv_sections.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "io/base/records.hpp"
#include "io/base/text.hpp"

namespace fatwood {

namespace {

constexpr std::string_view kSectionStart = "START_";
constexpr std::string_view kEnd = "END_";
constexpr std::string_view kOddRow =
    "a row with another number of fields than its section's header, skipped";

bool is_missing(std::string_view text) {
  return text.empty() || text == "N/A" || text == "NA" || text == "ERR" || text == "-1";
}

// Decimal, or hexadecimal after 0x.
std::optional<std::uint64_t> csv_number(std::string_view field) {
  const bool hex = field.starts_with("0x") || field.starts_with("0X");
  return parse_number<std::uint64_t>(field.substr(hex ? 2 : 0), hex ? 16 : 10);
}

}  // namespace

std::string_view CsvRow::text(int column) const {
  if (column < 0) return {};
  std::string_view field = fields_[static_cast<std::size_t>(column)];
  if (field.size() >= 2 && field.starts_with('"') && field.ends_with('"')) {
    field = field.substr(1, field.size() - 2);
  }
  return field;
}

std::uint64_t CsvRow::number(int column, std::uint64_t missing, std::uint64_t max) const {
  const std::string_view field = text(column);
  if (is_missing(field)) return missing;
  const auto value = csv_number(field);
  if (!value) fail(column, "expected a number, found '" + std::string(field.substr(0, 24)) + "'");
  if (*value > max) fail(column, "expected at most " + std::to_string(max));
  return *value;
}

std::uint64_t CsvRow::required(int column, std::string_view what, std::uint64_t max) const {
  if (is_missing(text(column))) fail(column, "expected " + std::string(what));
  return number(column, 0, max);
}

std::uint64_t CsvRow::count(int column) const {
  return csv_number(text(column)).value_or(kNoCount);
}

void CsvRow::fail(int column, const std::string& message) const {
  std::size_t place = 1;
  if (column >= 0 && static_cast<std::size_t>(column) < fields_.size()) {
    place += static_cast<std::size_t>(fields_[static_cast<std::size_t>(column)].data() -
                                      fields_[0].data());
  }
  throw InputError(input_.at(place), message);
}

int CsvSections::column(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    const auto found = std::ranges::find(columns_, name);
    if (found != columns_.end()) return static_cast<int>(found - columns_.begin());
  }
  return -1;
}

// Fields are views of the line, trimmed, with their quotes.
void CsvSections::split(std::string_view line) {
  fields_.clear();
  std::size_t from = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '"') quoted = !quoted;
    if (line[at] != ',' || quoted) continue;
    fields_.push_back(trimmed(line.substr(from, at - from)));
    from = at + 1;
  }
  fields_.push_back(trimmed(line.substr(from)));
}

std::string CsvSections::next() {
  while (next_row()) {
  }
  while (const auto text = input_.next_line(warnings_)) {
    const std::string_view line = trimmed(*text);
    if (!line.starts_with(kSectionStart)) continue;
    section_ = line.substr(kSectionStart.size());
    auto header = input_.next_line(warnings_);
    while (header && trimmed(*header).empty()) header = input_.next_line(warnings_);
    if (!header) break;
    if (trimmed(*header).starts_with(kSectionStart)) {
      throw InputError(input_.at(1), "expected the columns of section " + section_,
                       ErrorKind::kCutShort);
    }
    if (trimmed(*header) == std::string(kEnd) + section_) {
      section_.clear();
      continue;
    }
    header_line_ = input_.line_number();
    split(*header);
    columns_.assign(fields_.begin(), fields_.end());
    return section_;
  }
  if (!section_.empty()) {
    throw InputError({input_.name(), input_.line_number() + 1, 1},
                     "the file is cut short; expected the columns of section " + section_,
                     ErrorKind::kCutShort);
  }
  return {};
}

bool CsvSections::next_row() {
  if (section_.empty()) return false;
  while (const auto text = input_.next_line(warnings_)) {
    const std::string_view line = trimmed(*text);
    if (line.starts_with(kEnd) && line.substr(kEnd.size()) == section_) {
      section_.clear();
      return false;
    }
    if (line.starts_with(kSectionStart)) {
      throw InputError(input_.at(1), "expected END_" + section_ + " before the next section");
    }
    if (line.empty()) continue;
    split(*text);
    if (fields_.size() == columns_.size()) return true;
    warnings_.count(kOddRow, input_.line_number());
  }
  throw InputError({input_.name(), input_.line_number() + 1, 1},
                   "the file is cut short; expected END_" + section_, ErrorKind::kCutShort);
}

bool looks_like_csv_sections(std::string_view head) {
  return any_line(head, [](std::string_view line) {
    return line.starts_with(kSectionStart) || line.starts_with("# INDEX_TABLE");
  });
}

}  // namespace fatwood
