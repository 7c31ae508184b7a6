// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lifelike fabrics for tests: formulas like four real machines, which a checkout has, and the real
// files as an extra where they lie next to it. No test skips: a test walks the names that are here.

#include <string>
#include <vector>

namespace fatwood::test {

// "like-x5" and other formulas stay as they are; of "x5/X5.topofile" and other files, the path.
std::string lifelike(const std::string& name);
// Formulas always are; files where they are found.
bool is_here(const std::string& name);
// Those of the names that are here, as load_fabric takes them.
std::vector<std::string> here(const std::vector<std::string>& names);

// All four, by formula first; smallest first.
std::vector<std::string> lifelike_fabrics();
// Without the two of Selene's size.
std::vector<std::string> small_lifelike_fabrics();

// Where this checkout lies.
std::string checkout();

}  // namespace fatwood::test
