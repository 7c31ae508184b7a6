#include "io/output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "core/error.hpp"

namespace fatwood {

void write_output(const std::string& path, const std::function<void(std::ostream&)>& write) {
  if (path == "-") {
    write(std::cout);
    std::cout.flush();
    if (!std::cout) throw InputError("standard output can't be written");
    return;
  }
  const std::string partial = path + ".partial." + std::to_string(getpid());
  const auto fail = [&] {
    const std::string reason = std::strerror(errno);
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    throw InputError({.file = path}, "can't be written: " + reason);
  };
  try {
    std::ofstream out(partial, std::ios::binary);
    if (!out) fail();
    write(out);
    out.close();
    if (!out) fail();
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    throw;
  }
  std::error_code error;
  std::filesystem::rename(partial, path, error);
  if (error) {
    errno = error.value();
    fail();
  }
}

}  // namespace fatwood
