// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The distinct states of a fabric, kept in a folder: when, what was known of it, and the fabric
// itself, so that the page can go back and compare.
//
// State ID is the time in milliseconds since 1970. ID.json has the facts, ID.fabric.json the fabric
// as `fatwood convert --to json` writes it. Files appear whole or not at all (io/base/output.hpp);
// a state counts once both are there. The oldest go when there are more than `most`, or older than
// `days`.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fatwood::serve {

struct HistoryOptions {
  std::string folder;
  std::size_t most = 1000;
  int days = 90;
};

struct KeptState {
  std::uint64_t id = 0;  // milliseconds
  std::string facts;     // JSON
};

class History {
 public:
  // Creates the folder. InputError if that cannot be, or it has files of others.
  explicit History(HistoryOptions options);

  // Keeps a state; the caller sees to it that it differs from the last. InputError if it cannot
  // be written (a full disk): what was kept before stays.
  void keep(std::uint64_t now, const std::string& facts, const std::string& fabric);
  std::vector<KeptState> list() const;  // oldest first
  // The file of a state's fabric.
  std::optional<std::string> fabric_file(std::uint64_t id) const;

 private:
  std::vector<std::uint64_t> ids() const;
  std::string path(std::uint64_t id, const char* ending) const;
  void drop_old(std::uint64_t now);

  HistoryOptions options_;
};

}  // namespace fatwood::serve
