// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The list of changes of the what-if: lines of a --faults file (io/lists/fault_file.hpp). A request
// adds lines, or removes one by "restore WHAT". The worker checks the names.

#include <string>
#include <string_view>
#include <vector>

namespace fatwood::serve {

inline constexpr std::size_t kMostChanges = 200;

// The lines with content, trimmed. InputError if there are too many.
std::vector<std::string> change_lines(std::string_view text);

// The list after a request. InputError if there is nothing to restore, or the list gets too long.
std::vector<std::string> with_changes(std::vector<std::string> list, std::string_view text);

}  // namespace fatwood::serve
