// SPDX-License-Identifier: BSD-3-Clause
#include "support/real_fabrics.hpp"

#include <filesystem>

namespace fatwood::test {

// The folders are definitions of this file alone: the other tests don't depend on where they lie.
std::string checkout() { return FATWOOD_CHECKOUT; }

std::string lifelike(const std::string& name) {
  return name.find('/') == std::string::npos ? name : std::string(FATWOOD_REAL_FABRICS "/") + name;
}

bool is_here(const std::string& name) {
  return name.find('/') == std::string::npos || std::filesystem::exists(lifelike(name));
}

std::vector<std::string> here(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names) {
    if (is_here(name)) result.push_back(lifelike(name));
  }
  return result;
}

std::vector<std::string> small_lifelike_fabrics() {
  return here({"like-x5", "like-stage", "like-dgx-ndr", "x5/X5.topofile", "stage/ibnetdiscover.txt",
               "dgx-ndr/ibnetdiscover.txt"});
}

std::vector<std::string> lifelike_fabrics() {
  std::vector<std::string> all = small_lifelike_fabrics();
  for (const std::string& name : here({"like-selene", "selene/selene.compute.txt"})) {
    all.push_back(name);
  }
  return all;
}

}  // namespace fatwood::test
