// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The version of the program, of the library and in JSON, set in CMakeLists.txt.

#include <string_view>

namespace fatwood {

std::string_view version();  // "1.0.0"

}  // namespace fatwood
