// SPDX-License-Identifier: BSD-3-Clause
// Lines that went through a terminal: every byte at every place of lines of every length up to a
// few words of the machine.
#include "io/base/pasted.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fatwood {
namespace {

TEST(Pasted, ALineStaysAsItIsUnlessItHasAControlCharacter) {
  std::string storage;
  for (std::size_t size = 1; size <= 20; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string line(size, 'a');
        for (std::size_t i = 0; i < size; i += 3) line[i] = '\t';
        line[at] = static_cast<char>(byte);
        const bool control = (byte < 0x20 && byte != '\t') || byte == 0x7f;
        EXPECT_EQ(without_controls(line, storage) != line, control)
            << "byte " << byte << " at " << at << " of " << size;
      }
    }
  }
}

TEST(Pasted, TwoControlsSideBySideAreBothSeen) {
  std::string storage;
  EXPECT_EQ(without_controls("aaaa\t\bzzzz", storage), "aaaazzzz");
  EXPECT_EQ(without_controls("\x1b[1mSwitch\x1b[0m 24", storage), "Switch 24");
  EXPECT_EQ(without_controls("aaaaaaa\x01\x02zzzzzzz", storage), "aaaaaaazzzzzzz");
}

}  // namespace
}  // namespace fatwood
