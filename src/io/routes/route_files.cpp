// SPDX-License-Identifier: BSD-3-Clause
#include "io/routes/route_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "io/base/tar.hpp"
#include "io/routes/route_records.hpp"

namespace fatwood {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRouteFiles = 100000;

// Lends the bytes of an archive's member, or of an input that is an archive.
template <class Source>
class LentSource : public ByteSource {
 public:
  explicit LentSource(Source& source) : source_(source) {}
  std::size_t read(std::span<char> buffer) override { return source_.read(buffer); }

 private:
  Source& source_;
};

// The files of a folder and those below it.
std::vector<fs::path> files_below(const std::string& path) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
    if (files.size() > kMostRouteFiles) throw InputError({.file = path}, "has too many files");
  }
  std::ranges::sort(files);
  return files;
}

template <class Visit>
void each_member(Input& archive, const Visit& visit) {
  TarReader tar(std::make_unique<LentSource<Input>>(archive), archive.name());
  while (const auto member = tar.next()) {
    const std::string whole = fmt::format("{}:{}", archive.name(), member->name);
    Input input(unpacked(whole, std::make_unique<LentSource<TarReader>>(tar)), whole);
    visit(input, member->name);
  }
}

}  // namespace

void RouteFiles::each(const Done& done) {
  if (fs::is_directory(path_)) {
    read_folder(done);
  } else {
    read_archive();
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      if (known_[s] != 0) done(s, read_[s]);
    }
  }
  if (std::ranges::find(known_, 1) != known_.end()) return;
  const std::string name = fabric_.num_switches() == 0 ? "leaf1" : unique_name(fabric_, Switch{0});
  throw InputError({.file = path_},
                   fmt::format("none of the files of this run has tables: expected far or fdbs "
                               "of ibdiagnet (with --routing), or files with the names of "
                               "switches and their routes, such as {}.json with the output of "
                               "`ip -j route`",
                               name));
}

void RouteFiles::report(Warnings& warnings) const {
  for (const Warnings& of_switch : warnings_of_) warnings.append(of_switch);
  if (strangers_ > 0) {
    warnings.add(fmt::format("{} files with routes have the name of no switch; the first is {}",
                             strangers_, first_stranger_));
  }
  if (!unreadable_.empty()) warnings.add(unreadable_);
  const auto missing = std::ranges::count(known_, 0);
  if (missing == 0) return;
  const auto first = std::ranges::find(known_, 0);
  warnings.add(fmt::format("{} of {} switches have no routes in the files: the first is {}",
                           missing, known_.size(),
                           unique_name(fabric_, static_cast<Switch>(first - known_.begin()))));
}

// Switch by switch, so that few routes are in memory as text.
void RouteFiles::read_folder(const Done& done) {
  Table<Switch, std::vector<fs::path>> files(fabric_.num_switches());
  for (const fs::path& file : files_below(path_)) {
    const std::string name = fs::relative(file, path_).string();
    const Switch s = names_.of_file(name);
    if (s != kNone<Switch>) {
      files[s].push_back(file);
    } else {
      guarded(name, [&] {
        Input input(file.string());
        read_unnamed(name, input);
      });
    }
  }
  parallel_for(files.size(), threads_, [&](std::size_t i, int) {
    const auto s = static_cast<Switch>(i);
    for (const fs::path& file : files[s]) {
      Input input(file.string());
      if (looks_like_tar(input.peek())) {
        each_member(input, [&](Input& member, const std::string&) { read_file(s, member); });
      } else {
        read_file(s, input);
      }
    }
    if (known_[s] != 0) done(s, read_[s]);
    read_[s] = {};
  });
}

void RouteFiles::read_archive() {
  Input input(path_);
  if (!looks_like_tar(input.peek())) return read_unnamed(path_, input);
  each_member(input, [&](Input& member, const std::string& name) {
    const Switch s = names_.of_file(name);
    if (s == kNone<Switch>) {
      guarded(name, [&] { read_unnamed(name, member); });
    } else {
      read_file(s, member);
    }
  });
}

void RouteFiles::read_file(Switch s, Input& input) {
  if (!looks_like_routes(input.peek())) return;
  Warnings warnings(input.name());
  if (read_switch_routes(input, read_[s], warnings)) known_[s] = 1;
  warnings_of_[s].append(warnings);
}

// A file of many devices, an archive, or that of an unknown switch.
void RouteFiles::read_unnamed(const std::string& name, Input& input) {
  if (looks_like_tar(input.peek())) {
    each_member(input, [&](Input& member, const std::string& inside) {
      const Switch s = names_.of_file(inside);
      if (s != kNone<Switch>) read_file(s, member);
    });
  } else if (looks_like_records(input.peek())) {
    for (const RouteRecord& record : read_records(input)) {
      const Switch s = names_.of_file(record.device);
      Input answer(record.answer, fmt::format("{} ({})", input.name(), record.device));
      if (s != kNone<Switch>) read_file(s, answer);
    }
  } else if (looks_like_routes(input.peek()) && strangers_++ == 0) {
    first_stranger_ = name;
  }
}

// A file that is not of a switch alone and cannot be read is left out.
template <class Read>
void RouteFiles::guarded(const std::string& name, const Read& read) {
  try {
    read();
  } catch (const InputError& error) {
    if (unreadable_.empty()) {
      unreadable_ = fmt::format("{} is left out: {}", name, error.what());
    }
  }
}

}  // namespace fatwood
