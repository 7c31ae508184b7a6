// SPDX-License-Identifier: BSD-3-Clause
#include "io/base/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
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

constexpr std::size_t kLooked = 1024;  // bytes of a file that show its format
constexpr int kMostLinks = 40;         // that a path follows, as in Linux

bool is_standard_output(const std::string& path) {
  if (path == "-" || path == "/dev/stdout" || path == "/dev/fd/1") return true;
  struct stat named{};
  struct stat standard{};
  if (stat(path.c_str(), &named) != 0 || fstat(STDOUT_FILENO, &standard) != 0) return false;
  // /dev/null may be both: nothing is lost there.
  if (S_ISCHR(named.st_mode)) return false;
  return named.st_dev == standard.st_dev && named.st_ino == standard.st_ino;
}

// Two outputs with the same place would lose one of them; "" for what may be shared.
std::string place_of(const std::string& path) {
  struct stat found{};
  if (stat(path.c_str(), &found) == 0) {
    return S_ISREG(found.st_mode) ? fmt::format("{}:{}", found.st_dev, found.st_ino) : "";
  }
  std::error_code error;
  fs::path end(path);
  for (int links = 0; fs::is_symlink(end, error) && links < kMostLinks; ++links) {
    end = end.parent_path() / fs::read_symlink(end, error);
  }
  const fs::path whole = fs::weakly_canonical(fs::absolute(end, error), error);
  return error ? path : whole.string();
}

void check_folder(const std::string& option, const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    throw InputError({.file = path}, fmt::format("{} is a directory; expected a file", option));
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (fs::is_directory(folder, error)) return;
  throw InputError({.file = path},
                   fmt::format("can't be written: there is no folder {}", folder.string()));
}

bool may_be_ours(const std::string& path, const OutputForm& form) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) == 0) return true;
  std::ifstream file(path, std::ios::binary);
  std::string head(kLooked, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  return std::regex_search(head, std::regex(std::string(form.start)),
                           std::regex_constants::match_continuous);
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

void OutputFolder::write(const std::string& name, const WriteTo& write) {
  paths_.push_back((fs::path(path_) / name).string());
  files_.emplace_back(paths_.back(), write);
}

void OutputFolder::write(const std::string& name, std::string_view text) {
  write(name, [&](std::ostream& out) { out << text; });
}

std::vector<std::string> OutputFolder::finish() {
  for (const std::string& path : paths_) {
    const fs::path folder = fs::path(path).parent_path();
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw InputError({.file = folder.string()}, "can't be made: " + error.message());
  }
  for (PendingOutput& file : files_) file.finish();
  return std::move(paths_);
}

void Outputs::add(std::string option, std::string path, const OutputForm& form) {
  outputs_.push_back({std::move(option), std::move(path), form});
}

void Outputs::add_folder(const std::string& option, const std::string& folder,
                         std::span<const std::pair<const char*, OutputForm>> files) {
  std::error_code error;
  if (!fs::exists(folder, error)) return;
  if (!fs::is_directory(folder, error)) {
    throw InputError({.file = folder}, option + " needs a folder, and this is none");
  }
  for (const auto& [name, form] : files) add(option, (fs::path(folder) / name).string(), form);
}

void Outputs::check(Foreign foreign) const {
  std::vector<std::string> places;
  for (const Output& output : outputs_) {
    const bool standard = is_standard_output(output.path);
    places.push_back(standard ? "standard output" : place_of(output.path));
    for (std::size_t i = 0; i + 1 < places.size(); ++i) {
      if (places.back().empty() || places[i] != places.back()) continue;
      throw InputError(fmt::format("{} and {} both write to {}: name two files", outputs_[i].option,
                                   output.option, standard ? "standard output" : output.path));
    }
    if (standard) continue;
    check_folder(output.option, output.path);
    if (foreign == Foreign::kOverwritten || may_be_ours(output.path, output.form)) continue;
    throw InputError({.file = output.path},
                     fmt::format("{} would overwrite a file that does not look like {}: name "
                                 "another file, or give {}",
                                 output.option, output.form.name, param("force")));
  }
}

const std::string* Outputs::on_stdout() const {
  for (const Output& output : outputs_) {
    if (is_standard_output(output.path)) return &output.option;
  }
  return nullptr;
}

std::vector<std::pair<std::string, std::uintmax_t>> Outputs::sizes() const {
  std::vector<std::pair<std::string, std::uintmax_t>> found;
  for (const Output& output : outputs_) {
    std::error_code error;
    if (is_standard_output(output.path) || !fs::is_regular_file(output.path, error)) continue;
    found.emplace_back(output.path, fs::file_size(output.path, error));
  }
  return found;
}

}  // namespace fatwood
