// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Files that the tests keep.

#include <filesystem>
#include <string>

#include "support/real_fabrics.hpp"

namespace fatwood::test {

// A path below tests/.
inline std::filesystem::path kept(const std::string& name) { return checkout() + "/tests/" + name; }

}  // namespace fatwood::test
