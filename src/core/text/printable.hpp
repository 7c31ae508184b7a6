// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text that is safe to print. Names and messages hold what files say, and a file can hold bytes
// that a terminal obeys: escape sequences, C1 controls (U+009B begins a sequence, too), marks that
// reverse the direction of text.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fatwood {

// The UTF-8 character at the start of a text: its code point and its length in bytes. Length 0: the
// text does not start with one; `code` is then its first byte, to be read as Latin-1.
struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;
};
Character first_character(std::string_view text);  // REQUIRES !text.empty()

// C0 and C1 controls, DEL, line and paragraph separators, and marks of direction.
bool is_unsafe(std::uint32_t code);

// "\u001b" for each unsafe character; bytes that are not UTF-8 are read as Latin-1. What it returns
// it leaves as it is, so a printed name can be given as input.
std::string printable(std::string_view name);
// The same for text of several lines, which keeps line ends and tabs.
std::string printable_text(std::string_view text);

}  // namespace fatwood
