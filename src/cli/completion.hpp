// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// fatwood complete WORD...: what the last word could become, for the shells (completion/).
//
// A line for each candidate: the word, and after a tab what it is. The line "*files*" says that
// files are good, too. Nothing here is a list of its own: verbs and options come from the command
// line, engines, families, traffic, collectives and studies from their tables, and names of hosts
// and switches from the fabric that is among the words.

#include <span>
#include <string>

#include "cli/command_line.hpp"

namespace fatwood::cli {

// `words`: those after "fatwood", the last of which is being typed. REQUIRES an app with the verb
// that they name, or with all verbs.
std::string completions(const CommandLine& app, std::span<const char* const> words);

}  // namespace fatwood::cli
