// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The files of fabric and routing, and the history, through a process with a time limit
// (children/files_worker.hpp). No call waits longer than that.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "serve/children/child.hpp"
#include "serve/children/files_worker.hpp"

namespace fatwood::serve {

class Files {
 public:
  // `paths`: fabric and routing as given; "" or a word that names no file is allowed.
  // `history_folder`: "" if nothing is kept.
  Files(std::vector<std::string> paths, std::string history_folder, std::chrono::seconds time);

  // All calls: ChildError if it takes too long, InputError if it fails.
  std::vector<std::string> stamps();  // of the paths; "" if there is no such file
  void read();                        // whether all files can be read to their ends
  void keep(std::uint64_t now, const std::string& facts, const std::string& fabric);
  std::vector<StoredState> history();
  // The file of a stored fabric; no value if it is not stored.
  std::optional<std::string> history_file(std::uint64_t id);

  bool keeps_history() const { return !history_folder_.empty(); }
  void stop() { worker_.stop(); }

 private:
  FilesReply call(const FilesRequest& request, const std::string& what);

  std::vector<std::string> paths_;
  std::string history_folder_;
  Worker worker_;
};

}  // namespace fatwood::serve
