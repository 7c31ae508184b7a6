// SPDX-License-Identifier: BSD-3-Clause
// Reads YAML by lines and indentation (tree.hpp).

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/text/split.hpp"
#include "io/ethernet/tree.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kDeepest = 100;

struct YamlLine {
  std::size_t indent = 0;
  std::string text;  // without indentation and comment
  std::uint32_t line = 0;
};

// Where a comment begins: '#' outside quotes, at the start or after a blank.
std::size_t comment_at(std::string_view text) {
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quote != 0) {
      if (text[i] == quote) quote = 0;
    } else if (text[i] == '"' || text[i] == '\'') {
      quote = text[i];
    } else if (text[i] == '#' && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '\t')) {
      return i;
    }
  }
  return text.size();
}

// The end of a key: a colon outside quotes and brackets that a blank or the end follows.
std::size_t colon_at(std::string_view text) {
  char quote = 0;
  if (text.starts_with('{') || text.starts_with('[')) return std::string_view::npos;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quote != 0) {
      if (text[i] == quote) quote = 0;
    } else if ((text[i] == '"' || text[i] == '\'') && i == 0) {
      quote = text[i];
    } else if (text[i] == ':' && (i + 1 == text.size() || text[i + 1] == ' ')) {
      return i;
    }
  }
  return std::string_view::npos;
}

std::string unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
      text.back() == text.front()) {
    text = text.substr(1, text.size() - 2);
  }
  return std::string(text);
}

class YamlReader {
 public:
  YamlReader(Input& input, Warnings& warnings) : file_(input.name()) {
    while (const auto text = input.next_line(warnings)) {
      const std::string_view line = text->substr(0, comment_at(*text));
      const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
      const std::string_view rest = trimmed(line);
      if (rest.empty() || rest == "---" || rest == "...") continue;
      if (!lines_.empty() && unclosed(lines_.back().text)) {  // brackets over several lines
        lines_.back().text += ' ';
        lines_.back().text += rest;
      } else {
        lines_.push_back(
            {indent, std::string(rest), static_cast<std::uint32_t>(input.line_number())});
      }
    }
  }

  Tree run() { return lines_.empty() ? Tree{} : block(lines_.front().indent, 0); }

 private:
  static bool unclosed(std::string_view text) {
    int open = 0;
    char quote = 0;
    for (const char c : text) {
      if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '[' || c == '{') {
        ++open;
      } else if (c == ']' || c == '}') {
        --open;
      }
    }
    return open > 0 && text.size() < kMaxLine;
  }
  [[noreturn]] void fail(std::string_view expected) const {
    const std::uint32_t line = at_ < lines_.size() ? lines_[at_].line : lines_.back().line;
    throw InputError({file_, line, 1}, fmt::format("expected {}", expected));
  }

  // The lines with this indentation, and what is below them.
  Tree block(std::size_t indent, std::size_t depth) {
    if (depth > kDeepest) fail("fewer levels");
    Tree made;
    made.line = lines_[at_].line;
    while (at_ < lines_.size() && lines_[at_].indent == indent) {
      YamlLine& now = lines_[at_];
      if (now.text == "-" || now.text.starts_with("- ")) {
        if (made.is_map()) return made;  // a list at the indentation of its key's map
        made.kind = Tree::Kind::kList;
        const std::string rest(trimmed(std::string_view(now.text).substr(1)));
        if (rest.empty()) {
          ++at_;
          made.items.push_back(below(indent, depth));
        } else if (colon_at(rest) != std::string_view::npos) {
          // A map whose first key stands behind the dash.
          now.indent += now.text.size() - rest.size();
          now.text = rest;
          made.items.push_back(block(now.indent, depth + 1));
        } else {
          made.items.push_back(value(rest, now.line, depth));
          ++at_;
        }
        continue;
      }
      const std::size_t colon = colon_at(now.text);
      if (colon == std::string_view::npos) {
        if (made.exists()) fail("'key: value'");
        made = value(now.text, now.line, depth);
        ++at_;
        return made;
      }
      if (made.is_list()) return made;
      made.kind = Tree::Kind::kMap;
      made.keys.push_back(unquoted(std::string_view(now.text).substr(0, colon)));
      const std::string rest(trimmed(std::string_view(now.text).substr(colon + 1)));
      const std::uint32_t line = now.line;
      ++at_;
      if (rest.empty() || rest.starts_with('|') || rest.starts_with('>') ||
          (rest.starts_with('&') && rest.find(' ') == std::string::npos)) {
        made.items.push_back(below(indent, depth));
      } else {
        made.items.push_back(value(rest, line, depth));
      }
    }
    if (at_ < lines_.size() && lines_[at_].indent > indent) fail("less indentation");
    return made;
  }
  // What is indented more than the line above; a list may have the same indentation.
  Tree below(std::size_t indent, std::size_t depth) {
    if (at_ >= lines_.size()) return {};
    const YamlLine& next = lines_[at_];
    const bool is_list = next.indent == indent && next.text.starts_with("-");
    if (next.indent <= indent && !is_list) return {};
    return block(next.indent, depth + 1);
  }

  Tree value(std::string_view text, std::uint32_t line, std::size_t depth) {
    std::size_t at = 0;
    Tree made = flow(text, at, line, depth);
    return made;
  }
  // "[a, {b: c}]", or a text.
  Tree flow(std::string_view text, std::size_t& at, std::uint32_t line, std::size_t depth) {
    if (depth > kDeepest) fail("fewer levels");
    const auto skip = [&] {
      while (at < text.size() && (text[at] == ' ' || text[at] == ',')) ++at;
    };
    Tree made;
    made.line = line;
    skip();
    if (at < text.size() && (text[at] == '[' || text[at] == '{')) {
      const bool map = text[at] == '{';
      const char close = map ? '}' : ']';
      made.kind = map ? Tree::Kind::kMap : Tree::Kind::kList;
      ++at;
      for (skip(); at < text.size() && text[at] != close; skip()) {
        if (map) {
          made.keys.push_back(word(text, at, ":"));
          if (at < text.size() && text[at] == ':') ++at;
        }
        const std::size_t before = at;
        made.items.push_back(flow(text, at, line, depth + 1));
        if (at == before && !map) ++at;
      }
      if (at >= text.size()) {
        throw cut_short({file_, line, 1}, fmt::format("expected '{}'", close));
      }
      ++at;
      return made;
    }
    made.kind = Tree::Kind::kText;
    made.value = depth_of_flow(text) ? word(text, at, ",]}") : unquoted(text);
    if (!depth_of_flow(text)) at = text.size();
    return made;
  }
  static bool depth_of_flow(std::string_view text) {
    return text.starts_with('[') || text.starts_with('{');
  }
  static std::string word(std::string_view text, std::size_t& at, std::string_view ends) {
    while (at < text.size() && text[at] == ' ') ++at;
    std::size_t end = at;
    if (at < text.size() && (text[at] == '"' || text[at] == '\'')) {
      end = std::min(text.find(text[at], at + 1), text.size() - 1) + 1;
    }
    end = std::min(text.find_first_of(ends, end), text.size());
    const std::string_view found = text.substr(at, end - at);
    at = end;
    return unquoted(found);
  }

  std::string file_;
  std::vector<YamlLine> lines_;
  std::size_t at_ = 0;
};

}  // namespace

Tree read_yaml(Input& input, Warnings& warnings) { return YamlReader(input, warnings).run(); }

}  // namespace fatwood
