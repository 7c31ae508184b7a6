// SPDX-License-Identifier: BSD-3-Clause
#include "cli/shell_words.hpp"

#include <fmt/format.h>

namespace fatwood::cli {

void ShellCommand::add(std::string_view option, const std::string& value) {
  if (!value.empty()) text_ += fmt::format(" {} {}", option, shell_word(value));
}

void ShellCommand::add(std::string_view option, const std::vector<std::string>& values) {
  for (const std::string& value : values) add(option, value);
}

void ShellCommand::add_file(std::string_view option, const std::string& path) {
  add(option, file(path));
}

void ShellCommand::add_files(std::string_view option, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) add_file(option, path);
}

void ShellCommand::add_flag(std::string_view option, bool given) {
  if (given) text_ += fmt::format(" {}", option);
}

std::string ShellCommand::file(const std::string& path) const {
  return folders_ == Folders::kKept ? path : std::filesystem::path(path).filename().string();
}

ShellCommand::ShellCommand(std::string_view verb, const FabricRequest& fabric, Folders folders)
    : folders_(folders) {
  text_ = fmt::format("{}{}", verb, shell_word(file(fabric.name)));
  add(fabric.read);
  add(fabric.faults);
  add(fabric.levels);
  add(fabric.balance);
  add(fabric.speeds);
}

void ShellCommand::add(const GivenOptions& given) {
  for (const GivenOption& one : given.options) {
    if (one.words.empty()) add_flag(one.name, one.flag);
    for (const std::string& word : one.words) add(one.name, one.file ? file(word) : word);
  }
}

}  // namespace fatwood::cli
