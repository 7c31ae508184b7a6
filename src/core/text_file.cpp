#include "core/text_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/error.hpp"

namespace fatwood {

std::ifstream open_text(const std::string& path) {
  if (path.empty()) throw InputError("expected the name of a file");
  std::error_code error;
  // A directory opens, and reads as an empty file.
  if (std::filesystem::is_directory(path, error)) {
    throw InputError({.file = path}, "is a directory; expected a file");
  }
  std::ifstream in(path);
  if (!in) throw InputError({.file = path}, std::strerror(errno));
  return in;
}

}  // namespace fatwood
