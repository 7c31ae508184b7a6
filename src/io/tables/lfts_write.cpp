// SPDX-License-Identifier: BSD-3-Clause
// Writes the dump of lfts.hpp. Most of a line is the same for every switch, so the text of each
// destination is made once. The tables are transposed in blocks of switches that stay in the cache.
// Cost: the bytes written.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/base/text.hpp"
#include "io/tables/lfts.hpp"

namespace fatwood {

namespace {

struct LftLine {
  Lid lid = kNoLid;
  Destination destination{};
  std::string after;  // behind the port
};

std::vector<LftLine> lines_by_lid(const Fabric& fabric, const ForwardingTables& tables,
                                  const Lids& lids) {
  std::vector<LftLine> lines;
  lines.reserve(tables.num_destinations());
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    const bool is_switch = tables.is_switch(destination);
    const Node node = is_switch ? fabric.node(tables.as_switch(destination))
                                : fabric.adapter_node(tables.terminal(destination));
    const std::uint64_t guid = is_switch ? fabric.address(tables.as_switch(destination)).guid
                                         : fabric.address(tables.terminal(destination)).guid;
    const std::string_view kind = is_switch                                ? "Switch"
                                  : fabric.kind(node) == NodeKind::kRouter ? "Router"
                                                                           : "Channel Adapter";
    lines.push_back({lids.of(tables, destination), destination,
                     fmt::format(" # {} portguid 0x{:016x}: '{}'\n", kind, guid,
                                 one_line(description_or_id(fabric, node)))});
  }
  std::sort(lines.begin(), lines.end(),
            [](const LftLine& a, const LftLine& b) { return a.lid < b.lid; });
  return lines;
}

// "0x0001 001" at `to`; 10 bytes.
void put_entry(char* to, std::uint32_t lid, std::uint32_t port) {
  constexpr std::string_view kHex = "0123456789abcdef";
  to[0] = '0';
  to[1] = 'x';
  for (unsigned i = 0; i < 4; ++i) to[2 + i] = kHex[(lid >> (12 - 4 * i)) & 15];
  to[6] = ' ';
  to[7] = static_cast<char>('0' + port / 100);
  to[8] = static_cast<char>('0' + port / 10 % 10);
  to[9] = static_cast<char>('0' + port % 10);
}

}  // namespace

void write_lfts(std::ostream& out, const Fabric& fabric, const ForwardingTables& tables,
                const Lids& lids) {
  require_real_lids(lids);
  constexpr std::size_t kTogether = 64;
  constexpr std::size_t kEntry = 10;
  const std::vector<LftLine> lines = lines_by_lid(fabric, tables, lids);
  const std::uint32_t highest = index(lids.highest());
  std::vector<Port> ports(kTogether * lines.size());  // [switch of the block][line]
  std::string text;
  for (std::size_t first = 0; first < tables.num_switches(); first += kTogether) {
    const std::size_t count = std::min(kTogether, tables.num_switches() - first);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::span<const Port> row = tables.row(lines[i].destination);
      for (std::size_t s = 0; s < count; ++s) ports[s * lines.size() + i] = row[first + s];
    }
    for (std::size_t s = 0; s < count; ++s) {
      const auto self = static_cast<Switch>(first + s);
      const Node node = fabric.node(self);
      text.clear();
      fmt::format_to(std::back_inserter(text),
                     "Unicast lids [0-{}] of switch Lid {} guid 0x{:016x} ('{}'):\n", highest,
                     index(lids.switches[self]), fabric.guid(node),
                     one_line(description_or_id(fabric, node)));
      for (std::size_t i = 0; i < lines.size(); ++i) {
        const Port port = ports[s * lines.size() + i];
        if (port == kNoRoute) continue;
        std::array<char, kEntry> entry;
        put_entry(entry.data(), index(lines[i].lid), index(port));
        text.append(entry.data(), kEntry);
        text += lines[i].after;
      }
      fmt::format_to(std::back_inserter(text), "{} lids dumped\n", highest);
      out.write(text.data(), static_cast<std::streamsize>(text.size()));
    }
  }
}

}  // namespace fatwood
