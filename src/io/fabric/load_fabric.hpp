// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Loads a fabric from an argument: a spec, a file of any known format (detected by content; gzip
// and xz are decompressed), a plan (src/plan/formats), the folder or tar archive of a run of
// ibdiagnet, "-" for standard input, "live" (live.hpp), or "edges:FILE" (edge_list.hpp).

#include <string>

#include "io/base/loaded_fabric.hpp"

namespace fatwood {

class Input;

// InputError with file, line and column if it cannot be read.
LoadedFabric load_fabric(const std::string& spec_or_path, const LoadOptions& options = {});
// The same for an opened file.
LoadedFabric read_fabric(Input& input, const LoadOptions& options = {});

}  // namespace fatwood
