// SPDX-License-Identifier: BSD-3-Clause
#include "report/load/among_report.hpp"

#include <fmt/format.h>

namespace fatwood {

std::string among_line(const Participants& who) {
  if (who.adapters.empty() || (who.among == "all" && !who.mixed())) return "";
  return fmt::format("among {}: {}\n", who.among, describe(who));
}

Json among_json(const Participants& who) {
  Json json{{"hosts", who.among}, {"adapters", who.adapters.size()}};
  for (const Role role : kRoles) json[name_of(role)] = who.with(role);
  return json;
}

}  // namespace fatwood
