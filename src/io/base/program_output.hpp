// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Reads the output of another program, such as infiniband-diags.

#include <string>
#include <string_view>
#include <vector>

namespace fatwood {

// Runs the program, found by PATH or in /usr/sbin and /sbin, without a shell, and returns its
// standard output. InputError if it cannot be started or fails, with the last line of its standard
// error and `advice`.
std::string program_output(const std::vector<std::string>& words, std::string_view advice = {});

}  // namespace fatwood
