// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood check`: cabling, safety, speed, and the commands to run next. The man
// page explains the keys.
//
// Findings are sorted by severity, then by cost. "of_port" is the rate of the worst pair relative
// to the speed of a host port, "of_possible" relative to the best that any routing could give here.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/colour.hpp"
#include "report/fabric/show_report.hpp"
#include "report/json.hpp"
#include "tasks/check.hpp"

namespace fatwood {

// The tables that were given, as words for a shell.
struct CheckedTables {
  std::string word;    // as typed; "": none, so an engine was chosen
  bool files = false;  // not an engine or an algebraic routing
  std::string lanes;   // " --sl FILE --sl2vl FILE"
};

struct CheckReport {
  const Model& model;
  const Fabric& fabric;
  std::string name;  // as typed, quoted for a shell, with the options of its faults
  CheckedTables tables;
  std::string summary;  // of the fabric
  CheckResult result;
  std::vector<ReportedFinding> findings;  // sorted by report_check()

  Health cabling() const;
  bool given() const { return !tables.word.empty(); }
  // With the tables given, or with those of the engine chosen: every pair has a route without
  // deadlock; pairs of intended components (planes) have none.
  bool safe_with() const;
  // Tables are incomplete, and what they have is safe.
  bool safety_unknown() const {
    return result.verdict.reachability.unknown.total() > 0 && !result.verdict.fails_surely();
  }
  bool bad() const;  // something is red, or safety is unknown: exit code 1
};

// Sorts the findings of a fabric, and further ones (of cables, quality_report.hpp).
CheckReport report_check(const Model& model, const ShowReport& shown, CheckResult result,
                         std::string name, CheckedTables tables,
                         std::vector<ReportedFinding> further = {});

// A row below a line: "limited by", "LG24-05; at most 191 Gb/s possible".
struct CheckRow {
  std::string word, text;
  std::optional<Severity> severity;  // of a finding, or of notes
};
// A line of the verdict: the text, and what the page shows on top.
struct CheckLine {
  std::string topic;             // "cabling"
  std::optional<Health> health;  // none: the question was not answered
  std::string text;
  std::vector<CheckRow> rows;  // what was found, and advice
  bool is_sentence = false;    // "jobs: 64 neighbouring hosts get ...": no question
};
std::vector<CheckLine> check_lines(const CheckReport& report);
// "OK", "WARNING", "BAD", "-" (not answered), "" (no question)
std::string_view health_word(const CheckLine& line);

// `columns`: the width of the terminal; 0: lines are not broken.
std::string check_text(const CheckReport& report, Colour colour, std::size_t columns = 0);
Json check_object(const CheckReport& report);

}  // namespace fatwood
