// SPDX-License-Identifier: BSD-3-Clause
#include "topology/hosts/job_adapters.hpp"

#include <algorithm>
#include <utility>

#include "topology/hosts/rails.hpp"

namespace fatwood {

std::vector<Adapter> job_adapters(const Model& model, Host m) {
  const Fabric& fabric = model.fabric();
  const Rails& rails = model.hosts().rails;
  const bool by_rail = rails.any() && rails.member_of[m] != kNone<ScalableUnit>;
  std::vector<std::pair<Rail, Adapter>> found;
  bool named = true;
  for (const Terminal t : terminals_of(fabric, model.hosts().hosts, m)) {
    const Adapter adapter = model.adapters().of(t);
    const Rail rail = rails.rail(fabric, t);
    if (adapter == kNone<Adapter> || (by_rail && rail == kNone<Rail>)) continue;
    if (!found.empty() && found.back().second == adapter) continue;  // a card of several ports
    found.emplace_back(rail, adapter);
    named = named && described_adapter(fabric.description(fabric.adapter_node(t))).device.known();
  }
  // In order of devices, as NCCL numbers them.
  if (by_rail && !named) std::stable_sort(found.begin(), found.end());
  std::vector<Adapter> adapters;
  for (const auto& [rail, adapter] : found) adapters.push_back(adapter);
  return adapters;
}

}  // namespace fatwood
