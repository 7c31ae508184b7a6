#pragma once
// Files that the tests keep.

#include <filesystem>
#include <string>

#include "support/real_fabrics.hpp"

namespace fatwood::test {

// A path below tests/. The tests know where the checkout lies by the place of the real fabrics,
// which is beside it.
inline std::filesystem::path kept(const std::string& name) {
  const std::string fabrics = real_fabric("");
  return fabrics.substr(0, fabrics.rfind("/../")) + "/tests/" + name;
}

}  // namespace fatwood::test
