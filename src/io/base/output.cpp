// SPDX-License-Identifier: BSD-3-Clause
#include "io/base/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <utility>

#include "core/error.hpp"

namespace fatwood {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void cant_write(const std::string& path, int reason) {
  throw InputError({.file = path}, std::string("can't be written: ") + std::strerror(reason));
}

void write_through(const std::string& named, const fs::path& path, const WriteTo& write) {
  std::ofstream out(path, std::ios::binary);
  if (!out) cant_write(named, errno);
  write(out);
  out.close();
  if (!out) cant_write(named, errno);
}

// A place for a file whose folder does not exist yet.
fs::path nearest_folder(const fs::path& target) {
  std::error_code error;
  fs::path folder = fs::absolute(target, error).parent_path();
  while (!fs::is_directory(folder, error) && folder.has_relative_path()) {
    folder = folder.parent_path();
  }
  return folder;
}

}  // namespace

// A file without a name. It is gone when the process ends, however that ends, unless it was given a
// name before.
class PendingOutput::NamelessFile {
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

PendingOutput::PendingOutput(std::string path, const WriteTo& write) : path_(std::move(path)) {
  std::error_code error;
  const fs::file_status status = fs::status(path_, error);  // of what a link points to
  if (fs::is_directory(status)) cant_write(path_, EISDIR);
  target_ = fs::exists(status) ? fs::canonical(path_) : fs::path(path_);
  const fs::path folder = nearest_folder(target_);
  const std::string partial = target_.filename().string() + ".partial." + std::to_string(getpid());
  nameless_ = std::make_unique<NamelessFile>(folder);
  if (nameless_->usable()) {
    write_through(path_, nameless_->path(), write);
    partial_ = target_.parent_path() / partial;
    return;
  }
  nameless_.reset();
  partial_ = folder / partial;
  try {
    write_through(path_, partial_, write);
  } catch (...) {
    fs::remove(partial_, error);
    throw;
  }
}

PendingOutput::PendingOutput(PendingOutput&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      partial_(std::exchange(other.partial_, {})),
      nameless_(std::move(other.nameless_)) {}

PendingOutput::~PendingOutput() {
  std::error_code error;
  if (!partial_.empty()) fs::remove(partial_, error);
}

void PendingOutput::finish() {
  if (nameless_ && !nameless_->give_name(partial_)) cant_write(path_, errno);
  std::error_code error;
  fs::rename(partial_, target_, error);
  if (error) cant_write(path_, error.value());
  partial_.clear();
}

void write_output(const std::string& path, const WriteTo& write) {
  if (path == "-") {
    write(std::cout);
    std::cout.flush();
    if (!std::cout) throw InputError("standard output can't be written");
    return;
  }
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  // A device or a pipe must not be replaced by a file.
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) {
    return write_through(path, path, write);
  }
  // A folder that is missing is an error here, found before anything is written.
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, error)) cant_write(path, ENOENT);
  PendingOutput(path, write).finish();
}

void write_output(const std::string& path, std::string_view text) {
  write_output(path, [&](std::ostream& out) { out << text; });
}

}  // namespace fatwood
