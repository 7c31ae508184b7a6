// SPDX-License-Identifier: BSD-3-Clause
#include "plan/model/device_words.hpp"

#include <algorithm>
#include <array>

#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"

namespace fatwood {

namespace {
char lower_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr std::array<std::string_view, 15> kSwitchTypes{
    "sw",       "cl",        "cs",         "switch", "leaf",   "spine",  "core",       "tor",
    "director", "ib_switch", "superspine", "edge",   "l3leaf", "l2leaf", "super-spine"};
constexpr std::array<std::string_view, 13> kHostTypes{
    "fi",      "ca",  "hca", "host",  "server",  "node",   "compute",
    "storage", "gpu", "hfi", "login", "manager", "service"};
// Parts of names that only switches have.
constexpr std::array<std::string_view, 6> kSwitchNames{"leaf",   "spine", "core",
                                                       "switch", "sw",    "tor"};
}  // namespace

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), lower_letter);
  return result;
}

bool starts_with_word(std::string_view text, std::string_view word) {
  return text.size() >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin(),
                    [](char a, char b) { return lower_letter(a) == lower_letter(b); });
}

std::optional<NodeKind> kind_of_type(std::string_view type) {
  const std::string word = lower_case(type);
  const auto in = [&](const auto& words) { return std::ranges::find(words, word) != words.end(); };
  if (in(kSwitchTypes)) return NodeKind::kSwitch;
  if (in(kHostTypes)) return NodeKind::kAdapter;
  // Models of switches: MQM9700, MSB7800, MTS3600, CS7520, QM9790, SB7890, Q3400.
  for (const std::string_view model :
       {"mqm", "msb", "mts", "msx", "qm", "cs", "sx6", "sb7", "q3"}) {
    if (word.size() > model.size() && word.starts_with(model) && is_digit(word[model.size()])) {
      return NodeKind::kSwitch;
    }
  }
  if (word.starts_with("hca") || word.starts_with("dgx") || word.starts_with("hgx")) {
    return NodeKind::kAdapter;
  }
  if (word.find("switch") != std::string::npos) return NodeKind::kSwitch;
  return std::nullopt;
}

std::optional<NodeKind> kind_of_name(std::string_view name) {
  const std::string text = lower_case(name);
  for (const std::string_view word : kSwitchNames) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      // A whole run of letters, or its end: "ib-leaf3", "csw01", not "coreutils".
      const std::size_t end = at + word.size();
      const bool ends = end == text.size() || !is_letter(text[end]);
      const bool begins = at == 0 || !is_letter(text[at - 1]) || word.size() > 3;
      if (ends && begins) return NodeKind::kSwitch;
    }
  }
  return std::nullopt;
}

SystemName system_name(std::string_view text) {
  text = trimmed(text, " \t");
  const std::size_t semicolon = text.find(';');
  if (!text.starts_with("MF") || semicolon == std::string_view::npos) return {text, {}, {}};
  const std::string_view rest = text.substr(semicolon + 1);
  const std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos || colon == 0) return {rest, {}, {}};
  const std::string_view place = rest.substr(colon + 1);
  const std::size_t slash = place.find('/');
  const std::string_view model = place.substr(0, slash);
  std::string_view chip = slash == std::string_view::npos ? "" : place.substr(slash + 1);
  if (chip.find('/') == std::string_view::npos) chip = {};
  return {rest.substr(0, colon), model, chip};
}

}  // namespace fatwood
