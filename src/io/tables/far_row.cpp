// SPDX-License-Identifier: BSD-3-Clause
#include "io/tables/far_row.hpp"

#include <algorithm>
#include <utility>

namespace fatwood {
namespace {

constexpr std::pair<std::string_view, EntryState> kFarStates[] = {
    {"Static", EntryState::kStatic},
    {"Free", EntryState::kFree},
    {"Bounded", EntryState::kBounded},
    {"HBF", EntryState::kHashed},
};

class FarScan {
 public:
  explicit FarScan(const char* at) : at_(at) {}

  bool row(FarRow& row) {
    at_ += 2;  // "0x"
    std::uint32_t lid = 0, port = 0;
    const bool whole = hex(lid) && lid < kNumLids && blank() && decimal(port) && port <= 255 &&
                       blank() && state(row.state) && blank() && group(row.group) && line_end();
    row.lid = Lid{lid};
    row.port = static_cast<Port>(port);
    return whole;
  }
  const char* at() const { return at_; }  // after a row: its line end

 private:
  static unsigned digit(char c) { return static_cast<unsigned>(c - '0'); }
  bool hex(std::uint32_t& value) {
    const char* const from = at_;
    for (; at_ - from < 6; ++at_) {
      unsigned next = digit(*at_);
      if (next > 9) {
        next = static_cast<unsigned>((*at_ | 0x20) - 'a') + 10;
        if (next < 10 || next > 15) break;
      }
      value = value * 16 + next;
    }
    return at_ != from;
  }
  bool decimal(std::uint32_t& value) {
    const char* const from = at_;
    for (; at_ - from < 6 && digit(*at_) <= 9; ++at_) value = value * 10 + digit(*at_);
    return at_ != from;
  }
  bool blank() {
    const char* const from = at_;
    while (*at_ == ' ' || *at_ == '\t') ++at_;
    return at_ != from;
  }
  bool line_end() {
    blank();
    if (*at_ == '\r') ++at_;
    return *at_ == '\n';
  }
  bool state(EntryState& value) {
    const char* const from = at_;
    while (static_cast<unsigned char>(*at_) > ' ') ++at_;
    const std::string_view word(from, static_cast<std::size_t>(at_ - from));
    for (const auto& [name, known] : kFarStates) {
      if (word.size() != name.size() || word != name) continue;
      value = known;
      return true;
    }
    return false;
  }
  bool group(GroupNumber& value) {
    std::uint32_t number = 0;
    if (!decimal(number) || number > kMaxFarGroup) return false;
    value = static_cast<GroupNumber>(number);
    return true;
  }

  const char* at_;
};

}  // namespace

const char* scan_far_row(const char* at, FarRow& row) {
  FarScan scan(at);
  return scan.row(row) ? scan.at() : nullptr;
}

FarRow read_far_row(Cursor& line) {
  FarRow row;
  row.lid = static_cast<Lid>(line.hex("a LID", index(kMaxLid)));
  if (!line.skip_space()) line.expected("a blank and a port");
  row.port = static_cast<Port>(line.decimal("a port", 255));
  if (!line.skip_space()) line.expected("a blank and a state");
  const std::size_t column = line.column();
  const std::string_view word = line.word();
  const auto* const state =
      std::ranges::find(kFarStates, word, [](const auto& known) { return known.first; });
  if (state == std::end(kFarStates)) {
    line.fail_at(column, "expected Static, Free, Bounded or HBF, found '" +
                             std::string(word.substr(0, 24)) + "'");
  }
  row.state = state->second;
  line.skip_space();
  row.group = static_cast<GroupNumber>(line.decimal("a group's number", kMaxFarGroup));
  line.skip_space();
  if (!line.at_end()) line.expected("the end of the line");
  return row;
}

}  // namespace fatwood
