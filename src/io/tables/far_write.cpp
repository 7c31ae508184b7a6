// SPDX-License-Identifier: BSD-3-Clause
// Writes adaptive tables (far.hpp), switch by switch. The text between the LID and the end of a row
// depends only on port, state and group, and is usually the same as in the last row with that port.
// The tables are transposed once, in blocks of switches that stay in the cache. Cost: the bytes
// written.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/tables/far.hpp"

namespace fatwood {

namespace {

constexpr std::string_view kDashes =
    "------------------------------------------------------------\n";

struct Line {
  Lid lid = kNoLid;
  Destination destination{};
};

std::vector<Line> lines_by_lid(const ForwardingTables& tables, const Lids& lids) {
  std::vector<Line> lines;
  lines.reserve(tables.num_destinations());
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    lines.push_back({lids.of(tables, destination), destination});
  }
  std::ranges::sort(lines, {}, &Line::lid);
  return lines;
}

void put_groups(fmt::memory_buffer& text, const PortSets& sets, Switch s) {
  const auto to = fmt::appender(text);
  fmt::format_to(to, "Groups Definition:\n{:8}{:12}{:8}Ports\n{}", "Group", "Sub Group", "WHBF",
                 kDashes);
  if (!sets.empty()) {
    for (const PortSets::Numbered& group : sets.groups(s)) {
      std::size_t part = 0;
      for (const SubGroup& sub : sets.content(group)) {
        fmt::format_to(to, "{:<8}{:<12}{:<8}", group.number, part++, sub.weight);
        for (const Port port : sub.ports) fmt::format_to(to, "{},", index(port));
        text.push_back('\n');
      }
      if (part == 0) fmt::format_to(to, "{:<8}{:<12}{:<8}\n", group.number, 0, 0);
    }
  }
  text.push_back('\n');
}

// Ports of a block of switches, and kinds if there are any: [switch of the block][line].
struct BlockOfSwitches {
  std::vector<Port> ports;
  std::vector<PortSets::Kind> kinds;
};

constexpr std::size_t kBlock = 64;

void fill_block(BlockOfSwitches& block, const Routing& routing, const std::vector<Line>& lines,
                std::size_t first, std::size_t count) {
  const PortSets& sets = routing.sets;
  block.ports.resize(kBlock * lines.size());
  if (!sets.empty()) block.kinds.resize(kBlock * lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::span<const Port> row = routing.tables.row(lines[i].destination);
    for (std::size_t k = 0; k < count; ++k) block.ports[k * lines.size() + i] = row[first + k];
    for (std::size_t k = 0; !sets.empty() && k < count; ++k) {
      block.kinds[k * lines.size() + i] =
          sets.kind(static_cast<Switch>(first + k), lines[i].destination);
    }
  }
}

// The rows of the k-th switch of a block.
void put_rows(fmt::memory_buffer& text, const PortSets& sets, const std::vector<Line>& lines,
              const BlockOfSwitches& block, std::size_t k, Switch s) {
  constexpr std::string_view kHex = "0123456789abcdef";
  struct Tail {
    std::string text;  // empty: not made yet
    PortSets::Kind kind = 0;
  };
  std::array<Tail, 256> tails;  // by port: of the last row that had it
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Port port = block.ports[k * lines.size() + i];
    const PortSets::Kind kind =
        sets.empty() ? PortSets::Kind{0} : block.kinds[k * lines.size() + i];
    if (port == kNoRoute && kind == 0) continue;
    Tail& tail = tails[index(port)];
    if (tail.text.empty() || kind != tail.kind) {
      const PortSets::KindOf of = sets.of(s, kind);
      tail.text = fmt::format("    {:<14}{:<12}{}\n", index(port), to_string(of.state),
                              kind == 0 ? GroupNumber{0} : of.group);
      tail.kind = kind;
    }
    const std::uint32_t lid = index(lines[i].lid);
    const char head[] = {'0',
                         'x',
                         kHex[lid >> 12U & 15U],
                         kHex[lid >> 8U & 15U],
                         kHex[lid >> 4U & 15U],
                         kHex[lid & 15U]};
    text.append(std::begin(head), std::end(head));
    text.append(tail.text);
  }
}

}  // namespace

void write_far(std::ostream& out, const Fabric& fabric, const Routing& routing, const Lids& lids) {
  require_real_lids(lids);
  const std::vector<Line> lines = lines_by_lid(routing.tables, lids);
  const auto write = [&](const fmt::memory_buffer& text) {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  };
  out << "# Adaptive forwarding tables, in the form of ibdiagnet2.far\n"
         "# File created by fatwood\n\n\nFile version: 2\n\n";
  BlockOfSwitches block;
  fmt::memory_buffer text;
  for (std::size_t first = 0; first < fabric.num_switches(); first += kBlock) {
    const std::size_t count = std::min(kBlock, fabric.num_switches() - first);
    fill_block(block, routing, lines, first, count);
    for (std::size_t k = 0; k < count; ++k) {
      const auto s = static_cast<Switch>(first + k);
      text.clear();
      fmt::format_to(fmt::appender(text), "Switch 0x{:016x}\n\n", fabric.guid(fabric.node(s)));
      put_groups(text, routing.sets, s);
      fmt::format_to(fmt::appender(text),
                     "LFT Definition:\nPLFT_NUM: 0, top: 0x{:04x}\n{:10}{:14}{:12}Group\n{}",
                     index(lids.highest()), "LID", "Static Port", "Lid State", kDashes);
      put_rows(text, routing.sets, lines, block, k, s);
      text.append(std::string_view("\n\n"));
      write(text);
    }
  }
  out << "# File closed\n";
}

}  // namespace fatwood
