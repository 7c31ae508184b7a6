// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A folder for files that another program reads; gone at the end.

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

namespace fatwood {

class ScratchFolder {
 public:
  // `name`: "fatwood-check", for those who find it.
  explicit ScratchFolder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / (name + "-XXXXXX")) {
    if (mkdtemp(path_.data()) == nullptr) {
      throw std::filesystem::filesystem_error("mkdtemp", path_, {errno, std::generic_category()});
    }
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  std::string operator/(const char* file) const { return path_ + "/" + file; }

 private:
  std::string path_;
};

}  // namespace fatwood
