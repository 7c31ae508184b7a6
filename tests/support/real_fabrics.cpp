#include "support/real_fabrics.hpp"

namespace fatwood::test {

// The folder is a definition of this file alone: the other tests don't depend on where they lie.
std::string real_fabric(const std::string& name) {
  return std::string(FATWOOD_REAL_FABRICS) + "/" + name;
}

}  // namespace fatwood::test
