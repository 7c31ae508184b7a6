// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/hostlist.hpp"

#include <cstdlib>

#include "fuzz.hpp"

// What expands is written and expands to the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fatwood::fuzz::try_reading(data, size, [](fatwood::Input& input) {
    while (const auto line = input.next_line()) {
      const std::vector<std::string> names = fatwood::expand_hostlist(*line, input.at(1));
      for (const std::string& name : names) {
        if (name.find_first_of("*,{}[] \t\r\n") != std::string::npos) return;
      }
      if (names.size() > 10000) return;
      if (fatwood::expand_hostlist(fatwood::hostlist_in_order(names)) != names) std::abort();
    }
  });
}
