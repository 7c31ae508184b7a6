// SPDX-License-Identifier: BSD-3-Clause
#include "topology/hosts/host_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/text/natural_order.hpp"
#include "topology/hosts/job_adapters.hpp"
#include "topology/hosts/rails.hpp"

namespace fatwood {

HostOrder natural_host_order(const Model& model) { return host_order(model, {}); }

HostOrder host_order(const Model& model, const GivenOrder& given) {
  return given_host_order(model, given.first, given.source);
}

HostOrder given_host_order(const Model& model, std::span<const Host> first, std::string source) {
  const Hosts& hosts = model.hosts().hosts;
  Table<Host, std::uint8_t> listed(hosts.size(), 0);
  for (const Host h : first) listed[h] = 1;
  std::vector<Host> all(first.begin(), first.end());
  for (const Host h : ids<Host>(hosts.size())) {
    if (listed[h] == 0) all.push_back(h);
  }
  std::stable_sort(all.begin() + static_cast<std::ptrdiff_t>(first.size()), all.end(),
                   [&](Host a, Host b) { return natural_less(hosts.name(a), hosts.name(b)); });
  HostOrder order{std::move(source), {}, {}};
  for (const Host h : all) {
    std::vector<Adapter> adapters = job_adapters(model, h);
    if (adapters.empty()) continue;
    order.hosts.push_back(h);
    order.adapters.push_back(std::move(adapters));
  }
  return order;
}

std::size_t usual_hosts_of_leaf(const Model& model, const HostOrder& order) {
  const Fabric& fabric = model.fabric();
  Table<Switch, std::size_t> on(fabric.num_switches(), 0);
  const auto leaf_of = [&](std::size_t position) {
    return fabric.leaf(model.adapters().terminals(order.adapters[position].front()).front());
  };
  std::vector<std::size_t> number;  // of hosts on the leaf of each host
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (leaf_of(i) != kNone<Switch>) ++on[leaf_of(i)];
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (leaf_of(i) != kNone<Switch>) number.push_back(on[leaf_of(i)]);
  }
  if (number.empty()) return 1;
  const auto middle = number.begin() + static_cast<std::ptrdiff_t>(number.size() / 2);
  std::nth_element(number.begin(), middle, number.end());
  return *middle;
}

}  // namespace fatwood
