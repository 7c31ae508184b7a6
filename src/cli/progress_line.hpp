// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The progress of the program on a terminal: one line, drawn by a thread of its own.
//
// The line appears when the program has run for a second, whatever it does: with a bar while a
// computation reports its progress, otherwise with the seconds so far. Whatever is printed to
// standard output or standard error erases it first, and so does the end of the program: nothing of
// it stays on the screen. If standard error is not a terminal, nothing is drawn.

#include <string>

#include "core/progress.hpp"

namespace fatwood::cli {

class ProgressLine {
 public:
  // `label`: "fatwood check". Draws until it is destroyed.
  explicit ProgressLine(std::string label);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
};

// Reports to the line, or nowhere if there is none. The bar disappears with the last copy.
Progress progress_on_line(std::string label);

}  // namespace fatwood::cli
