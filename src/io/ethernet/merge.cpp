// SPDX-License-Identifier: BSD-3-Clause
#include "io/ethernet/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/text/natural_order.hpp"
#include "io/ethernet/claims.hpp"
#include "io/fabric/raw_fabric.hpp"
#include "plan/formats/loaded_plan.hpp"
#include "plan/model/plan_fabric.hpp"
#include "topology/hosts/device_name.hpp"
#include "topology/interface_name.hpp"
#include "topology/model.hpp"

namespace fatwood {

namespace {

class FabricMaker {
 public:
  FabricMaker(std::vector<DeviceReport>& reports, const std::string& name, Warnings warnings,
              const LoadOptions& options)
      : reports_(reports), options_(options), devices_(reports), raw_(name) {
    raw_.warnings = std::move(warnings);
    raw_.both_ends = false;
  }

  LoadedFabric run() {
    if (!options_.rate.empty() && !asked_rate()) {
      throw InputError(fmt::format(
          "{}: expected a speed of Ethernet in Gb/s: 1, 10, 25, 40, 50, 100, 200, 400, 800 or 1600",
          param("rate", options_.rate)));
    }
    const Cables found = find_cables(devices_, reports_, raw_.warnings);
    if (found.cables.empty()) {
      const std::vector<std::string> why = raw_.warnings.texts();
      throw InputError({.file = raw_.file},
                       fmt::format("no cable is left in the output of {} Ethernet devices{}",
                                   devices_.all().size(), why.empty() ? "" : "; " + why.front()));
    }
    number(found.cables);
    find_rates(found.cables);
    for (std::size_t i = 0; i < found.cables.size(); ++i) add(found.cables[i], rates_[i]);
    report_idle();
    LoadedFabric loaded = assemble(std::move(raw_), "ethernet");
    if (found.meant) loaded = as_plan(std::move(loaded));
    loaded.note = note_;
    return loaded;
  }

 private:
  EthernetDevice& device(std::uint32_t d) { return devices_.all()[d]; }
  bool is_switch(std::uint32_t d) { return device(d).kind == NodeKind::kSwitch; }

  // --- numbers ---
  void number(const std::vector<Claim>& cables) {
    used_.resize(devices_.all().size());
    numbers_.resize(devices_.all().size());
    for (const Claim& claim : cables) {
      used_[claim.a.device].insert(claim.a.port);
      used_[claim.b.device].insert(claim.b.port);
    }
    for (std::uint32_t d = 0; d < used_.size(); ++d) {
      if (used_[d].empty()) continue;
      if (is_switch(d)) {
        number_switch(d);
      } else {
        number_host(d);
      }
    }
  }
  void number_switch(std::uint32_t d) {
    const EthernetDevice& its = device(d);
    std::vector<std::uint32_t> ports;
    for (std::uint32_t p = 0; p < its.ports.size(); ++p) {
      if (used_[d].contains(p) || interface_use(its.ports[p].name) == InterfaceUse::kPort) {
        ports.push_back(p);
      }
    }
    if (ports.size() > kMaxPorts) ports.assign(used_[d].begin(), used_[d].end());
    if (ports.size() > kMaxPorts) {
      throw InputError({.file = raw_.file},
                       fmt::format("{} has cables at {} ports; Fatwood supports switches of up to "
                                   "{} ports for now",
                                   its.name, ports.size(), kMaxPorts));
    }
    std::vector<std::string> names;
    for (const std::uint32_t p : ports) names.push_back(its.ports[p].name);
    const std::vector<std::uint32_t> numbers =
        number_ports(its.name, names, options_.like ? options_.like.get() : nullptr);
    const std::uint32_t node = new_node(its.name, NodeKind::kSwitch);
    for (std::size_t i = 0; i < ports.size(); ++i) {
      numbers_[d][ports[i]] = {node, numbers[i]};
      raw_.nodes[node].ports = std::max(raw_.nodes[node].ports, numbers[i]);
      raw_.labels.push_back({node, numbers[i], names[i]});
    }
  }
  // An adapter for each cable, in natural order.
  void number_host(std::uint32_t d) {
    const EthernetDevice& its = device(d);
    std::vector<std::uint32_t> ports(used_[d].begin(), used_[d].end());
    std::ranges::sort(
        ports, [&](auto a, auto b) { return natural_less(its.ports[a].name, its.ports[b].name); });
    std::string host = its.name;
    std::ranges::replace(host, ' ', '_');
    for (std::size_t k = 0; k < ports.size(); ++k) {
      const std::string& port = its.ports[ports[k]].name;
      const std::uint32_t node = new_node(fmt::format("{} {}", host, port), NodeKind::kAdapter);
      const DescribedAdapter described = described_adapter(raw_.nodes[node].id);
      raw_.nodes[node].description = described.device.known() && described.host == host
                                         ? raw_.nodes[node].id
                                         : fmt::format("{} HCA-{}", host, k + 1);
      raw_.nodes[node].ports = 1;
      raw_.labels.push_back({node, 1, port});
      numbers_[d][ports[k]] = {node, 1};
    }
  }
  std::uint32_t new_node(std::string id, NodeKind kind) {
    while (raw_.find(id)) id += '\'';
    const std::uint32_t node = raw_.intern(id, 0, 0);
    raw_.nodes[node].kind = kind;
    raw_.declare(node);
    return node;
  }

  // --- speeds ---
  std::optional<Rate> asked_rate() const { return parse_ethernet_rate(options_.rate); }
  Rate rate_at(PortId end) {
    return ethernet_rate(device(end.device).ports[end.port].gbps).value_or(Rate{});
  }
  std::string text(PortId end) {
    return fmt::format("{}[{}]", device(end.device).name, device(end.device).ports[end.port].name);
  }
  void find_rates(const std::vector<Claim>& cables) {
    std::map<Rate, std::size_t> known, said;
    for (const Claim& claim : cables) {
      const Rate a = rate_at(claim.a), b = rate_at(claim.b);
      Rate rate = a == Rate{} ? b : a;
      if (a != b && a != Rate{} && b != Rate{}) {
        rate = gigabits(a) < gigabits(b) ? a : b;
        Warnings one(reports_[claim.report].file);
        one.add(claim.line, fmt::format("speeds differ: {} has {}, {} has {}; the lower is taken",
                                        text(claim.a), to_string(a), text(claim.b), to_string(b)));
        raw_.warnings.append(one);
      }
      rates_.push_back(rate);
      if (rate != Rate{}) ++known[rate];
      if (const auto weak = ethernet_rate(claim.text_gbps)) ++said[*weak];
    }
    const auto most = [](const std::map<Rate, std::size_t>& counts) {
      return std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; })
          ->first;
    };
    const auto open = static_cast<std::size_t>(std::ranges::count(rates_, Rate{}));
    if (open == 0) return;
    const std::string some = open == rates_.size()
                                 ? "no source has the speed of cables"
                                 : fmt::format("no source has the speed of {} cables", open);
    Rate rest = kDefaultEthernetRate;
    if (const auto asked = asked_rate()) {
      rest = *asked;
    } else if (!known.empty()) {
      rest = most(known);
      note_ = fmt::format("{}: taken as {}, the most common one ({} sets another)", some,
                          to_string(rest), param("rate"));
    } else if (!said.empty() && gigabits(most(said)) >= gigabits(ethernet_rate(10).value())) {
      rest = most(said);
      note_ = fmt::format("{}: taken as {}, as autonegotiation says ({} sets another)", some,
                          to_string(rest), param("rate"));
    } else {
      note_ =
          fmt::format("{}: taken as {} ({} sets another)", some, to_string(rest), param("rate"));
    }
    std::ranges::replace(rates_, Rate{}, rest);
  }

  void add(const Claim& claim, Rate rate) {
    RawLink link;
    const auto [node, port] = numbers_[claim.a.device].at(claim.a.port);
    const auto [other, other_port] = numbers_[claim.b.device].at(claim.b.port);
    link.node = node;
    link.port = port;
    link.other = other;
    link.other_port = other_port;
    link.rate = rate;
    link.line = claim.line;
    raw_.links.push_back(link);
  }

  void report_idle() {
    std::string names;
    std::size_t count = 0;
    for (std::uint32_t d = 0; d < used_.size(); ++d) {
      if (!used_[d].empty() || !(device(d).speaks || device(d).plans)) continue;
      if (++count <= 3) names += (names.empty() ? "" : ", ") + device(d).name;
    }
    if (count == 0) return;
    raw_.warnings.add(fmt::format("{} without a cable, left out: {}{}",
                                  count == 1 ? "1 device" : fmt::format("{} devices", count), names,
                                  count > 3 ? ", ..." : ""));
  }

  // What was meant is a plan.
  LoadedFabric as_plan(LoadedFabric loaded) const {
    std::vector<std::string> warnings = std::move(loaded.warnings);
    const Model model(std::move(loaded.fabric));
    LoadedFabric plan = loaded_plan(plan_of(model, loaded.run), "ethernet", Warnings(""));
    plan.warnings = std::move(warnings);
    return plan;
  }

  struct NodePort {
    std::uint32_t node = 0, port = 0;
  };
  std::vector<DeviceReport>& reports_;
  const LoadOptions& options_;
  EthernetDevices devices_;
  RawFabric raw_;
  std::vector<std::set<std::uint32_t>> used_;               // ports with a cable, by device
  std::vector<std::map<std::uint32_t, NodePort>> numbers_;  // by device and port
  std::vector<Rate> rates_;                                 // by cable
  std::string note_;
};

}  // namespace

LoadedFabric merge_reports(std::vector<DeviceReport> reports, const std::string& name,
                           Warnings warnings, const LoadOptions& options) {
  return FabricMaker(reports, name, std::move(warnings), options).run();
}

}  // namespace fatwood
