// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The comments that ibdiagnet2 puts around each of its files except db_csv. If there is a line "#
// File created at", there must be "# File closed at" at the end; otherwise the file is truncated.

#include <cstdint>
#include <string_view>

#include "core/error.hpp"
#include "io/base/input.hpp"

namespace fatwood {

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
    throw InputError(after, "the file is cut short; expected '# File closed at'");
  }
  void require_closed(const Input& input) const {
    require_closed(Location{input.name(), input.line_number() + 1, 1});
  }

 private:
  enum class Line : std::uint8_t { kNone, kCreated, kClosed };
  Line last_ = Line::kNone;
};

}  // namespace fatwood
