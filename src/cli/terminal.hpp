// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Output for a person at a terminal in addition to the result: colour, progress, files written.

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "cli/verb.hpp"

namespace fatwood::cli {

// `word`: of --color. With auto, colour goes to a terminal unless NO_COLOR is set (no-color.org)
// or TERM is "dumb".
Colour chosen_colour(const std::string& word, const Session& session);

// On stderr: "wrote page.html (4.1 MB)".
void say_written(std::span<const std::pair<std::string, std::uintmax_t>> files);

// "512 bytes", "4.1 MB".
std::string size_text(std::uintmax_t bytes);

}  // namespace fatwood::cli
