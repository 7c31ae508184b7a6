// SPDX-License-Identifier: BSD-3-Clause
#include "io/traces/goal.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "io/base/cursor.hpp"

namespace fatwood {
namespace {

constexpr std::uint64_t kMostOps = 100'000'000;

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool name_char(char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; }

class GoalReader {
 public:
  explicit GoalReader(Input& input) : input_(input) {}

  Trace run() {
    trace_.files = {input_.name()};
    while (const auto line = input_.next_line()) {
      const std::string text = without_comments(*line);
      Cursor cursor(text, input_.name(), input_.line_number());
      cursor.skip_space();
      if (cursor.at_end()) continue;
      if (done_) break;  // the language ends with the last rank
      if (trace_.ranks == 0) {
        header(cursor);
      } else if (!in_rank_) {
        rank_line(cursor);
      } else {
        statement(cursor);
      }
    }
    if (in_comment_) throw InputError(input_.at(), "a comment that does not end: expected */");
    if (trace_.ranks == 0) throw InputError(input_.at(), "expected num_ranks");
    if (!done_) {
      throw InputError(input_.at(), in_rank_ ? fmt::format("expected }} to end rank {}", rank_)
                                             : fmt::format("expected rank {} {{", rank_));
    }
    trace_.nics = most_nic_ + 1U;
    return std::move(trace_);
  }

 private:
  std::string without_comments(std::string_view line) {
    std::string text;
    for (std::size_t at = 0; at < line.size();) {
      const std::string_view rest = line.substr(at);
      if (in_comment_) {
        const std::size_t end = rest.find("*/");
        if (end == std::string_view::npos) break;
        in_comment_ = false;
        at += end + 2;
        text += ' ';
      } else if (rest.starts_with("//")) {
        break;
      } else if (rest.starts_with("/*")) {
        in_comment_ = true;
        at += 2;
      } else {
        text += line[at++];
      }
    }
    return text;
  }

  static void end_of(Cursor& cursor) {
    cursor.skip_space();
    if (!cursor.at_end()) cursor.expected("the end of the line");
  }

  void header(Cursor& cursor) {
    if (!cursor.accept("num_ranks")) cursor.expected("num_ranks");
    cursor.skip_space();
    const std::size_t column = cursor.column();
    const std::uint64_t ranks = cursor.decimal("the number of ranks", kMostRanks);
    if (ranks == 0) cursor.fail_at(column, "expected at least one rank");
    trace_.ranks = static_cast<std::uint32_t>(ranks);
    end_of(cursor);
  }

  void rank_line(Cursor& cursor) {
    if (!cursor.accept("rank")) cursor.expected(fmt::format("rank {}", rank_));
    cursor.skip_space();
    const std::size_t column = cursor.column();
    const std::uint64_t rank = cursor.decimal("a rank", kMostRanks);
    if (rank != rank_) cursor.fail_at(column, fmt::format("expected rank {}", rank_));
    cursor.skip_space();
    cursor.expect("{");
    in_rank_ = true;
    labels_.clear();
    cursor.skip_space();
    if (!cursor.at_end()) statement(cursor);
  }

  std::string_view name(Cursor& cursor) const {
    const std::string_view rest = cursor.rest();
    std::size_t end = 0;
    while (end < rest.size() && (end == 0 ? letter(rest[0]) : name_char(rest[end]))) ++end;
    if (end == 0) cursor.expected("send, recv, calc, a label or }");
    cursor.advance(end);
    return rest.substr(0, end);
  }

  void statement(Cursor& cursor) {
    if (cursor.accept("}")) {
      in_rank_ = false;
      done_ = ++rank_ == trace_.ranks;
      return end_of(cursor);
    }
    const std::size_t column = cursor.column();
    std::string_view word = name(cursor);
    cursor.skip_space();
    std::string_view label;
    if (cursor.accept(":")) {
      label = word;
      cursor.skip_space();
      word = name(cursor);
      cursor.skip_space();
    }
    if (word == "send" || word == "recv" || word == "calc") {
      operation(cursor, word);
      if (label.empty()) return;
      const auto number = static_cast<std::uint32_t>(trace_.ops.size() - 1);
      if (!labels_.try_emplace(std::string(label), number).second) {
        cursor.fail_at(column, fmt::format("label {} is taken", label));
      }
    } else if (!label.empty()) {
      cursor.fail_at(column, fmt::format("expected send, recv or calc after '{}:'", label));
    } else {
      wait(cursor, word, column);
    }
  }

  // A number, or -1 for any.
  std::uint32_t or_any(Cursor& cursor, std::string_view what, std::uint64_t most) {
    if (cursor.accept("-1")) return kAnyRank;
    return static_cast<std::uint32_t>(cursor.decimal(what, most));
  }

  bool option(Cursor& cursor, std::string_view word) {
    if (!cursor.accept(word)) return false;
    cursor.skip_space();
    return true;
  }

  void operation(Cursor& cursor, std::string_view word) {
    if (trace_.ops.size() >= kMostOps) cursor.fail("more than 100 million operations");
    TraceOp op;
    op.rank = rank_;
    op.place = input_.line_number();
    const std::uint64_t size = cursor.decimal("a size", std::uint64_t{1} << 62);
    cursor.skip_space();
    if (word == "calc") {
      op.kind = TraceKind::kDelay;
      op.size = static_cast<double>(size) * 1e-9;
    } else {
      op.size = static_cast<double>(size);
      message(cursor, word == "send", op);
    }
    if (option(cursor, "cpu")) {
      op.cpu = static_cast<std::uint8_t>(cursor.decimal("a cpu", 255));
      cursor.skip_space();
    }
    if (op.kind != TraceKind::kDelay && option(cursor, "nic")) {
      op.nic = static_cast<std::uint8_t>(cursor.decimal("a nic", 255));
      most_nic_ = std::max(most_nic_, op.nic);
    }
    end_of(cursor);
    trace_.ops.push_back(op);
  }

  void message(Cursor& cursor, bool send, TraceOp& op) {
    op.kind = send ? TraceKind::kSend : TraceKind::kReceive;
    cursor.expect("b");
    cursor.skip_space();
    cursor.expect(send ? "to" : "from");
    cursor.skip_space();
    const std::size_t column = cursor.column();
    op.peer = send ? static_cast<std::uint32_t>(cursor.decimal("a rank", kMostRanks))
                   : or_any(cursor, "a rank or -1", kMostRanks);
    if (op.peer != kAnyRank && op.peer >= trace_.ranks) {
      cursor.fail_at(column, fmt::format("expected a rank below {}", trace_.ranks));
    }
    cursor.skip_space();
    op.tag = 0;
    if (option(cursor, "tag")) {
      op.tag = send ? static_cast<std::uint32_t>(cursor.decimal("a tag", 0xfffffffeU))
                    : or_any(cursor, "a tag or -1", 0xfffffffeU);
      cursor.skip_space();
    }
  }

  void wait(Cursor& cursor, std::string_view label, std::size_t column) {
    const bool start = cursor.accept("irequires");
    if (!start && !cursor.accept("requires")) cursor.expected("requires or irequires");
    cursor.skip_space();
    const std::size_t other_column = cursor.column();
    const std::string_view other = name(cursor);
    end_of(cursor);
    trace_.waits.push_back(
        {known(cursor, label, column), known(cursor, other, other_column), start});
  }

  std::uint32_t known(const Cursor& cursor, std::string_view label, std::size_t column) const {
    const auto at = labels_.find(std::string(label));
    if (at == labels_.end()) {
      cursor.fail_at(column, fmt::format("rank {} has no label {} so far", rank_, label));
    }
    return at->second;
  }

  Input& input_;
  Trace trace_;
  std::uint32_t rank_ = 0;  // in work, or next
  bool in_rank_ = false;
  bool in_comment_ = false;
  bool done_ = false;
  std::uint8_t most_nic_ = 0;
  std::unordered_map<std::string, std::uint32_t> labels_;
};

}  // namespace

Trace read_goal(Input& input) { return GoalReader(input).run(); }

bool looks_like_goal(std::string_view bytes) {
  // Blanks and comments may come first.
  while (true) {
    while (!bytes.empty() &&
           (bytes[0] == ' ' || bytes[0] == '\t' || bytes[0] == '\n' || bytes[0] == '\r')) {
      bytes.remove_prefix(1);
    }
    const std::size_t end = bytes.starts_with("//")   ? bytes.find('\n')
                            : bytes.starts_with("/*") ? bytes.find("*/")
                                                      : 0;
    if (end == 0) break;
    if (end == std::string_view::npos) return false;
    bytes.remove_prefix(end + (bytes.starts_with("//") ? 1 : 2));
  }
  return bytes.starts_with("num_ranks");
}

}  // namespace fatwood
