// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// fatwood complete WORD...: completions of the last word, for shells (completion/).
//
// One line per candidate: the word, a tab, and its description. The line "*files*" means that files
// are possible, too. There are no separate lists here: verbs and options come from the command
// line; engines, families, traffic, collectives and studies from their tables; names of hosts and
// switches from the fabric among the words.

#include <span>
#include <string>

#include "cli/command_line.hpp"

namespace fatwood::cli {

// `words`: those after "fatwood"; the last one is being typed. REQUIRES an app with the verb among
// them, or with all verbs.
std::string completions(const CommandLine& app, std::span<const char* const> words);

}  // namespace fatwood::cli
