// SPDX-License-Identifier: BSD-3-Clause
#include "io/base/outputs.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "core/error.hpp"

namespace fatwood {

namespace {

namespace fs = std::filesystem;

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

void Outputs::add(std::string option, std::string path, const OutputForm& form) {
  outputs_.push_back({std::move(option), std::move(path), form});
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
                                 "another file, or give --force",
                                 output.option, output.form.name));
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
