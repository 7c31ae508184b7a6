// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A run of ibdiagnet as one argument: its output folder, or a tar archive of it (plain, gzip or
// xz). The kind of a file is detected by content, not by name.
//
// In a folder its own files count; if these are a fabric without tables, also the tables of a
// sub-folder, if only one has any. In an archive, all count. Of several files of one kind, the one
// in the highest folder counts, then the first by name.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/input.hpp"
#include "io/fabric/load_fabric.hpp"

namespace fatwood {

enum class RunFile : std::uint8_t {
  kDbCsv,
  kIbnetdiscover,
  kPortsReport,  // ibnetdiscover -p
  kLst,
  kNetDump,
  kPm,
  kSignals,  // net_dump_ext
  kCables,
  kAdaptiveTables,  // far
  kLfts,            // fdbs, or another dump of plain tables
  kPathLevels,      // psl: the service level of paths
  kSl2vl,           // slvl: the lane of each level
  kOther,
};

class RunFiles {
 public:
  // A folder, or a file that is an archive. Does not read standard input.
  static bool is_run(const std::string& path);

  // Reads the beginning of every file. InputError if the archive is broken.
  explicit RunFiles(std::string path);

  const std::string& path() const { return path_; }
  bool has(RunFile part) const { return found_[static_cast<std::size_t>(part)].has_value(); }
  bool has_fabric() const {
    return has(RunFile::kDbCsv) || has(RunFile::kIbnetdiscover) || has(RunFile::kPortsReport) ||
           has(RunFile::kLst) || has(RunFile::kNetDump);
  }
  bool has_tables() const { return has(RunFile::kAdaptiveTables) || has(RunFile::kLfts); }
  // REQUIRES has(part). An archive is decompressed again up to the file.
  Input open(RunFile part) const;
  // All files of this kind in the same folder, as numbers for opening them: a script may have
  // written one file per switch.
  std::vector<std::size_t> all(RunFile part) const;
  Input open(std::size_t file) const;
  std::string name(RunFile part) const;    // without its folder
  std::vector<std::string> names() const;  // of all files
  // Sub-folders with tables, if there are several: none of them counts.
  const std::vector<std::string>& table_folders() const { return table_folders_; }

 private:
  struct File {
    std::string name;
    RunFile part = RunFile::kOther;
  };
  void look_in_folder();
  void look_for_tables();
  void look_in_archive();
  void choose();

  std::string path_;
  bool archive_ = false;
  std::vector<File> files_;
  std::vector<std::string> table_folders_;
  std::array<std::optional<std::size_t>, static_cast<std::size_t>(RunFile::kOther)> found_;
};

// The file at `path`, or, if that is a run, its file of this kind; InputError if it has none.
Input open_part(const std::string& path, RunFile part, std::string_view what);

// A fabric with all data of a run. InputError if it has no fabric.
LoadedFabric read_run(const RunFiles& files);

}  // namespace fatwood
