// SPDX-License-Identifier: BSD-3-Clause
#include "io/tables/length_file.hpp"

#include <fmt/format.h>

#include <optional>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "io/base/input.hpp"
#include "topology/node_names.hpp"

namespace fatwood {

namespace {

constexpr std::string_view kLengthsHead = "fatwood-lengths 1";

Fraction parse_bound(std::string_view text, const Location& where) {
  const std::size_t slash = text.find('/');
  const auto num = parse_number<std::int64_t>(text.substr(0, slash));
  const auto den = slash == std::string_view::npos
                       ? std::optional<std::int64_t>(1)
                       : parse_number<std::int64_t>(text.substr(slash + 1));
  if (!num || !den || *num < 0 || *den <= 0) {
    throw InputError(where, fmt::format("expected a bound like 11556/5, found \"{}\"", text));
  }
  return {*num, *den};
}

}  // namespace

namespace {

// As fatwood-check reads it, whatever names the nodes are shown by.
std::string guid_name(const Fabric& fabric, Channel c) {
  return fmt::format("0x{:016x}[{}]", fabric.guid(fabric.owner(c)), index(fabric.port(c)));
}

}  // namespace

std::string length_text(const Fabric& fabric, const LengthFile& lengths) {
  std::string text = fmt::format("{}\nbound {}\n", kLengthsHead, lengths.bound.to_string());
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (lengths.length[c] == 0) continue;
    text += fmt::format("{} {}\n", lengths.length[c], guid_name(fabric, c));
  }
  return text;
}

LengthFile read_lengths(const std::string& path, const Fabric& fabric) {
  Input input(path);
  const NodeNames names(fabric);
  LengthFile lengths{0, Table<Channel, std::uint32_t>(fabric.num_channels(), 0)};
  int part = 0;  // head, bound, channels
  while (const std::optional<std::string_view> next = input.next_line()) {
    const std::string_view line = *next;
    if (line.empty() || line.front() == '#') continue;
    if (part == 0) {
      if (line != kLengthsHead) {
        throw InputError(input.at(1),
                         fmt::format("expected \"{}\", found \"{}\"", kLengthsHead, line));
      }
      part = 1;
      continue;
    }
    const std::size_t blank = std::min(line.find(' '), line.size());
    const std::string_view rest = line.substr(std::min(blank + 1, line.size()));
    if (part == 1) {
      if (line.substr(0, blank) != "bound") {
        throw InputError(input.at(1), fmt::format("expected \"bound\", found \"{}\"", line));
      }
      lengths.bound = parse_bound(rest, input.at(blank + 2));
      part = 2;
      continue;
    }
    const auto length = parse_number<std::uint32_t>(line.substr(0, blank));
    if (!length) {
      throw InputError(input.at(1), fmt::format("expected a length, a whole number up to 2^32 - 1, "
                                                "found \"{}\"",
                                                line.substr(0, blank)));
    }
    const Channel c = names.find_port(rest, input.at(blank + 2));
    if (c == kNone<Channel> || !fabric.connected(c)) {
      throw InputError(input.at(blank + 2),
                       fmt::format("no cabled port of this fabric is called \"{}\"", rest));
    }
    lengths.length[c] = *length;
  }
  if (part != 2) throw InputError(input.at(1), "ends before the line \"bound ...\"");
  return lengths;
}

}  // namespace fatwood
