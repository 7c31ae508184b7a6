// SPDX-License-Identifier: BSD-3-Clause
#include "app/serve.hpp"

#include <fmt/format.h>

#include <map>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"

namespace fatwood {

namespace {

// All words of the request, FABRIC and ROUTING among them.
template <class Visitor>
void describe_all(Visitor& visit, ServeQuestion& question) {
  visit(question.fabric, {.name = "fabric", .help = ""});
  visit(question.routing, {.name = "routing", .help = ""});
  describe(visit, question);
}

struct WordsOut {
  std::vector<std::string> words;
  void operator()(const auto& value, const Parameter& p) {
    words.push_back(fmt::format("{}={}", p.name, value));
  }
};

struct WordsIn {
  std::map<std::string, std::string, std::less<>> given;
  void operator()(std::string& value, const Parameter& p) {
    if (const auto at = given.find(p.name); at != given.end()) value = at->second;
  }
  void operator()(unsigned& value, const Parameter& p) {
    const auto at = given.find(p.name);
    if (at != given.end()) value = parse_number<unsigned>(at->second).value_or(value);
  }
};

}  // namespace

std::chrono::seconds time_between_reads(const ServeQuestion& question) {
  const std::string& text = question.every;
  const std::size_t digits = text.find_first_not_of("0123456789");
  const auto number = parse_number<unsigned>(std::string_view(text).substr(0, digits));
  const std::string unit = digits == text.npos ? "s" : text.substr(digits);
  const unsigned factor = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  constexpr unsigned kMost = 1'000'000;
  if (!number || *number == 0 || factor == 0 || *number > kMost / factor) {
    throw InputError({.file = param("every")},
                     fmt::format("expected a time such as 60s, 5m or 1h, not \"{}\"", text));
  }
  return std::chrono::seconds(*number * factor);
}

std::vector<std::string> words_of(const ServeQuestion& question) {
  ServeQuestion copy = question;
  WordsOut out;
  describe_all(out, copy);
  return std::move(out.words);
}

ServeQuestion serve_question(std::span<const char* const> words) {
  WordsIn in;
  for (const std::string_view word : words) {
    const std::size_t equals = std::min(word.find('='), word.size());
    in.given.emplace(word.substr(0, equals), word.substr(std::min(equals + 1, word.size())));
  }
  ServeQuestion question;
  describe_all(in, question);
  return question;
}

}  // namespace fatwood
