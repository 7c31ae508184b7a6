// SPDX-License-Identifier: BSD-3-Clause
#include "core/error.hpp"

#include <algorithm>

#include "core/text/printable.hpp"

namespace fatwood {

namespace {

// A parameter in a text: kBegin, its name, "=" and its value if there is one, kEnd.
constexpr char kBegin = '\1', kEnd = '\2';

std::string by_name(std::string_view name, std::string_view value) {
  std::string text(name);
  if (!value.empty()) text.append(" ").append(value);
  return text;
}

// Calls plain(text) and parameter(name, value) for the parts of a text.
template <class Plain, class Found>
void for_each_part(std::string_view text, const Plain& plain, const Found& found) {
  while (!text.empty()) {
    const std::size_t begin = text.find(kBegin);
    const std::size_t end = begin == text.npos ? begin : text.find(kEnd, begin);
    plain(text.substr(0, end == text.npos ? end : begin));
    if (end == text.npos) return;
    const std::string_view part = text.substr(begin + 1, end - begin - 1);
    const std::size_t equals = std::min(part.find('='), part.size());
    found(part.substr(0, equals), part.substr(std::min(equals + 1, part.size())));
    text.remove_prefix(end + 1);
  }
}

std::string located(const Location& where, const std::string& message) {
  std::string text = where.file;
  if (where.line != 0) {
    text += ':' + std::to_string(where.line);
    if (where.column != 0) text += ':' + std::to_string(where.column);
  }
  return text.empty() ? message : text + ": " + message;
}

}  // namespace

std::string param(std::string_view name, std::string_view value) {
  std::string text(1, kBegin);
  text += name;
  if (!value.empty()) text.append("=").append(value);
  return text + kEnd;
}

std::string spelled(std::string_view text, Spelling spelling) {
  std::string all;
  for_each_part(
      text, [&](std::string_view plain) { all += plain; },
      [&](std::string_view name, std::string_view value) { all += spelling(name, value); });
  return all;
}

// Messages quote what files hold (printable.hpp).
InputError::InputError(const Location& where, const std::string& message, ErrorKind kind)
    : std::runtime_error(printable_text(spelled(located(where, message), by_name))),
      where_(where),
      message_(message),
      located_(located(where, message)),
      kind_(kind) {
  if (where_.file.starts_with(kBegin)) where_ = {};
}

std::string InputError::parameter() const {
  std::string first;
  for_each_part(
      located_, [](std::string_view) {},
      [&](std::string_view name, std::string_view) {
        if (first.empty()) first = name;
      });
  return first;
}

std::string InputError::text(Spelling spelling) const {
  return printable_text(spelled(located_, spelling));
}

InputError cut_short(const Location& where, const std::string& message) {
  return {where, message + " (the file may be cut short)", ErrorKind::kCutShort};
}

InputError InputError::at(const Location& outer) const { return {outer, located_, kind_}; }

}  // namespace fatwood
