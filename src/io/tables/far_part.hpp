// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Reads the sections of some switches of a far file (far.hpp), for far_read.cpp. Rows of tables are
// parsed by hand, and their kind is looked up in a small table of the switch's groups; everything
// else uses Cursor. Cost: linear in the text.

#include <mutex>
#include <string>

#include "io/base/input_parts.hpp"
#include "io/base/records.hpp"
#include "io/base/warnings.hpp"
#include "io/tables/lid_tables.hpp"

namespace fatwood {

inline constexpr std::string_view kFarHeader = "Switch 0x";

// Shared by the threads that read a file.
struct FarFile {
  FarFile(Input& input, const Fabric& fabric, std::size_t part_bytes)
      : name(input.name()),
        parts(input, kFarHeader, part_bytes),
        rows(fabric, LidRows::Kinds::kCollected) {}

  std::string name;
  InputParts parts;
  LidRows rows;
  std::mutex sets_mutex;  // protects rows.tables().sets
};

// The contents of a part besides tables.
struct FarPartEnd {
  Frame frame;
  Warnings warnings;
};

// `input` is a part of the file. REQUIRES that no other thread reads a switch of it.
FarPartEnd read_far_part(Input& input, FarFile& file);

}  // namespace fatwood
