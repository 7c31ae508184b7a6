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

std::string shell_words(const FabricArgument& fabric) {
  std::string text = shell_word(fabric.name);
  const auto add = [&](std::string_view option, const std::string& value) {
    if (!value.empty()) text += fmt::format(" {} {}", option, shell_word(value));
  };
  const auto add_all = [&](std::string_view option, const std::vector<std::string>& values) {
    for (const std::string& value : values) add(option, value);
  };
  add("--node-name-map", fabric.node_name_map);
  if (fabric.lenient) text += " --lenient";
  add("--ibnl", fabric.ibnl);
  add_all("--cut", fabric.cut);
  add_all("--remove", fabric.remove);
  add_all("--faults", fabric.fault_files);
  if (fabric.fault_seed != FabricArgument{}.fault_seed) {
    add("--fault-seed", std::to_string(fabric.fault_seed));
  }
  if (fabric.keep_connected) text += " --keep-connected";
  add("--roots", fabric.roots);
  add("--compute", fabric.compute);
  add("--io", fabric.io);
  add("--uncounted", fabric.uncounted);
  if (fabric.count_aggregation) text += " --count-aggregation";
  if (fabric.count_flows) text += " --count-flows";
  return text;
}

}  // namespace fatwood::cli
