// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One word of a command that is suggested to the user.

#include <string>
#include <string_view>

namespace fatwood {

// In single quotes if a shell would read it otherwise.
std::string shell_word(std::string_view text);

}  // namespace fatwood
