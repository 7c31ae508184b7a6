// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Host lists as people and schedulers write them: "luna-0129", "luna-[0129-0160]", or "@FILE" with
// such lists, one or more per line, '#' for comments. A host may also be given by the id or GUID of
// one of its adapters, and with or without its domain.

#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "topology/hosts/hosts.hpp"

namespace fatwood {

enum class Repeats : std::uint8_t { kRefused, kKept };

// In the given order, without unknown names.
struct KnownHosts {
  std::vector<Host> hosts;
  std::vector<std::string> missing;
  std::size_t named = 0;  // both

  // "left out 2 of 64 hosts, not in this fabric: n[63-64]"; "" if none is missing.
  std::string warning() const;
};

// InputError if no name is known, if several hosts have a name, or if a host occurs twice and that
// is not allowed.
KnownHosts read_host_list(const Fabric& fabric, const Hosts& hosts, std::string_view text,
                          const Location& where, Repeats repeats = Repeats::kRefused);
// The same for separate names.
struct NamedHost {
  std::string name;
  Location where;
};
KnownHosts find_known_hosts(const Fabric& fabric, const Hosts& hosts,
                            const std::vector<NamedHost>& names, Repeats repeats);
KnownHosts find_known_hosts(const Fabric& fabric, const Hosts& hosts,
                            const std::vector<std::string>& names, const Location& where,
                            Repeats repeats);
// InputError, with the existing hosts, if any is missing.
std::vector<Host> find_hosts_named(const Fabric& fabric, const Hosts& hosts,
                                   const std::vector<std::string>& names, const Location& where,
                                   Repeats repeats);

}  // namespace fatwood
