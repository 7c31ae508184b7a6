// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/words.hpp"

#include <algorithm>

namespace fatwood {

namespace {

constexpr std::string_view kBlank = " \t\r\v\f";

}  // namespace

std::vector<Word> split_words(std::string_view line, const Location& where) {
  std::vector<Word> words;
  std::size_t at = line.find_first_not_of(kBlank);
  while (at != std::string_view::npos && line[at] != '#') {
    const std::size_t column = at + 1;
    std::size_t end = 0;
    if (line[at] == '"') {
      const std::size_t close = line.find('"', at + 1);
      if (close == std::string_view::npos) {
        throw InputError({where.file, where.line, column}, "expected '\"' to end this name");
      }
      words.push_back({std::string(line.substr(at + 1, close - at - 1)), column});
      end = close + 1;
      if (end < line.size() && line[end] != '#' && kBlank.find(line[end]) == kBlank.npos) {
        throw InputError({where.file, where.line, end + 1}, "expected a blank after '\"'");
      }
    } else {
      end = std::min(line.size(), line.find_first_of(" \t\r\v\f#", at));
      words.push_back({std::string(line.substr(at, end - at)), column});
    }
    at = line.find_first_not_of(kBlank, end);
  }
  return words;
}

std::string as_word(std::string_view text) {
  const bool plain =
      !text.empty() && text.find_first_of(" \t\r\v\f#") == text.npos && !text.starts_with('"');
  return plain ? std::string(text) : '"' + std::string(text) + '"';
}

}  // namespace fatwood
