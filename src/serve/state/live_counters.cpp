// SPDX-License-Identifier: BSD-3-Clause
#include "serve/state/live_counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"
#include "io/fabric/live.hpp"

namespace fatwood::serve {

namespace {

// What stands before the mark, which is taken off with it; "" and nothing taken where it is absent.
std::string_view take_until(std::string_view& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == text.npos) return {};
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at + mark.size());
  return taken;
}

bool is_hex(std::string_view text) {
  return !text.empty() && text.size() <= 16 &&
         text.find_first_not_of("0123456789abcdefABCDEF") == text.npos;
}

bool is_word(std::string_view text) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  return !text.empty() && text.find_first_not_of(kLetters) == text.npos;
}

// One line of a port, as a block.
void add_port(std::string_view line, std::string& file) {
  (void)take_until(line, "GUID 0x");
  const std::string_view guid = take_until(line, " port ");
  const auto port = parse_number<unsigned>(take_until(line, ":"));
  if (!is_hex(guid) || !port || *port > 255) return;
  fmt::format_to(std::back_inserter(file), "----\nPort={} GUID=0x{}\n----\n", *port, guid);
  while (line.find('[') != line.npos) {
    (void)take_until(line, "[");
    const std::string_view name = take_until(line, " == ");
    std::string_view rest = line.substr(0, line.find(']'));
    const auto value = parse_number<std::uint64_t>(rest.substr(0, rest.find(' ')));
    if (is_word(name) && value) {
      fmt::format_to(std::back_inserter(file), "{}={:#x}\n", name, *value);
    }
  }
}

}  // namespace

std::vector<std::string> counters_command(const std::string& word) {
  std::vector<std::string> words = live_command("ibqueryerrors", word);
  // Without asking the subnet manager for a service level of each path.
  words.insert(words.end(), {"--counters", "--skip-sl"});
  return words;
}

std::string counters_file(std::string_view printed) {
  std::string file;
  for (const std::string_view line : split_at(printed, '\n')) {
    const std::size_t first = line.find_first_not_of(' ');
    if (first != line.npos && line.substr(first).starts_with("GUID 0x")) add_port(line, file);
  }
  return file;
}

}  // namespace fatwood::serve
