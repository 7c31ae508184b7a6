// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Hosts as people and schedulers name them: "luna-0129", "luna-[0129-0160]", "@FILE" with such
// lists, one or more a line, '#' for comments. A host may also be named by the id or GUID of one of
// its adapters, and with or without its domain.

#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "topology/hosts/hosts.hpp"

namespace fatwood {

enum class Repeats : std::uint8_t { kRefused, kKept };

// In the order given; names that no host has are left out.
struct KnownHosts {
  std::vector<Host> hosts;
  std::vector<std::string> missing;
  std::size_t named = 0;  // both

  // "left out 2 of 64 hosts, not in this fabric: n[63-64]"; "" if none is missing.
  std::string warning() const;
};

// InputError if no name is known, for names that several hosts have, and for a host that comes
// twice where that is refused.
KnownHosts read_host_list(const Fabric& fabric, const Hosts& hosts, std::string_view text,
                          const Location& where, Repeats repeats = Repeats::kRefused);
// The same for names that are already separate.
struct NamedHost {
  std::string name;
  Location where;
};
KnownHosts find_known_hosts(const Fabric& fabric, const Hosts& hosts,
                            const std::vector<NamedHost>& names, Repeats repeats);
KnownHosts find_known_hosts(const Fabric& fabric, const Hosts& hosts,
                            const std::vector<std::string>& names, const Location& where,
                            Repeats repeats);
// InputError, with what hosts there are, when any is missing.
std::vector<Host> find_hosts_named(const Fabric& fabric, const Hosts& hosts,
                                   const std::vector<std::string>& names, const Location& where,
                                   Repeats repeats);

}  // namespace fatwood
