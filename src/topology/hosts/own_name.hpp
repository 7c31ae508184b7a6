// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Whether a scheduler or mpirun could know a host by its name. Names made from positions
// ("unit3-port5"), stock names ("localhost") and ids of ibnetdiscover ("H-0002c90300048208") are
// for people only.

#include <algorithm>

#include "core/text/parse_number.hpp"
#include "topology/hosts/hosts.hpp"

namespace fatwood {

// "H-" and a GUID.
inline bool is_guid_id(std::string_view name) {
  const auto hex = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); };
  return name.size() == 18 && name.starts_with("H-") && std::ranges::all_of(name.substr(2), hex);
}

inline bool has_own_name(const Hosts& hosts, Host m) {
  return hosts.named_by(m) != NamedBy::kPosition && !is_guid_id(hosts.name(m)) &&
         !described_adapter(std::string(hosts.name(m))).stock;
}

}  // namespace fatwood
