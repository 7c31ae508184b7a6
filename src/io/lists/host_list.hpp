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

// In the order given. InputError for names that no host or that several hosts have, saying which
// are there, and for a host that comes twice where that is refused.
std::vector<Host> read_host_list(const Fabric& fabric, const Hosts& hosts, std::string_view text,
                                 const Location& where, Repeats repeats = Repeats::kRefused);

// The same for names that are already apart.
std::vector<Host> find_hosts_named(const Fabric& fabric, const Hosts& hosts,
                                   const std::vector<std::string>& names, const Location& where,
                                   Repeats repeats);

}  // namespace fatwood
