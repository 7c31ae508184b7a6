// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Splits a line of one of Fatwood's own files into words, with their columns. '#' starts a comment.
// A word in double quotes may contain blanks and '#', as names of hosts do.

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

// `where`: file and line. InputError if a quote is not closed, or text follows it directly.
std::vector<Word> split_words(std::string_view line, const Location& where);

// The inverse of split_words: quoted if necessary.
std::string as_word(std::string_view text);

// Calls read(word) and adds the position of the word to an InputError.
template <class Read>
auto read_word(const Location& where, const Word& word, const Read& read) {
  try {
    return read(word.text);
  } catch (const InputError& error) {
    throw error.at({where.file, where.line, word.column});
  }
}

}  // namespace fatwood
