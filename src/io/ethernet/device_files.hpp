// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The files of a folder or an archive (plain, gzip or xz), of folders and archives in it, or one
// file alone. A file that is broken does not hide the others: it is a warning.

#include <functional>
#include <string>

#include "io/base/input.hpp"
#include "io/base/warnings.hpp"

namespace fatwood {

class DeviceFiles {
 public:
  // `inside`: the names of folders and archives on the way to the file, and its own.
  using Visit = std::function<void(Input& input, const std::string& inside)>;

  explicit DeviceFiles(std::string path);
  // In the order of names. InputError if there are more than 100,000.
  void each(const Visit& visit);

  std::size_t count() const { return files_; }
  Warnings& warnings() { return warnings_; }

 private:
  void folder(const std::string& path, const std::string& inside, unsigned depth);
  void archive(std::unique_ptr<ByteSource> bytes, const std::string& name,
               const std::string& inside, unsigned depth);
  void file(Input input, const std::string& inside, unsigned depth);
  template <class Read>
  void guarded(const std::string& name, const Read& read);

  std::string path_;
  Warnings warnings_;
  const Visit* visit_ = nullptr;
  std::size_t files_ = 0;
};

}  // namespace fatwood
