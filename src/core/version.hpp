// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The one version: of the program, of the library and in JSON. CMakeLists.txt gives it.

#include <string_view>

namespace fatwood {

std::string_view version();  // "0.2.0"

}  // namespace fatwood
