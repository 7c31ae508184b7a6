// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What is said about wrong input, for tests of messages.

#include <string>

#include "core/error.hpp"

namespace fatwood::test {

// The message of the InputError that `work` throws, or "no error".
template <class Work>
std::string input_error_of(const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace fatwood::test
