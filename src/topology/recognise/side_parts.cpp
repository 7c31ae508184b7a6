// SPDX-License-Identifier: BSD-3-Clause
#include "topology/recognise/side_parts.hpp"

#include <map>

namespace fatwood {
namespace {

std::uint64_t weight(const TreeBlock& block) { return block.joined * block.cables; }

// A block that lost a whole upper switch is one narrower and still main.
bool nearly(const TreeBlock::Kind& a, const TreeBlock::Kind& b) {
  return std::get<0>(a) == std::get<0>(b) && std::get<2>(a) == std::get<2>(b) &&
         std::get<1>(a) <= std::get<1>(b) && std::get<1>(a) * 2 > std::get<1>(b);
}

}  // namespace

SideParts find_side_parts(const PortGraph& graph, const Levels& levels, const TreeBlocks& blocks) {
  SideParts parts;
  std::map<TreeBlock::Kind, std::uint64_t> weights;
  for (const TreeBlock& block : blocks.block) weights[block.kind()] += weight(block);
  std::map<Level, TreeBlock::Kind> main;
  std::map<Level, std::uint64_t> most;
  for (const auto& [kind, sum] : weights) {
    const Level level = std::get<0>(kind);
    if (sum >= most[level]) most[level] = sum, main[level] = kind;
  }
  std::uint64_t in_main = 0;
  std::uint64_t in_all = 0;
  for (const TreeBlock& block : blocks.block) {
    const bool is_main = nearly(block.kind(), main[block.level]);
    parts.main_block.push_back(is_main ? 1 : 0);
    in_all += weight(block);
    in_main += is_main ? weight(block) : 0;
  }
  parts.main_share = in_all == 0 ? 1 : static_cast<double>(in_main) / static_cast<double>(in_all);

  parts.off.resize(graph.size());
  for (const TreeBlock& block : blocks.block) {
    for (const Switch s : block.aside) parts.off[s] = 1;
  }
  for (const Switch s : ids<Switch>(graph.size())) {
    const std::uint32_t up = blocks.up[s];
    const std::uint32_t down = blocks.down[s];
    const auto is_main = [&](std::uint32_t block) {
      return block != kNoBlock && parts.main_block[block] != 0;
    };
    if (levels.level[s] == 1 && up != kNoBlock && !is_main(up)) parts.off[s] = 1;
    if (levels.level[s] > 1 && down != kNoBlock && !is_main(down)) parts.off[s] = 1;
    if (down == kNoBlock && up != kNoBlock && !is_main(up)) parts.off[s] = 1;
  }
  return parts;
}

}  // namespace fatwood
