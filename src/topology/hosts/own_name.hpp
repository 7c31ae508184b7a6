// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Whether a scheduler or mpirun could know a host by its name. Names made from positions
// ("unit3-port5") and stock names ("localhost") are for people only.

#include "topology/hosts/hosts.hpp"

namespace fatwood {

inline bool has_own_name(const Hosts& hosts, Host m) {
  return hosts.named_by(m) != NamedBy::kPosition &&
         !described_adapter(std::string(hosts.name(m))).stock;
}

}  // namespace fatwood
