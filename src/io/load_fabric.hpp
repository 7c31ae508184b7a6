#pragma once
// A fabric as a person names it on the command line: a spec, a file of any format we read (found
// by looking inside; gzip and xz as they are), or "-" for standard input.

#include <string>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood {

class Input;

struct LoadedFabric {
  Fabric fabric;
  std::string format;  // "spec", "ibnetdiscover", "ports", "ibsim", "subnet.lst", "json"
  std::vector<std::string> warnings;  // what the file has wrong but can be read all the same
};

struct LoadOptions {
  std::string node_name_map;  // a file (node_name_map.hpp); "": none
};

// InputError with file, line and column when it can't be read.
LoadedFabric load_fabric(const std::string& spec_or_path, const LoadOptions& options = {});
// The same for an opened file.
LoadedFabric read_fabric(Input& input);

}  // namespace fatwood
