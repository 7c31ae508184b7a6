// SPDX-License-Identifier: BSD-3-Clause
#include "core/invariant.hpp"

namespace fatwood {

void broken_invariant(std::string_view what, const std::source_location& where) {
  // The file as it is named in the project, not where it was built.
  std::string_view file = where.file_name();
  const std::size_t folder = file.rfind("src/");
  if (folder != std::string_view::npos) file.remove_prefix(folder);
  throw InvariantError(std::string(file) + ':' + std::to_string(where.line()) + ": " +
                       std::string(what));
}

}  // namespace fatwood
