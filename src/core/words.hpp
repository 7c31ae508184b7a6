// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The words of a line of a file of ours, with their columns. '#' starts a comment. A word in double
// quotes may hold blanks and '#': names of hosts do.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace fatwood {

struct Word {
  std::string text;
  std::size_t column;  // from 1
};

// `where`: file and line. InputError where a quote is not closed, or text follows it at once.
std::vector<Word> split_words(std::string_view line, const Location& where);

// As split_words reads it back: in quotes where it needs some.
std::string as_word(std::string_view text);

// Calls read(word) and gives an InputError that it throws the place of that word.
template <class Read>
auto read_word(const Location& where, const Word& word, const Read& read) {
  try {
    return read(word.text);
  } catch (const InputError& error) {
    throw InputError({where.file, where.line, word.column}, error.what());
  }
}

}  // namespace fatwood
