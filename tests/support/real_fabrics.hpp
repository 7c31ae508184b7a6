#pragma once
// Where the real fabrics lie, for tests that read them; such a test skips when they are absent.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace fatwood::test {

std::string real_fabric(const std::string& name);

}  // namespace fatwood::test

#define FATWOOD_NEED_REAL_FABRIC(path)                                            \
  do {                                                                            \
    if (!std::filesystem::exists(path)) GTEST_SKIP() << (path) << " is not here"; \
  } while (false)
