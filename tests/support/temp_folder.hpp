// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An empty folder with a name of its own, removed at the end: tests run at the same time.

#include <stdlib.h>  // mkdtemp: POSIX

#include <filesystem>
#include <stdexcept>
#include <string>

namespace fatwood::test {

class TempFolder {
 public:
  TempFolder() : path_((std::filesystem::temp_directory_path() / "fatwood_XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no folder " + path_);
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace fatwood::test
