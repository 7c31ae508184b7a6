// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Noise: text in a file besides the output of a tool. A log of PuTTY, screen or script has prompts,
// colours and "\r\n" line ends; a file with both outputs of a tool has its error messages;
// `ibnetdiscover -s` first prints a log of its discovery. Readers of all text formats get their
// lines from Input::next_line(Warnings&), which removes and counts noise.

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

// `line` starts with its first letter.
Noise noise_of(std::string_view line);

// The line without escape sequences, carriage returns and other control bytes except tabs, and
// without text that a pager overwrote ("--More--", a carriage return, blanks, another carriage
// return, and the text). `storage` holds the result if it differs from the line.
std::string_view without_controls(std::string_view line, std::string& storage);

// The line without control bytes; no value if it is noise. Both are counted in `warnings`.
std::optional<std::string_view> clean_line(std::string_view line, std::size_t number,
                                           std::string& storage, Warnings& warnings);

}  // namespace fatwood
