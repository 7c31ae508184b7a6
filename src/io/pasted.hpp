// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Output of a tool that went through a terminal: a log of PuTTY, screen or script, or what a person
// copied. Tabs are gone, lines end in "\r\n", colours and prompts are left in.

#include <string>
#include <string_view>

namespace fatwood {

// The line without escape sequences, carriage returns and other control bytes but tabs. `storage`
// holds it where that is not the line itself.
std::string_view without_controls(std::string_view line, std::string& storage);

// A shell's prompt, with or without a command after it, or a line of the logging program:
// "[root@node1 ~]# ibnetdiscover", "root@node1:~$", "=~=~= PuTTY log 2024.05.01 =~=~=".
bool is_prompt(std::string_view line);

}  // namespace fatwood
