// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text in lines that fit a terminal.

#include <cstddef>
#include <string>
#include <string_view>

namespace fatwood {

// Breaks between words so that no line has more than `columns` characters (of UTF-8), except for a
// longer word. The text starts in column `indent`, and further lines are indented so. 0 columns: no
// limit, one line.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns);

}  // namespace fatwood
