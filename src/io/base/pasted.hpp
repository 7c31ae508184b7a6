// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Output of a tool that went through a terminal: a log of PuTTY, screen or script, or what a person
// copied. Tabs are gone, lines end in "\r\n", colours and prompts are left in.

#include <string>
#include <string_view>

namespace fatwood {

// The line without escape sequences, carriage returns and other control bytes but tabs, and without
// what a pager wrote over ("--More--", a carriage return, blanks, another, and the text). `storage`
// holds it where that is not the line itself.
std::string_view without_controls(std::string_view line, std::string& storage);

// A shell's prompt, with or without a command after it, or a line of the logging program:
// "[root@node1 ~]# ibnetdiscover", "root@node1:~$", "=~=~= PuTTY log 2024.05.01 =~=~=".
bool is_prompt(std::string_view line);

// What the tools of InfiniBand say on their standard error, in the file when both were sent there.
bool is_diagnostic(std::string_view line);

// Whether a line had more control characters than doubled line ends.
bool had_controls(std::string_view line, std::string_view without);

// How these are told of.
inline constexpr std::string_view kPromptSkipped = "a terminal's prompt, skipped";
inline constexpr std::string_view kDiagnosticSkipped = "a tool's own message, skipped";
inline constexpr std::string_view kControlsSkipped = "control characters in a line, skipped";

}  // namespace fatwood
