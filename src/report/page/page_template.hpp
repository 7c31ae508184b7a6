// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The page's HTML with its style and script, and marks where title and data go. Made from web/ at
// build time; empty in a program that was built without npm.

#include <string_view>

namespace fatwood {

std::string_view page_template();

}  // namespace fatwood
