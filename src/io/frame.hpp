// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The comments that ibdiagnet2 puts around each of its files but db_csv: some lines on how it was
// made, of which "# File created at" tells that there must be a "# File closed at" at the end. Its
// absence is a cut-off file.

#include <string_view>

#include "core/error.hpp"
#include "io/input.hpp"

namespace fatwood {

class Frame {
 public:
  // A line that begins with '#'.
  void see(std::string_view comment) {
    if (comment.starts_with("# File created")) open_ = true;
    if (comment.starts_with("# File closed")) open_ = false;
  }
  // At the file's end.
  void require_closed(const Input& input) const {
    if (!open_) return;
    throw InputError({input.name(), input.line_number() + 1, 1},
                     "the file is cut short; expected '# File closed at'");
  }

 private:
  bool open_ = false;
};

}  // namespace fatwood
