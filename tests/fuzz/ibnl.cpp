// SPDX-License-Identifier: BSD-3-Clause
#include "plan/formats/ibnl.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fatwood::fuzz::try_reading(data, size, [](fatwood::Input& input) {
    fatwood::IbnlLibrary library;
    library.read(input);
    for (const char* type : {"Box", "Card"}) {
      if (library.has(type)) library.inside(type, {});
    }
  });
}
