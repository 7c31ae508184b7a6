// SPDX-License-Identifier: BSD-3-Clause
#include "core/error.hpp"

#include "core/text/printable.hpp"

namespace fatwood {

// Messages quote what files hold (printable.hpp).
static std::string located(const Location& where, const std::string& message) {
  std::string text = where.file;
  if (where.line != 0) {
    text += ':' + std::to_string(where.line);
    if (where.column != 0) text += ':' + std::to_string(where.column);
  }
  return printable_text(text.empty() ? message : text + ": " + message);
}

InputError::InputError(const Location& where, const std::string& message)
    : std::runtime_error(located(where, message)) {}

}  // namespace fatwood
