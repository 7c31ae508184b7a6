#include "core/error.hpp"
#include "routing/engine.hpp"

namespace fatwood {

std::span<const Engine> engines() { return {}; }

const Engine& find_engine(std::string_view name) {
  std::string known;
  for (const Engine& engine : engines()) {
    if (engine.name == name) return engine;
    known += ' ';
    known += engine.name;
  }
  throw InputError("no engine is called \"" + std::string(name) + "\"; there are:" + known);
}

}  // namespace fatwood
