// SPDX-License-Identifier: BSD-3-Clause
#include "io/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/printable.hpp"

namespace fatwood {

std::string_view kind_name(NodeKind kind) {
  return kind == NodeKind::kSwitch ? "switch" : kind == NodeKind::kRouter ? "router" : "adapter";
}

std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return line;
}

std::string as_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = first_character(text).length;
    if (length == 0) {
      const auto byte = static_cast<unsigned char>(text[0]);
      out += static_cast<char>(0xc0 | (byte >> 6));
      out += static_cast<char>(0x80 | (byte & 0x3f));
    }
    out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string json_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : as_utf8(text)) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string_view description_or_id(const Fabric& fabric, Node node) {
  const std::string_view text = fabric.description(node);
  return text.empty() ? fabric.id(node) : text;
}

}  // namespace fatwood
