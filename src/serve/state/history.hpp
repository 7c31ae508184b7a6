// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The distinct states of a fabric, stored in a folder: time, facts, and the fabric itself, so that
// the page can go back and compare.
//
// The ID of a state is the time in milliseconds since 1970. ID.json has the facts, ID.fabric.json
// the fabric as `fatwood convert --to json` writes it. Files are written completely or not at all
// (io/base/output.hpp); a state counts if both exist. The oldest are removed if there are more than
// `most`, or if they are older than `days`.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fatwood::serve {

struct HistoryOptions {
  std::string folder;
  std::size_t most = 1000;
  int days = 90;
};

struct StoredState {
  std::uint64_t id = 0;  // milliseconds
  std::string facts;     // JSON
};

class History {
 public:
  explicit History(HistoryOptions options) : options_(std::move(options)) {}

  // Creates the folder, for a new server. InputError if that fails, or if it has other files.
  void prepare() const;

  // Stores a state; the caller makes sure that it differs from the last. InputError if it cannot be
  // written (a full disk, a folder that is gone); earlier states stay.
  void keep(std::uint64_t now, const std::string& facts, const std::string& fabric);
  std::vector<StoredState> list() const;  // oldest first
  std::string fabric_file(std::uint64_t id) const;

 private:
  std::vector<std::uint64_t> ids() const;
  std::string path(std::uint64_t id, const char* ending) const;
  void drop_old(std::uint64_t now);

  HistoryOptions options_;
};

}  // namespace fatwood::serve
