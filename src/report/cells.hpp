// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Texts in CSV rows, and in pages and drawings.

#include <string>
#include <string_view>
#include <vector>

namespace fatwood {

// Cells are in quotes if necessary, on one line.
std::string csv_line(const std::vector<std::string>& cells);
// For HTML and SVG, also between double quotes.
std::string escaped(std::string_view text);

}  // namespace fatwood
