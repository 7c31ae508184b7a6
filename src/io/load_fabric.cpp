#include "io/load_fabric.hpp"

#include <filesystem>

#include "core/error.hpp"
#include "io/ibnetdiscover.hpp"
#include "io/input.hpp"
#include "topology/spec.hpp"

namespace fatwood {

LoadedFabric load_fabric(const std::string& spec_or_path) {
  if (looks_like_spec(spec_or_path)) return {make_fabric(spec_or_path), "spec", {}};
  if (spec_or_path != "-" && !std::filesystem::exists(spec_or_path)) {
    throw InputError({.file = spec_or_path}, "no such file, and no fabric spec");
  }
  Input input(spec_or_path);
  return read_fabric(input);
}

LoadedFabric read_fabric(Input& input) {
  const std::string_view head = input.peek();
  if (looks_like_ibnetdiscover(head)) return read_ibnetdiscover(input);
  throw InputError({input.name(), 1, 1},
                   "expected a fabric: the output of ibnetdiscover or an ibsim net file");
}

}  // namespace fatwood
