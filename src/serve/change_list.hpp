// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The list of changes of the what-if: lines of a --faults file (io/lists/fault_file.hpp). A request
// brings more of them, and "restore WHAT" to take one out. What they name is checked by the worker.

#include <string>
#include <string_view>
#include <vector>

namespace fatwood::serve {

inline constexpr std::size_t kMostChanges = 200;

// The lines that say something, trimmed. InputError for too many.
std::vector<std::string> change_lines(std::string_view text);

// The list after a request. InputError if there is nothing to restore, or too much to keep.
std::vector<std::string> with_changes(std::vector<std::string> list, std::string_view text);

}  // namespace fatwood::serve
