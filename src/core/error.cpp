// SPDX-License-Identifier: BSD-3-Clause
#include "core/error.hpp"

namespace fatwood {

static std::string located(const Location& where, const std::string& message) {
  std::string text = where.file;
  if (where.line != 0) {
    text += ':' + std::to_string(where.line);
    if (where.column != 0) text += ':' + std::to_string(where.column);
  }
  // Messages quote what files hold: control bytes would end the text or command a terminal.
  text = text.empty() ? message : text + ": " + message;
  for (char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < ' ' && c != '\n') || byte == 0x7f) c = '?';
  }
  return text;
}

InputError::InputError(const Location& where, const std::string& message)
    : std::runtime_error(located(where, message)) {}

}  // namespace fatwood
