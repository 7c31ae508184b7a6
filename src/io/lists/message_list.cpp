// SPDX-License-Identifier: BSD-3-Clause
#include "io/lists/message_list.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/parse_bytes.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/words.hpp"

namespace fatwood {
namespace {

double read_seconds(const std::string& text) {
  const auto value = parse_number<double>(text);
  if (!value || !(*value >= 0) || *value > 1e15) {
    throw InputError(fmt::format("expected a time in nanoseconds, not \"{}\"", text));
  }
  return *value * 1e-9;
}

}  // namespace

std::vector<TimedMessage> read_message_list(Input& input, const AdapterNames& names) {
  std::vector<TimedMessage> messages;
  const auto host = [&](const std::string& text) { return names.find(text); };
  while (const auto line = input.next_line()) {
    const Location where = input.at();
    const std::vector<Word> word = split_words(*line, where);
    if (word.empty()) continue;
    if (word.size() != 4) {
      throw InputError(input.at(word[std::min<std::size_t>(4, word.size() - 1)].column),
                       "expected \"time source destination bytes\"");
    }
    TimedMessage message;
    message.seconds = read_word(where, word[0], read_seconds);
    message.from = read_word(where, word[1], host);
    message.to = read_word(where, word[2], host);
    if (message.from == message.to) {
      throw InputError(input.at(word[2].column), fmt::format("{} sends to itself", word[1].text));
    }
    message.bytes = static_cast<double>(
        read_word(where, word[3], [](const std::string& text) { return parse_bytes(text); }));
    messages.push_back(message);
  }
  if (messages.empty()) throw InputError({.file = input.name()}, "no message in it");
  std::stable_sort(
      messages.begin(), messages.end(),
      [](const TimedMessage& a, const TimedMessage& b) { return a.seconds < b.seconds; });
  return messages;
}

bool looks_like_messages(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
    const std::size_t start = line.find_first_not_of(" \t\r");
    if (start == std::string_view::npos || line[start] == '#') continue;
    const std::string_view first = line.substr(start, line.find_first_of(" \t", start) - start);
    return parse_number<double>(first).has_value();
  }
  return false;
}

}  // namespace fatwood
