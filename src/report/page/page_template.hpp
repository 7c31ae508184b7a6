// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The page in parts. Made from web/ at build time; all empty if the program was built without npm.

#include <string_view>

namespace fatwood {

struct PageTemplate {
  std::string_view html;  // with marks for title, head, data and script (page.cpp)
  std::string_view style, script;
};
PageTemplate page_template();

}  // namespace fatwood
