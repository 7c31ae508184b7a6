// SPDX-License-Identifier: BSD-3-Clause
#include "cli/shell_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace fatwood::cli {

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain = "-_./:=,+@%";
  const bool plain = !text.empty() && std::ranges::all_of(text, [&](unsigned char c) {
    return std::isalnum(c) != 0 || kPlain.find(static_cast<char>(c)) != kPlain.npos;
  });
  if (plain) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

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

ShellCommand::ShellCommand(std::string_view verb, const FabricArgument& fabric, Folders folders)
    : folders_(folders) {
  text_ = fmt::format("{}{}", verb, shell_word(file(fabric.name)));
  add_file("--node-name-map", fabric.node_name_map);
  add_flag("--lenient", fabric.lenient);
  add_file("--ibnl", fabric.ibnl);
  add("--cut", fabric.cut);
  add("--remove", fabric.remove);
  add_files("--faults", fabric.fault_files);
  if (fabric.fault_seed != FabricArgument{}.fault_seed) {
    add("--fault-seed", std::to_string(fabric.fault_seed));
  }
  add_flag("--keep-connected", fabric.keep_connected);
  add_file("--roots", fabric.roots);
  add_file("--compute", fabric.compute);
  add_file("--io", fabric.io);
  add_file("--uncounted", fabric.uncounted);
  add_flag("--count-aggregation", fabric.count_aggregation);
  add_flag("--count-flows", fabric.count_flows);
}

}  // namespace fatwood::cli
