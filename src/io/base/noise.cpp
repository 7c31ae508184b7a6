// SPDX-License-Identifier: BSD-3-Clause
#include "io/base/noise.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>

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

namespace {

// By Noise.
constexpr std::string_view kSkipped[] = {"", "a terminal's prompt, skipped",
                                         "a tool's own message, skipped",
                                         "a log of the discovery, skipped"};
constexpr std::string_view kControlsSkipped = "control characters in a line, skipped";

bool starts_with_any(std::string_view line, std::initializer_list<std::string_view> starts) {
  return std::ranges::any_of(starts, [&](std::string_view s) { return line.starts_with(s); });
}

bool is_sign(char c) { return c == '#' || c == '$' || c == '>' || c == '%'; }

// "[root@node1 ~]# ...", "root@node1:~$ ...", "node1:~ # ...", "bash-4.2$ ..."
bool is_shell_prompt(std::string_view line) {
  const bool bracket = line.front() == '[';
  const std::size_t end = line.find_first_of(bracket ? "]" : "#$>% \t");
  if (end == std::string_view::npos) return false;
  const std::string_view where = line.substr(0, end);
  const std::string_view rest = line.substr(bracket ? end + 1 : end);
  const std::size_t at = where.find('@');
  if (at != 0 && at != std::string_view::npos) return !rest.empty() && is_sign(rest.front());
  if (where.ends_with(":~") || where.find(":/") != std::string_view::npos) {
    return is_sign(rest.front()) || (rest.size() > 1 && rest[0] == ' ' && is_sign(rest[1]));
  }
  return starts_with_any(where, {"bash-", "sh-"}) && is_sign(rest.front());
}

bool is_terminal_line(std::string_view line) {
  switch (line.front()) {
    case '=':
      return line.starts_with("=~=~");
    case 'S':
      return starts_with_any(line, {"Script started", "Script done"});
    case '-':
      return line.starts_with("--More--");
    case '$':
    case '>':
    case '%':
      return line.size() == 1 || line[1] == ' ';
    default:
      return false;
  }
}

bool is_message(std::string_view line) {
  switch (line.front()) {
    case '-':
    case 'b':
      return starts_with_any(line, {"-bash: ", "-sh: ", "bash: "});
    case 's':  // "src/query_smp.c:197; umad (DR path slid 0; ...) bad status 110; ..."
      return line.starts_with("src/") && line.find(".c:") != std::string_view::npos;
    case 'i':
      if (starts_with_any(line, {"ibwarn: [", "ibdebug: [", "ibpanic: ["})) return true;
      break;
    default:
      break;
  }
  // "ibroute: iberror: failed: ...", of any tool, with or without its path
  const std::size_t colon = line.find(": ");
  return colon != std::string_view::npos && line.substr(colon).starts_with(": iberror: ");
}

}  // namespace

Noise noise_of(std::string_view line) {
  if (line.empty()) return Noise::kNone;
  if (line.starts_with("DR path ") && line.find(" -> ") != std::string_view::npos) {
    return Noise::kLog;
  }
  if (is_message(line)) return Noise::kMessage;
  return is_terminal_line(line) || is_shell_prompt(line) ? Noise::kPrompt : Noise::kNone;
}

std::optional<std::string_view> clean_line(std::string_view line, std::size_t number,
                                           std::string& storage, Warnings& warnings) {
  const std::string_view plain = without_controls(line, storage);
  while (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() != plain.size()) warnings.count(kControlsSkipped, number);
  const std::size_t first = plain.find_first_not_of(" \t");
  if (first == std::string_view::npos) return plain;
  const Noise noise = noise_of(plain.substr(first));
  if (noise == Noise::kNone) return plain;
  warnings.count(kSkipped[static_cast<std::size_t>(noise)], number);
  return std::nullopt;
}

}  // namespace fatwood
