// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Reads Fatwood's own text files line by line. Formats of other programs are read by
// io/base/input.hpp, which also decompresses.

#include <cstddef>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace fatwood {

// InputError, with the file name, if it cannot be read or is a directory.
std::ifstream open_text(const std::string& path);

// The lines of a text, one by one, in constant memory. A line has at most 64 KiB, so hostile input
// cannot use up memory. A read error is an error, not the end of the text.
class TextLines {
 public:
  // REQUIRES that the stream outlives this. `file` is its name in messages.
  TextLines(std::istream& in, std::string file);

  // The next line without its end ("\n" or "\r\n"), valid until the next call; no value at the end.
  // InputError if a line is too long or the text cannot be read.
  std::optional<std::string_view> next();
  std::size_t number() const { return number_; }  // of the last line
  Location where() const { return {file_, number_, 0}; }

 private:
  std::istream& in_;
  std::string file_;
  std::vector<char> line_;
  std::size_t number_ = 0;
};

}  // namespace fatwood
