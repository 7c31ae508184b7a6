// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A text file in parts of whole sections, for a reader that works on several parts at once.
//
// A section begins with a header: a line that begins with a given word, after blanks or not. A part
// ends before the first header after a given number of bytes, so that parts are the same however
// the bytes come in. What is before the first header belongs to the first part. Parts have the
// file's line numbers, which costs a count of its line ends. Memory: that of the parts in use.

#include <cstddef>
#include <string_view>
#include <vector>

#include "io/base/input.hpp"

namespace fatwood {

class InputParts {
 public:
  // The header's second letter should be rare in the file: it is what is looked for. The input must
  // outlive this.
  InputParts(Input& input, std::string_view header, std::size_t least)
      : input_(input), header_(header), least_(least), lines_(input.line_number()) {}

  // The next part; its size is 0 at the end of the file. `memory` is used again for it. InputError
  // when a section is larger than 256 MiB.
  InputPart next(std::vector<char> memory);
  std::size_t lines() const { return lines_; }  // of the file so far

 private:
  Input& input_;
  std::string_view header_;
  std::size_t least_;          // bytes of a part
  std::vector<char> carried_;  // read and not given yet
  std::size_t parts_ = 0;
  std::size_t lines_;  // of the file, before the next part
};

}  // namespace fatwood
