// SPDX-License-Identifier: BSD-3-Clause
#include "io/output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "core/error.hpp"

namespace fatwood {

namespace {

[[noreturn]] void cant_write(const std::string& path, int reason) {
  throw InputError({.file = path}, std::string("can't be written: ") + std::strerror(reason));
}

void write_through(const std::string& named, const std::filesystem::path& path,
                   const std::function<void(std::ostream&)>& write) {
  std::ofstream out(path, std::ios::binary);
  if (!out) cant_write(named, errno);
  write(out);
  out.close();
  if (!out) cant_write(named, errno);
}

}  // namespace

void write_output(const std::string& path, const std::function<void(std::ostream&)>& write) {
  if (path == "-") {
    write(std::cout);
    std::cout.flush();
    if (!std::cout) throw InputError("standard output can't be written");
    return;
  }
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);  // of what a link points to
  if (fs::is_directory(status)) cant_write(path, EISDIR);
  // A device or a pipe must not be replaced by a file.
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_through(path, path, write);
  const fs::path target = fs::exists(status) ? fs::canonical(path) : fs::path(path);
  const fs::path partial = target.string() + ".partial." + std::to_string(getpid());
  try {
    write_through(path, partial, write);
    fs::rename(partial, target, error);
    if (error) cant_write(path, error.value());
  } catch (...) {
    fs::remove(partial, error);
    throw;
  }
}

}  // namespace fatwood
