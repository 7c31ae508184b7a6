// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Noise: what a file of a tool's output has besides that output. A log of PuTTY, screen or script
// has prompts, colours and lines that end in "\r\n"; a file of both outputs of a tool has its error
// messages; `ibnetdiscover -s` prints a log of its discovery first. Readers of all text formats get
// their lines through Input::next_line(Warnings&), which leaves noise out and counts it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/base/warnings.hpp"

namespace fatwood {

enum class Noise : std::uint8_t {
  kNone,
  kPrompt,   // "[root@node1 ~]# ibnetdiscover", "Script started on ...", "--More--"
  kMessage,  // of a tool or a shell: "ibroute: iberror: failed: ...", "-bash: ..."
  kLog,      // "DR path slid 0; dlid 0; 0,1 -> new Switch {...} portnum 0 lid 0-0 ..."
};

// Of a line from its first letter.
Noise noise_of(std::string_view line);

// The line without escape sequences, carriage returns and other control bytes but tabs, and without
// what a pager wrote over ("--More--", a carriage return, blanks, another, and the text). `storage`
// holds it where that is not the line itself.
std::string_view without_controls(std::string_view line, std::string& storage);

// The line without control bytes; no value if it is noise. Both are counted in `warnings`.
std::optional<std::string_view> clean_line(std::string_view line, std::size_t number,
                                           std::string& storage, Warnings& warnings);

}  // namespace fatwood
