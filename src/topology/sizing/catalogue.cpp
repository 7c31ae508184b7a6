// SPDX-License-Identifier: BSD-3-Clause
#include "topology/sizing/catalogue.hpp"

#include "topology/fabric.hpp"

namespace fatwood {

std::span<const SwitchModel> default_catalogue() {
  static const std::vector<SwitchModel> list{
      {"36-port QDR", 36, 40, 1, 1, 0, 1},  {"648-port QDR director", 648, 40, 1, 1, 36, 29},
      {"36-port FDR", 36, 56, 1, 1, 0, 1},  {"648-port FDR director", 648, 56, 1, 1, 36, 29},
      {"36-port EDR", 36, 100, 1, 1, 0, 1}, {"648-port EDR director", 648, 100, 1, 1, 36, 29},
      {"40-port HDR", 40, 200, 2, 1, 0, 1}, {"800-port HDR director", 800, 200, 1, 1, 40, 29},
      {"64-port NDR", 64, 400, 2, 2, 0, 1}, {"144-port XDR", 144, 800, 1, 2, 0, 4},
  };
  return list;
}

std::vector<SwitchKit> kits_for(std::span<const SwitchModel> catalogue, std::uint32_t speed) {
  std::vector<SwitchKit> plain, directors;
  for (const SwitchModel& leaf : catalogue) {
    if (leaf.chips != 0) continue;
    for (std::uint32_t split = 1; split <= leaf.split; ++split) {
      if (leaf.speed != speed * split) continue;
      if (split > 1 && leaf.cage > 1 && leaf.ports * split > kMaxPorts) continue;
      plain.push_back({leaf, leaf, split});
      for (const SwitchModel& spine : catalogue) {
        if (spine.chips != 0 && spine.speed == leaf.speed)
          directors.push_back({leaf, spine, split});
      }
    }
  }
  plain.insert(plain.end(), directors.begin(), directors.end());
  return plain;
}

}  // namespace fatwood
