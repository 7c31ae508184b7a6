// SPDX-License-Identifier: BSD-3-Clause
#include "io/base/input_parts.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace fatwood {

namespace {

constexpr std::size_t kMost = std::size_t{256} << 20U;
constexpr std::size_t kFirstStep = std::size_t{64} << 10U;
constexpr std::size_t kStep = std::size_t{1} << 20U;

// In sixteen counters of a byte, which compilers turn into one vector.
std::size_t count_lines(std::string_view text) {
  constexpr std::size_t kWide = 16;
  constexpr std::size_t kRounds = 255;  // what a byte counts
  std::size_t lines = 0;
  while (text.size() >= kWide) {
    const std::size_t rounds = std::min(kRounds, text.size() / kWide);
    std::array<std::uint8_t, kWide> sums{};
    for (std::size_t round = 0; round < rounds; ++round) {
      const char* const at = text.data() + round * kWide;
      for (std::size_t k = 0; k < kWide; ++k) {
        sums[k] = static_cast<std::uint8_t>(sums[k] + (at[k] == '\n' ? 1U : 0U));
      }
    }
    for (const std::uint8_t sum : sums) lines += sum;
    text.remove_prefix(rounds * kWide);
  }
  return lines + static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

// The start of the line whose first word is at `word`; kNowhere when something is before it that no
// carriage return takes back, as on a terminal.
std::size_t line_of(std::string_view text, std::size_t word) {
  std::size_t begin = word;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
  if (begin == 0 || text[begin - 1] == '\n') return begin;
  if (text[begin - 1] != '\r') return kNowhere;
  while (begin > 0 && text[begin - 1] != '\n') --begin;
  return begin;
}

struct Header {
  std::size_t line = kNowhere;  // where its line begins
  std::size_t second = 0;       // its second letter
};

// The first header of which the second letter is at `from` or after.
Header find_header(std::string_view text, std::string_view header, std::size_t from) {
  for (from = std::max<std::size_t>(from, 1);; ++from) {
    from = text.find(header[1], from);
    if (from == std::string_view::npos) return {};
    if (!text.substr(from - 1).starts_with(header)) continue;
    if (const std::size_t line = line_of(text, from - 1); line != kNowhere) return {line, from};
  }
}

}  // namespace

InputPart InputParts::next(std::vector<char> memory) {
  InputPart part;
  part.bytes = std::move(memory);
  part.number = parts_++;
  part.lines_before = lines_;
  std::vector<char>& bytes = part.bytes;
  if (bytes.size() <= carried_.size()) bytes.resize(carried_.size() + kFirstStep);
  std::ranges::copy(carried_, bytes.begin());
  std::size_t have = std::exchange(carried_, {}).size();
  std::size_t looked = 0;  // second letters before this are seen
  for (;;) {
    const std::string_view text(bytes.data(), have);
    Header header = find_header(text, header_, looked);
    while (header.line != kNowhere && (header.line < least_ || header.line == 0)) {
      part.sections.push_back(header.line);
      looked = header.second + 1;
      header = find_header(text, header_, looked);
    }
    if (header.line != kNowhere) {
      carried_.assign(text.begin() + static_cast<std::ptrdiff_t>(header.line), text.end());
      have = header.line;
      break;
    }
    looked = std::max(looked, have - std::min(have, header_.size()));
    if (have > kMost) {
      throw InputError({input_.name(), lines_ + 1, 1},
                       "256 MiB from here on are no section; expected '" + std::string(header_) +
                           "...' on some line of them");
    }
    const std::size_t wanted = std::clamp(have, kFirstStep, kStep);
    if (bytes.size() < have + wanted + 1) bytes.resize(2 * (have + wanted));
    const std::size_t got = input_.read(std::span(bytes).subspan(have, wanted));
    if (got == 0) break;
    have += got;
  }
  part.size = have;
  bytes[have] = '\n';
  lines_ += count_lines({bytes.data(), have});
  return part;
}

}  // namespace fatwood
