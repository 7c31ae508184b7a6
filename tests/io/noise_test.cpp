// SPDX-License-Identifier: BSD-3-Clause
// Lines that went through a terminal: every byte at every place of lines of every length up to a
// few words of the machine.
#include "io/base/noise.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fatwood {
namespace {

TEST(Noise, ALineStaysAsItIsUnlessItHasAControlCharacter) {
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

TEST(Noise, TwoControlsSideBySideAreBothSeen) {
  std::string storage;
  EXPECT_EQ(without_controls("aaaa\t\bzzzz", storage), "aaaazzzz");
  EXPECT_EQ(without_controls("\x1b[1mSwitch\x1b[0m 24", storage), "Switch 24");
  EXPECT_EQ(without_controls("aaaaaaa\x01\x02zzzzzzz", storage), "aaaaaaazzzzzzz");
}

TEST(Noise, KindsOfLines) {
  for (const char* const line :
       {"[root@node1 ~]# ibroute 5", "root@node1:~$", "root@node1:~$ ls", "user@h> x",
        "node7:~ # ls", "node7:/root # ls", "bash-4.2$ ls", "sh-5.1# ls", "$", "$ ls", "> x",
        "% ls", "--More--", "Script started on x", "Script done on x", "=~=~= PuTTY log"}) {
    EXPECT_EQ(noise_of(line), Noise::kPrompt) << line;
  }
  for (const char* const line :
       {"ibwarn: [7] x", "ibdebug: [7] x", "ibpanic: [7] x", "ibroute: iberror: failed: x",
        "/usr/sbin/ibroute: iberror: [pid 7] main: failed: x", "-bash: x: command not found",
        "bash: line 3: x", "src/query_smp.c:197; umad (DR path slid 0; dlid 0; 0,1) bad status"}) {
    EXPECT_EQ(noise_of(line), Noise::kMessage) << line;
  }
  EXPECT_EQ(noise_of("DR path slid 0; dlid 0; 0,1 -> new Switch {a1} portnum 0 lid 0-0 \"\""),
            Noise::kLog);
  for (const char* const line : {"",
                                 "[1](a1) \"S-1\"[2] # \"x@y\" lid 1 4xHDR",
                                 "Switch 4 \"S@1\" # \"a\"",
                                 "0x0001 003 # x",
                                 "36 lids dumped",
                                 "$x",
                                 "#",
                                 "# root@node",
                                 "@x",
                                 "Lid  Out   Destination",
                                 "S",
                                 "-",
                                 "=",
                                 "[1]",
                                 "[a@b",
                                 "a@b",
                                 "{ CA Ports:01",
                                 "srcs/x.c:1",
                                 "vendid=0x2c9",
                                 "DR path slid 0"}) {
    EXPECT_EQ(noise_of(line), Noise::kNone) << line;
  }
}

TEST(Noise, CleanLinesAreCounted) {
  Warnings warnings("file");
  std::string storage;
  EXPECT_EQ(clean_line("a b\r", 1, storage, warnings), "a b");
  EXPECT_EQ(warnings.texts().size(), 0U);
  EXPECT_EQ(clean_line("\x1b[1ma b", 2, storage, warnings), "a b");
  EXPECT_EQ(clean_line("  $ ls", 3, storage, warnings), std::nullopt);
  EXPECT_EQ(clean_line("\x1b[1mibwarn: [7] x", 4, storage, warnings), std::nullopt);
  EXPECT_EQ(clean_line("$ ls", 5, storage, warnings), std::nullopt);
  const std::vector<std::string> texts{
      "file:2: control characters in a line, skipped (here and 1 times more)",
      "file:3: a terminal's prompt, skipped (here and 1 times more)",
      "file:4: a tool's own message, skipped"};
  EXPECT_EQ(warnings.texts(), texts);
}

}  // namespace
}  // namespace fatwood
