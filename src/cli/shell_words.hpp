// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric as words for a shell, for commands that are suggested to the user.

#include <string>
#include <string_view>

#include "cli/options/given_options.hpp"
#include "cli/verb.hpp"
#include "core/text/shell_word.hpp"

namespace fatwood::cli {

// Whether a command has the folders of its files: a page that is given away does not.
enum class Folders { kKept, kDropped };

// A command with a fabric and the options of its faults and hints; other options are added. An
// option that was not given ("") is left out.
class ShellCommand {
 public:
  // `verb`: "fatwood report "; "": the words of the fabric alone.
  ShellCommand(std::string_view verb, const FabricRequest& fabric, Folders folders);

  void add(std::string_view option, const std::string& value);
  void add(std::string_view option, const std::vector<std::string>& values);
  void add_file(std::string_view option, const std::string& path);
  void add_files(std::string_view option, const std::vector<std::string>& paths);
  void add_flag(std::string_view option, bool given);
  // The parameters that differ from their defaults.
  template <class Request>
  void add(const Request& request) {
    add(GivenOptions(request));
  }
  const std::string& text() const { return text_; }

 private:
  void add(const GivenOptions& given);
  std::string file(const std::string& path) const;

  Folders folders_;
  std::string text_;
};

}  // namespace fatwood::cli
