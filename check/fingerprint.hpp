// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Checks that a proof belongs to the given files: fingerprints of fabric, tables and lane map, as
// defined in the manual of fatwood-check. They only protect users from mixing up files; the proof
// itself is checked by walking the routes.

#include <string>
#include <vector>

#include "files.hpp"

namespace check {

struct Inputs {
  Fabric fabric;
  Tables tables;
  Levels levels;
  LaneMap lanes;
  Certificate proof;
  std::string proof_path;
};

// "FILE:LINE: ..." of the first mismatch; empty if the proof belongs to these files.
std::string first_mismatch(const Inputs& inputs);

}  // namespace check
