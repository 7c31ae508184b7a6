// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lines and records of text files: the comments around a file, lines that belong to no record, and
// the loops over lines.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "io/base/cursor.hpp"
#include "io/base/input.hpp"
#include "io/base/warnings.hpp"

namespace fatwood {

// The comments that ibdiagnet2 puts around each of its files except db_csv. If there is a line "#
// File created at", there must be "# File closed at" at the end; otherwise the file is truncated.
class Frame {
 public:
  // Called with each line that begins with '#'.
  void see(std::string_view comment) {
    if (comment.starts_with("# File created")) last_ = Line::kCreated;
    if (comment.starts_with("# File closed")) last_ = Line::kClosed;
  }
  // Adds what was seen in a later part of the file.
  void append(const Frame& later) {
    if (later.last_ != Line::kNone) last_ = later.last_;
  }
  // Called at the end of the file.
  void require_closed(const Location& after) const {
    if (last_ != Line::kCreated) return;
    throw InputError(after, "the file is cut short; expected '# File closed at'",
                     ErrorKind::kCutShort);
  }
  void require_closed(const Input& input) const {
    require_closed(Location{input.name(), input.line_number() + 1, 1});
  }

 private:
  enum class Line : std::uint8_t { kNone, kCreated, kClosed };
  Line last_ = Line::kNone;
};

// Lines of an unknown kind, such as text that a terminal or a mail put around the records. They are
// skipped before the first record and after the last. Between two records they are an error.
class StrayLines {
 public:
  // `known`: what was expected instead.
  void add(const Input& input, const Cursor& line, std::string_view known) {
    if (count_++ > 0) return;
    at_ = input.at(line.column());
    message_ = line.expectation(known);
  }
  // Called when a record follows: InputError at the first stray line.
  void refuse() const {
    if (count_ > 0) throw InputError(at_, message_);
  }
  // Called at the start or end of the file, where stray lines are allowed.
  void skip(Warnings& warnings, std::string_view kind) {
    for (; count_ > 0; --count_) warnings.count(kind, at_.line);
  }

 private:
  std::size_t count_ = 0;
  Location at_;          // of the first
  std::string message_;  // about it
};

// Whether some line satisfies `test`, which gets the line without leading blanks.
template <class Test>
bool any_line(std::string_view text, const Test& test) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    while (line.ends_with('\r')) line.remove_suffix(1);
    while (line.starts_with(' ') || line.starts_with('\t')) line.remove_prefix(1);
    if (test(line)) return true;
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
  return false;
}

// Calls read(Cursor&) with each line that is neither empty nor a comment, without leading blanks.
template <class Read>
void each_record(Input& input, Warnings& warnings, const Read& read) {
  while (const auto text = input.next_line(warnings)) {
    Cursor line(*text, input.name(), input.line_number());
    line.skip_space();
    if (!line.at_end() && line.peek() != '#') read(line);
  }
}

}  // namespace fatwood
