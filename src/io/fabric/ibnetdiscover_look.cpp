// SPDX-License-Identifier: BSD-3-Clause
// Detects the text that ibnetdiscover.hpp describes by its beginning.

#include "io/base/records.hpp"
#include "io/fabric/ibnetdiscover.hpp"
#include "io/fabric/node_words.hpp"

namespace fatwood {

namespace {

// "Switch 41 "S-...", or the "Switch : 0x..." of a list, which is recognised later.
bool is_node_line(std::string_view line) {
  for (const auto& [keyword, kind] : kNodeKeywords) {
    if (!line.starts_with(keyword)) continue;
    const std::string_view rest = line.substr(keyword.size());
    const std::size_t at = rest.find_first_not_of(" \t");
    if (at == std::string_view::npos) continue;
    const bool digit = rest[at] >= '0' && rest[at] <= '9';
    if (digit && rest.find('"') != std::string_view::npos) return true;
    if (rest[at] == ':' && rest.find("0x") != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

bool looks_like_ibnetdiscover(std::string_view head) {
  return any_line(head, [](std::string_view line) {
    for (const std::string_view start :
         {"# Topology file:", "vendid=", "devid=", "sysimgguid=", "switchguid=", "switchguid+",
          "caguid=", "hcaguid=", "hcaguids=", "rtguid=", "routerguid="}) {
      if (line.starts_with(start)) return true;
    }
    return is_node_line(line);
  });
}

}  // namespace fatwood
