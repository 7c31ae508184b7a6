// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The HTML of the page with style and script, and markers for title and data. Made from web/ at
// build time; empty if the program was built without npm.

#include <string_view>

namespace fatwood {

std::string_view page_template();

}  // namespace fatwood
