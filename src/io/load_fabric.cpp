#include "io/load_fabric.hpp"

#include <filesystem>

#include "core/error.hpp"
#include "io/ibnetdiscover.hpp"
#include "io/input.hpp"
#include "io/json_fabric.hpp"
#include "io/node_name_map.hpp"
#include "io/ports_report.hpp"
#include "io/subnet_lst.hpp"
#include "topology/spec.hpp"

namespace fatwood {

LoadedFabric load_fabric(const std::string& spec_or_path, const LoadOptions& options) {
  LoadedFabric loaded;
  if (looks_like_spec(spec_or_path)) {
    loaded = {make_fabric(spec_or_path), "spec", {}};
  } else if (spec_or_path != "-" && !std::filesystem::exists(spec_or_path)) {
    throw InputError({.file = spec_or_path}, "no such file, and no fabric spec");
  } else {
    Input input(spec_or_path);
    loaded = read_fabric(input);
  }
  if (!options.node_name_map.empty()) {
    Input map(options.node_name_map);
    loaded.fabric = with_names(loaded.fabric, read_node_name_map(map));
  }
  return loaded;
}

LoadedFabric read_fabric(Input& input) {
  const std::string_view head = input.peek();
  if (looks_like_json(head)) return read_json_fabric(input);
  if (looks_like_subnet_lst(head)) return read_subnet_lst(input);
  if (looks_like_ports_report(head)) return read_ports_report(input);
  if (looks_like_ibnetdiscover(head)) return read_ibnetdiscover(input);
  throw InputError({input.name(), 1, 1},
                   "expected a fabric: the output of ibnetdiscover (-p too), an ibsim net file, "
                   "opensm-subnet.lst or fatwood's JSON");
}

}  // namespace fatwood
