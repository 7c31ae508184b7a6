// SPDX-License-Identifier: BSD-3-Clause
#include "app/host_order.hpp"

#include <utility>

#include "io/lists/host_order_file.hpp"
#include "topology/hosts/rails.hpp"

namespace fatwood {

FoundOrder find_host_order(const Model& model, const std::string& file) {
  if (file.empty()) return {};
  KnownHosts known = read_host_order(model.fabric(), model.hosts().hosts, file);
  std::string note = known.warning();
  return {{file, std::move(known.hosts)}, std::move(note)};
}

}  // namespace fatwood
