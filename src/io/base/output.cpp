// SPDX-License-Identifier: BSD-3-Clause
#include "io/base/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "core/error.hpp"

namespace fatwood {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void cant_write(const std::string& path, int reason) {
  throw InputError({.file = path}, std::string("can't be written: ") + std::strerror(reason));
}

void write_through(const std::string& named, const fs::path& path,
                   const std::function<void(std::ostream&)>& write) {
  std::ofstream out(path, std::ios::binary);
  if (!out) cant_write(named, errno);
  write(out);
  out.close();
  if (!out) cant_write(named, errno);
}

// A file without a name in a folder. It is gone when the process ends, however that ends, unless it
// was given a name before.
class NamelessFile {
 public:
  explicit NamelessFile(const fs::path& folder)
      : descriptor_(open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666)) {}
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;
  ~NamelessFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  // False where the file system has no such files (NFS), or /proc is not there.
  bool usable() const {
    std::error_code error;
    return descriptor_ >= 0 && fs::exists(path(), error);
  }
  fs::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
  bool give_name(const fs::path& name) const {
    return linkat(AT_FDCWD, path().c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  }

 private:
  int descriptor_;
};

// Writes what then has the name `partial`, if it could be written whole.
void write_partial(const std::string& named, const fs::path& partial,
                   const std::function<void(std::ostream&)>& write) {
  const NamelessFile file(partial.has_parent_path() ? partial.parent_path() : ".");
  if (!file.usable()) return write_through(named, partial, write);
  write_through(named, file.path(), write);
  if (!file.give_name(partial)) cant_write(named, errno);
}

}  // namespace

void write_output(const std::string& path, const std::function<void(std::ostream&)>& write) {
  if (path == "-") {
    write(std::cout);
    std::cout.flush();
    if (!std::cout) throw InputError("standard output can't be written");
    return;
  }
  std::error_code error;
  const fs::file_status status = fs::status(path, error);  // of what a link points to
  if (fs::is_directory(status)) cant_write(path, EISDIR);
  // A device or a pipe must not be replaced by a file.
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_through(path, path, write);
  const fs::path target = fs::exists(status) ? fs::canonical(path) : fs::path(path);
  const fs::path partial = target.string() + ".partial." + std::to_string(getpid());
  try {
    write_partial(path, partial, write);
    fs::rename(partial, target, error);
    if (error) cant_write(path, error.value());
  } catch (...) {
    fs::remove(partial, error);
    throw;
  }
}

}  // namespace fatwood
