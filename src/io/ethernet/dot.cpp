// SPDX-License-Identifier: BSD-3-Clause
// Reads DOT as NVIDIA Air and PTM use it: statements of names, ports, edges and attributes. Names
// of graphs and sub-graphs, and attributes of the graph, say nothing about cables.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "io/base/records.hpp"
#include "io/ethernet/cable_graphs.hpp"
#include "plan/model/device_words.hpp"

namespace fatwood {

namespace {

struct Token {
  std::string text;
  bool quoted = false;
  std::size_t line = 0;

  bool is(std::string_view mark) const { return !quoted && text == mark; }
  bool is_name() const { return quoted || (!text.empty() && text.find_first_of("{}[];,=:-") != 0); }
};

class DotTokens {
 public:
  DotTokens(std::string text, const Input& input) : text_(std::move(text)), input_(input) {}

  // An empty token at the end.
  Token next() {
    skip_blanks();
    Token token{"", false, line_};
    if (at_ >= text_.size()) return token;
    if (text_[at_] == '"') return quoted();
    for (const std::string_view mark : {"--", "->"}) {
      if (text_.compare(at_, 2, mark) != 0) continue;
      at_ += 2;
      token.text = mark;
      return token;
    }
    if (std::string_view("{}[];,=:").find(text_[at_]) != std::string_view::npos) {
      token.text = text_[at_++];
      return token;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n{}[];,=:\"").find(text_[at_]) == std::string_view::npos &&
           text_.compare(at_, 2, "--") != 0 && text_.compare(at_, 2, "->") != 0) {
      ++at_;
    }
    token.text = text_.substr(begin, at_ - begin);
    return token;
  }

 private:
  Token quoted() {
    Token token{"", true, line_};
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      if (text_[at_] == '\n') ++line_;
      token.text += text_[at_];
    }
    if (at_ >= text_.size()) {
      throw cut_short({input_.name(), token.line, 1}, "a quote is not closed");
    }
    ++at_;
    return token;
  }
  void skip_blanks() {
    while (at_ < text_.size()) {
      if (text_[at_] == '\n') ++line_;
      if (std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) {
        ++at_;
      } else if (text_[at_] == '#' || text_.compare(at_, 2, "//") == 0) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.compare(at_, 2, "/*") == 0) {
        const std::size_t end = std::min(text_.find("*/", at_), text_.size());
        line_ += static_cast<std::size_t>(
            std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                       text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        at_ = std::min(end + 2, text_.size());
      } else {
        return;
      }
    }
  }

  std::string text_;
  const Input& input_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

class DotReader {
 public:
  DotReader(Input& input, DeviceReports& reports)
      : input_(input), reports_(reports), tokens_(clean_text(input, reports.warnings), input) {}

  void run() {
    advance();
    while (!now_.is("{") && !at_end()) advance();
    std::size_t open = 0;
    do {
      if (at_end()) fail("'}' at the end of the graph");
      if (now_.is("{")) ++open;
      if (now_.is("}")) --open;
      if (now_.is_name()) {
        read_statement();
      } else {
        advance();
      }
    } while (open > 0);
  }

 private:
  struct End {
    std::string node, port;
    std::size_t line = 0;
  };
  using Attributes = std::map<std::string, std::string, std::less<>>;

  bool at_end() const { return !now_.quoted && now_.text.empty(); }
  void advance() { now_ = tokens_.next(); }
  [[noreturn]] void fail(std::string_view expected) const {
    const Location where{input_.name(), now_.line, 1};
    if (at_end()) throw cut_short(where, fmt::format("expected {}", expected));
    throw InputError(where, fmt::format("expected {}, found '{}'", expected, now_.text));
  }

  End read_end() {
    End end{now_.text, "", now_.line};
    if (!now_.is_name()) fail("a name");
    advance();
    if (!now_.is(":")) return end;
    advance();
    if (!now_.is_name()) fail("a port after ':'");
    end.port = now_.text;
    advance();
    if (now_.is(":")) {  // a side of the box, for drawing
      advance();
      advance();
    }
    return end;
  }

  void read_statement() {
    if (now_.is("subgraph")) return advance();
    std::vector<End> ends{read_end()};
    if (now_.is("=")) {  // an attribute of the graph
      advance();
      return advance();
    }
    if (now_.is("{")) return;  // the name of a sub-graph
    while (now_.is("--") || now_.is("->")) {
      advance();
      ends.push_back(read_end());
    }
    const Attributes attributes = read_attributes();
    if (ends.size() == 1) return note_node(ends.front(), attributes);
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      for (const End& end : {ends[i], ends[i + 1]}) {
        if (!end.port.empty()) continue;
        throw InputError({input_.name(), end.line, 1},
                         fmt::format("\"{}\" has no port here; expected \"{}\":\"PORT\" at both "
                                     "ends of a cable",
                                     end.node, end.node));
      }
      reports_.add_cable(ends[i].node, ends[i].port, ends[i + 1].node, ends[i + 1].port,
                         ends[i].line);
    }
  }

  Attributes read_attributes() {
    Attributes all;
    while (now_.is("[")) {
      advance();
      while (!now_.is("]")) {
        if (at_end()) fail("']'");
        const std::string key = now_.text;
        advance();
        if (!now_.is("=")) continue;
        advance();
        all[key] = now_.text;
        advance();
      }
      advance();
    }
    return all;
  }

  void note_node(const End& end, const Attributes& attributes) {
    if (end.node == "graph" || end.node == "node" || end.node == "edge") return;
    const auto text = [&](std::string_view key) {
      const auto at = attributes.find(key);
      return at == attributes.end() ? std::string_view{} : std::string_view(at->second);
    };
    DeviceReport& device = reports_.listed(end.node, end.line);
    device.kind = kind_of_function(text("function"), text("os"));
  }

  Input& input_;
  DeviceReports& reports_;
  DotTokens tokens_;
  Token now_;
};

}  // namespace

bool looks_like_dot(std::string_view head) {
  return any_line(head,
                  [](std::string_view line) {
                    return (line.starts_with("graph") || line.starts_with("digraph") ||
                            line.starts_with("strict")) &&
                           line.find('{') != std::string_view::npos;
                  }) &&
         (head.find("--") != std::string_view::npos || head.find("->") != std::string_view::npos);
}

void read_dot(Input& input, DeviceReports& reports) {
  reports.meant = true;
  DotReader(input, reports).run();
}

}  // namespace fatwood
