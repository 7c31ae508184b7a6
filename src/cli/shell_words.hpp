// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric as words that can be pasted into a shell: for commands that are suggested.

#include <string>
#include <string_view>

#include "cli/verb.hpp"

namespace fatwood::cli {

// In single quotes where a shell would not take it as it is.
std::string shell_word(std::string_view text);

// FABRIC with the options of its faults and hints.
std::string shell_words(const FabricArgument& fabric);

}  // namespace fatwood::cli
