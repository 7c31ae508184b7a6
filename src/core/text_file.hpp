// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A file of ours that is read line by line. The formats of other programs come through
// io/base/input.hpp, which also unpacks.

#include <cstddef>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace fatwood {

// InputError naming the file when it can't be read or is a directory.
std::ifstream open_text(const std::string& path);

// The lines of a text, one by one, in constant memory. Hostile input is bounded: a line is 64 KiB
// at most. What can't be read is an error, not the end.
class TextLines {
 public:
  // REQUIRES: the stream outlives this. `file` is its name in messages.
  TextLines(std::istream& in, std::string file);

  // The next line without its end ("\n" or "\r\n"), alive until the next call; nothing at the end
  // of the text. InputError where a line is too long or the text can't be read.
  std::optional<std::string_view> next();
  std::size_t number() const { return number_; }  // of the line last given
  Location where() const { return {file_, number_, 0}; }

 private:
  std::istream& in_;
  std::string file_;
  std::vector<char> line_;
  std::size_t number_ = 0;
};

}  // namespace fatwood
