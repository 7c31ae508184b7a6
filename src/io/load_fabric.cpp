#include "io/load_fabric.hpp"

#include "core/error.hpp"
#include "topology/spec.hpp"

namespace fatwood {

LoadedFabric load_fabric(const std::string& spec_or_path) {
  if (looks_like_spec(spec_or_path)) return {make_fabric(spec_or_path), "spec", {}};
  throw InputError({.file = spec_or_path}, "no such file, and no fabric spec");
}

}  // namespace fatwood
