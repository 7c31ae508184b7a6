// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Splits a text file into parts of whole sections, for a reader that works on several parts at
// once.
//
// A section begins with a header: a line that begins with a given word, possibly after blanks. A
// part ends before the first header after a given number of bytes, so parts do not depend on how
// the bytes arrive. Text before the first header belongs to the first part. Lines are counted, so
// that messages about a part have the line numbers of the file. Memory: that of the parts in use.

#include <cstddef>
#include <string_view>
#include <vector>

#include "io/base/input.hpp"

namespace fatwood {

class InputParts {
 public:
  // The second letter of `header` is searched for, so it should be rare in the file. The input must
  // outlive this.
  InputParts(Input& input, std::string_view header, std::size_t least)
      : input_(input), header_(header), least_(least), lines_(input.line_number()) {}

  // The next part; its size is 0 at the end of the file. `memory` is reused. InputError if a
  // section exceeds 256 MiB.
  InputPart next(std::vector<char> memory);
  std::size_t lines() const { return lines_; }  // of the file so far

 private:
  Input& input_;
  std::string_view header_;
  std::size_t least_;          // bytes of a part
  std::vector<char> carried_;  // read but not yet returned
  std::size_t parts_ = 0;
  std::size_t lines_;  // of the file, before the next part
};

}  // namespace fatwood
