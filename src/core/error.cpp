#include "core/error.hpp"

namespace fatwood {

static std::string located(const Location& where, const std::string& message) {
  std::string text = where.file;
  if (where.line != 0) {
    text += ':' + std::to_string(where.line);
    if (where.column != 0) text += ':' + std::to_string(where.column);
  }
  return text.empty() ? message : text + ": " + message;
}

InputError::InputError(const Location& where, const std::string& message)
    : std::runtime_error(located(where, message)) {}

}  // namespace fatwood
