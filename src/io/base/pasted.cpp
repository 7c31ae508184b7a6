// SPDX-License-Identifier: BSD-3-Clause
#include "io/base/pasted.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace fatwood {

namespace {

bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; }

// Past the escape sequence that starts at `at`: ESC [ ... letter, ESC ] ... BEL, or ESC and a byte.
std::size_t past_escape(std::string_view line, std::size_t at) {
  constexpr char kBell = '\a';
  if (++at == line.size()) return at;
  const char kind = line[at++];
  if (kind == '[') {
    while (at < line.size() && (line[at] < '@' || line[at] > '~')) ++at;
    return std::min(at + 1, line.size());
  }
  if (kind == ']') {
    while (at < line.size() && line[at] != kBell && line[at] != '\x1b') ++at;
    return std::min(at + 1, line.size());
  }
  return at;
}

// Every line is asked, and hardly any has one: eight bytes at a time, tabs made to be no controls.
// One by one only where some byte is below a blank, is DEL, or has its highest bit (borrows set it,
// too).
bool has_controls(std::string_view line) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  constexpr std::uint64_t kHigh = kOnes << 7U;
  if (line.size() < sizeof kOnes) return std::ranges::any_of(line, is_control);
  for (std::size_t begin = 0; begin < line.size(); begin += sizeof kOnes) {
    const std::size_t at = std::min(begin, line.size() - sizeof kOnes);
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, line.data() + at, sizeof bytes);
    const std::uint64_t tab = bytes ^ kOnes * '\t';  // a tab is 0
    bytes |= (~(((tab & ~kHigh) + ~kHigh) | tab) & kHigh) >> 2U;
    const std::uint64_t low = bytes - kOnes * 0x20;            // highest bit: below a blank
    const std::uint64_t del = (bytes ^ kOnes * 0x7f) - kOnes;  // highest bit: DEL
    if (((low | del | bytes) & kHigh) == 0) continue;
    if (std::ranges::any_of(line.substr(at, sizeof bytes), is_control)) return true;
  }
  return false;
}

}  // namespace

std::string_view without_controls(std::string_view line, std::string& storage) {
  if (!has_controls(line)) return line;
  storage.clear();
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == '\x1b') {
      at = past_escape(line, at);
    } else if (line[at] == '\b') {
      if (!storage.empty()) storage.pop_back();
      ++at;
    } else if (line[at] == '\r') {
      ++at;
      if (!std::ranges::all_of(line.substr(at), is_control)) storage.clear();
    } else {
      if (!is_control(line[at])) storage += line[at];
      ++at;
    }
  }
  return storage;
}

bool had_controls(std::string_view line, std::string_view without) {
  while (line.ends_with('\r')) line.remove_suffix(1);
  return line.size() != without.size();
}

bool is_diagnostic(std::string_view line) {
  return line.starts_with("ibwarn: [") || line.starts_with("ibdebug: [") ||
         line.starts_with("ibpanic: [");
}

bool is_prompt(std::string_view line) {
  constexpr std::string_view kFirst = "=S-$>%";  // of these
  if (!line.empty() && kFirst.find(line.front()) != std::string_view::npos) {
    for (const std::string_view start :
         {"=~=~", "Script started", "Script done", "--More--", "$ ", "> ", "% "}) {
      if (line.starts_with(start)) return true;
    }
    if (line == "$" || line == ">") return true;
  }
  const std::size_t at = line.find('@');
  if (at == std::string_view::npos) return false;
  const bool bracket = line.starts_with('[');
  const std::size_t end = line.find_first_of(bracket ? "]" : "#$>% \t");
  if (at == 0 || end == std::string_view::npos || at > end) {
    return false;
  }
  const std::string_view rest = line.substr(bracket ? end + 1 : end);
  return rest.starts_with('#') || rest.starts_with('$') || rest.starts_with('>') ||
         rest.starts_with('%');
}

}  // namespace fatwood
