// SPDX-License-Identifier: BSD-3-Clause
#include "io/lists/node_list.hpp"

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fatwood::TerminalNames names(fatwood::fuzz::small_fabric());
  return fatwood::fuzz::try_reading(data, size, [](fatwood::Input& input) {
    while (const auto line = input.next_line()) {
      try {
        names.terminals(*line, input.at(1));
      } catch (const fatwood::InputError&) {
      }
      names.switch_of(*line, input.at(1));
    }
  });
}
