// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Output files appear whole or not at all: written without a name, then given one. A program that
// is stopped leaves nothing behind. (On file systems without nameless files, as NFS,
// FILE.partial.PID is written and renamed, and a program that is killed leaves it there.) Links are
// followed; devices and pipes are written straight.

#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <string>

namespace fatwood {

using WriteTo = std::function<void(std::ostream&)>;

// "-" is standard output. InputError, with the path, if it cannot be written.
void write_output(const std::string& path, const WriteTo& write);

// The same in two steps, for files that belong together: all are written before one appears. The
// folder of the file need not exist before finish().
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
  std::string path_;              // as it was named
  std::filesystem::path target_;  // what a link points to
  std::filesystem::path partial_;
  std::unique_ptr<NamelessFile> nameless_;  // empty if partial_ is written
};

}  // namespace fatwood
