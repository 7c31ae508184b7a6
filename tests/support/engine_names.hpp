// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Names of all engines as parameters of tests, and as parts of those tests' names.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "routing/engine.hpp"

namespace fatwood::test {

inline std::vector<std::string_view> engine_names() {
  std::vector<std::string_view> names;
  for (const Engine& engine : engines()) names.push_back(engine.name);
  return names;
}

// GoogleTest takes letters, digits and underscores only.
inline std::string engine_test_name(const testing::TestParamInfo<std::string_view>& info) {
  std::string name(info.param);
  if (name.back() == '+') name.replace(name.size() - 1, 1, "_plus");
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace fatwood::test
