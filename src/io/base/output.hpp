// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Output files appear completely or not at all: they are written without a name and then linked. A
// program that is stopped leaves nothing behind. On file systems without nameless files, such as
// NFS, FILE.partial.PID is written and renamed; a killed program leaves it behind. Links are
// followed; devices and pipes are written directly.

#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <string>

namespace fatwood {

using WriteTo = std::function<void(std::ostream&)>;

// "-" is standard output. InputError, with the path, if it cannot be written.
void write_output(const std::string& path, const WriteTo& write);
void write_output(const std::string& path, std::string_view text);

// The same in two steps, for files that belong together: all are written before the first appears.
// The folder of the file need not exist before finish().
class PendingOutput {
 public:
  PendingOutput(std::string path, const WriteTo& write);
  PendingOutput(PendingOutput&&) noexcept;
  PendingOutput(const PendingOutput&) = delete;
  PendingOutput& operator=(PendingOutput&&) = delete;
  PendingOutput& operator=(const PendingOutput&) = delete;
  ~PendingOutput();
  void finish();

 private:
  class NamelessFile;
  std::string path_;              // as given
  std::filesystem::path target_;  // with links resolved
  std::filesystem::path partial_;
  std::unique_ptr<NamelessFile> nameless_;  // empty if partial_ is written
};

}  // namespace fatwood
