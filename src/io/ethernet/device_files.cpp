// SPDX-License-Identifier: BSD-3-Clause
#include "io/ethernet/device_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/base/tar.hpp"

namespace fatwood {

namespace {

constexpr unsigned kMostFolders = 8;          // in each other
constexpr std::size_t kMostReports = 100000;  // files

class MemberBytes : public ByteSource {
 public:
  explicit MemberBytes(TarReader& tar) : tar_(tar) {}
  std::size_t read(std::span<char> buffer) override { return tar_.read(buffer); }

 private:
  TarReader& tar_;
};

class InputBytes : public ByteSource {
 public:
  explicit InputBytes(Input& input) : input_(input) {}
  std::size_t read(std::span<char> buffer) override { return input_.read(buffer); }

 private:
  Input& input_;
};

}  // namespace

DeviceFiles::DeviceFiles(std::string path) : path_(std::move(path)), warnings_(path_) {}

void DeviceFiles::each(const Visit& visit) {
  visit_ = &visit;
  if (std::filesystem::is_directory(path_)) return folder(path_, "", 0);
  const std::string name = path_.substr(path_.rfind('/') + 1);
  Input alone(path_);
  if (!looks_like_tar(alone.peek())) return file(std::move(alone), name, 0);
  archive(unpacked(path_, open_file(path_)), path_, name, 0);
}

void DeviceFiles::folder(const std::string& path, const std::string& inside, unsigned depth) {
  if (depth > kMostFolders) return;
  std::vector<std::filesystem::path> entries;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    entries.push_back(entry.path());
  }
  std::ranges::sort(entries);
  for (const std::filesystem::path& entry : entries) {
    const std::string name = inside + entry.filename().string();
    if (std::filesystem::is_directory(entry)) {
      folder(entry.string(), name + '/', depth + 1);
    } else if (std::filesystem::is_regular_file(entry)) {
      guarded(entry.string(), [&] { file(Input(entry.string()), name, depth); });
    }
  }
}

void DeviceFiles::archive(std::unique_ptr<ByteSource> bytes, const std::string& name,
                          const std::string& inside, unsigned depth) {
  TarReader tar(std::move(bytes), name);
  while (const auto member = tar.next()) {
    const std::string whole = fmt::format("{}:{}", name, member->name);
    guarded(whole, [&] {
      file(Input(unpacked(whole, std::make_unique<MemberBytes>(tar)), whole),
           fmt::format("{}/{}", inside, member->name), depth);
    });
  }
}

void DeviceFiles::file(Input input, const std::string& inside, unsigned depth) {
  if (++files_ > kMostReports) throw InputError({.file = path_}, "has too many files");
  if (!looks_like_tar(input.peek())) return (*visit_)(input, inside);
  if (depth > kMostFolders) return;
  const std::string name = input.name();
  archive(std::make_unique<InputBytes>(input), name, inside, depth + 1);
}

template <class Read>
void DeviceFiles::guarded(const std::string& name, const Read& read) {
  try {
    read();
  } catch (const InputError& error) {
    const Location& at = error.where();
    const bool here = at.file == name && at.line != 0;
    Warnings one(name);
    one.add(fmt::format(
        "left out: {}",
        here ? fmt::format("{}:{}: {}", at.line, at.column, error.message()) : error.what()));
    warnings_.append(one);
  }
}

}  // namespace fatwood
