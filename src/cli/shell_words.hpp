// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric as words for a shell, for commands that are suggested to the user.

#include <string>
#include <string_view>

#include "cli/verb.hpp"

namespace fatwood::cli {

// In single quotes if necessary.
std::string shell_word(std::string_view text);

// FABRIC with the options of its faults and hints.
std::string shell_words(const FabricArgument& fabric);

}  // namespace fatwood::cli
