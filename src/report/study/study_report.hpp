// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and files of `fatwood study`: published values next to ours. The man page explains the keys.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/fraction.hpp"
#include "report/plot/plot.hpp"

namespace fatwood {

// A published value is null if the paper has none, and a text if the paper has words. Exact ratios
// are strings. "difference" is ours minus published, null unless both are numbers.

// No value, a measured number, an exact one (its text is the fraction), or words.
struct StudyValue {
  StudyValue() = default;
  StudyValue(double value) : number(value) {}  // NOLINT(google-explicit-constructor)
  StudyValue(Fraction value)                   // NOLINT(google-explicit-constructor)
      : number(value.value()), text(value.to_string()) {}
  StudyValue(std::string words) : text(std::move(words)) {}  // NOLINT(google-explicit-constructor)
  StudyValue(const char* words) : text(words) {}             // NOLINT(google-explicit-constructor)

  std::optional<double> number = {};
  std::string text = "";  // "": the number, or nothing
};

struct StudyRow {
  std::vector<std::string> labels = {};
  StudyValue published = {}, ours = {};
  std::vector<StudyValue> more = {};
  double seconds = 0;
};

// Decided by a rule in the study's source, from the measured values alone.
enum class StudyVerdict : std::uint8_t {
  kNotSeen,
  kInPart,  // the claimed order or trend, or a part of the claim, but not its values
  kSeen,
};

inline StudyVerdict verdict_of(bool whole, bool part = false) {
  return whole ? StudyVerdict::kSeen : part ? StudyVerdict::kInPart : StudyVerdict::kNotSeen;
}

struct StudyResult {
  std::string name = "", paper = "", claim = "";
  StudyVerdict verdict = StudyVerdict::kNotSeen;
  std::string finding = "";  // a sentence with the deciding figures
  std::string size = "";     // "quick" or "full"
  std::vector<std::string> label_names = {};
  std::string ours_name = "ours";            // of that column
  std::vector<std::string> more_names = {};  // of additional columns
  std::vector<StudyRow> rows = {};
  std::vector<PlotPanel> panels = {};
  double seconds = 0;  // CPU time of all measurements, also of earlier runs
};

// Ours minus published, if both are numbers.
std::optional<double> difference(const StudyRow& row);

struct StudyTitle {
  std::string_view name, paper, claim;
};
std::string study_list_text(const std::vector<StudyTitle>& titles);
// {"studies": [{"name", "paper", "claim"}]}
std::string study_list_json(const std::vector<StudyTitle>& titles);

std::string study_text(const StudyResult& result);
std::string study_json(const StudyResult& result);
// {"studies": [..]}
std::string studies_json(const std::vector<StudyResult>& results);
std::string study_csv(const StudyResult& result);
// The panels of the study; if it has none, published and ours by row.
std::string study_svg(const StudyResult& result);
// The result as a section of a page in Markdown.
std::string study_markdown(const StudyResult& result);
// The same for several, after a table of verdicts.
std::string studies_markdown(const std::vector<StudyResult>& results);

// One measured point of a study, stored between runs as JSON: {"key", "seconds", "numbers": {name:
// number}, "texts": {name: text}}. The key has everything that the point depends on. Numbers are
// restored to the last bit.
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
