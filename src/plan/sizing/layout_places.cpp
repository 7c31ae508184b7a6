// SPDX-License-Identifier: BSD-3-Clause
// The places of devices (layout.hpp).

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>

#include "core/error.hpp"
#include "core/text/natural_order.hpp"
#include "core/union_find.hpp"
#include "plan/sizing/layout.hpp"

namespace fatwood {

namespace {

// Hosts and the switches they are on, or switches above.
struct HostBlock {
  std::vector<std::uint32_t> hosts, switches;
};

// What stands in a rack that is not built yet, from the bottom and from the top.
struct RackLoad {
  std::vector<std::uint32_t> bottom, top;
  std::uint32_t units = 0;
};

class Placing {
 public:
  Placing(Plan& plan, const LayoutRules& rules, Layout& layout)
      : plan_(plan), rules_(rules), layout_(layout) {}

  void run() {
    for (const LayoutRules::Place& place : rules_.places) fix(place);
    for (std::uint32_t d = 0; d < plan_.devices.size(); ++d) {
      layout_.height.push_back(height_of(plan_.devices[d]));
      before_.push_back(placed(d) ? 1 : 0);
    }
    shrink_placed();
    find_blocks();
    std::vector<RackLoad> loads = loads_of_blocks();
    const std::vector<RackLoad> above = loads_of(upper_, &RackLoad::top);
    const std::size_t all = loads.size() + above.size() + known_racks().size();
    const std::size_t most = std::max(1U, rules_.racks_per_row);
    const std::size_t rows = std::max<std::size_t>(1, (all + most - 1) / most);
    a_row_ = static_cast<std::uint32_t>(std::max<std::size_t>(1, (all + rows - 1) / rows));
    // The middle of the middle row.
    std::size_t middle = rows / 2 * a_row_ + a_row_ / 2;
    middle = std::min(middle > above.size() / 2 ? middle - above.size() / 2 : 0, loads.size());
    loads.insert(loads.begin() + static_cast<std::ptrdiff_t>(middle), above.begin(), above.end());
    make_racks(loads.size());
    for (std::size_t i = 0; i < loads.size(); ++i) fill(loads[i], free_racks_[i]);
    layout_.rack_of.assign(plan_.devices.size(), 0);
    for (std::size_t d = 0; d < plan_.devices.size(); ++d) {
      layout_.rack_of[d] = by_name_.at(plan_.devices[d].rack);
    }
    check_overlaps();
  }

 private:
  bool placed(std::uint32_t d) const {
    return !plan_.devices[d].rack.empty() && plan_.devices[d].unit != 0;
  }

  void fix(const LayoutRules::Place& place) {
    const auto at = std::ranges::find(plan_.devices, place.device, &PlanDevice::name);
    if (at == plan_.devices.end()) {
      throw InputError(fmt::format("layout: the plan has no device \"{}\"", place.device));
    }
    at->rack = place.rack;
    at->unit = place.unit;
  }

  // Heights of devices that a plan has placed are not known: they end where the next one begins.
  void shrink_placed() {
    std::map<std::string, std::vector<std::uint32_t>> by_rack;
    for (std::uint32_t d = 0; d < plan_.devices.size(); ++d) {
      if (before_[d] != 0) by_rack[plan_.devices[d].rack].push_back(d);
    }
    for (auto& [rack, devices] : by_rack) {
      std::ranges::sort(devices, std::greater{},
                        [&](std::uint32_t d) { return plan_.devices[d].unit; });
      std::uint32_t above = rules_.rack_units + 1;
      std::uint32_t last = 0;
      for (const std::uint32_t d : devices) {
        const std::uint32_t unit = plan_.devices[d].unit;
        if (unit != last) above = last == 0 ? std::max(above, unit + 1) : last;
        layout_.height[d] = std::min(layout_.height[d], above - unit);
        last = unit;
      }
    }
  }

  std::uint32_t height_of(const PlanDevice& device) const {
    if (device.is_host()) {
      if (rules_.host_units != 0) return rules_.host_units;
      return device.chips.size() >= 4 ? 8 : 1;
    }
    const bool director = device.chips.size() > 1;
    const std::uint32_t given = director ? rules_.director_units : rules_.switch_units;
    if (given != 0) return given;
    for (const auto& [model, units] : rules_.heights) {
      if (model == device.model) return units;
    }
    return director ? 29 : 1;
  }

  void find_blocks() {
    UnionFind sets(plan_.devices.size());
    std::vector<std::uint8_t> in_block(plan_.devices.size(), 0);
    for (const PlanCable& cable : plan_.cables) {
      if (!plan_.to_host(cable)) continue;
      sets.join(cable.a.device, cable.b.device);
      in_block[cable.a.device] = in_block[cable.b.device] = 1;
    }
    std::map<std::uint32_t, std::size_t> number;  // by set
    for (std::uint32_t d = 0; d < plan_.devices.size(); ++d) {
      const PlanDevice& device = plan_.devices[d];
      const bool leaf = device.role == "leaf";  // also one that has no host yet
      if (in_block[d] == 0 && !device.is_host() && !leaf) {
        if (!placed(d)) upper_.push_back(d);
        continue;
      }
      const auto [at, is_new] = number.emplace(sets.find(d), blocks_.size());
      if (is_new) blocks_.emplace_back();
      if (placed(d)) continue;
      HostBlock& block = blocks_[at->second];
      (device.is_host() ? block.hosts : block.switches).push_back(d);
    }
    if (!rules_.spines_with_units) return;
    for (std::size_t i = 0; i < upper_.size(); ++i) {
      blocks_[i % blocks_.size()].switches.push_back(upper_[i]);
    }
    upper_.clear();
  }

  std::uint32_t sum(const std::vector<std::uint32_t>& devices) const {
    std::uint32_t units = 0;
    for (const std::uint32_t d : devices) units += layout_.height[d];
    return units;
  }

  std::vector<RackLoad> loads_of_blocks() const {
    std::vector<RackLoad> loads;
    bool open = false;  // the last rack takes further small blocks
    for (const HostBlock& block : blocks_) {
      const std::uint32_t units = sum(block.hosts) + sum(block.switches);
      if (units == 0) continue;
      const bool fits = units <= rules_.rack_units &&
                        (rules_.hosts_per_rack == 0 || block.hosts.size() <= rules_.hosts_per_rack);
      if (!fits) {
        add_large(block, loads);
        open = false;
        continue;
      }
      if (!open || rules_.hosts_per_rack != 0 || rules_.spines_with_units ||
          loads.back().units + units > rules_.rack_units) {
        loads.emplace_back();
      }
      open = true;
      RackLoad& load = loads.back();
      load.units += units;
      load.bottom.insert(load.bottom.end(), block.hosts.begin(), block.hosts.end());
      load.top.insert(load.top.end(), block.switches.begin(), block.switches.end());
    }
    return loads;
  }

  // Racks of hosts, and in their middle those of switches.
  void add_large(const HostBlock& block, std::vector<RackLoad>& loads) const {
    std::vector<RackLoad> hosts = loads_of(block.hosts, &RackLoad::bottom);
    const std::vector<RackLoad> switches = loads_of(block.switches, &RackLoad::top);
    const auto middle = hosts.begin() + static_cast<std::ptrdiff_t>(hosts.size() / 2);
    hosts.insert(middle, switches.begin(), switches.end());
    loads.insert(loads.end(), hosts.begin(), hosts.end());
  }

  // As many racks as needed: hosts from the bottom, switches from the top.
  std::vector<RackLoad> loads_of(const std::vector<std::uint32_t>& devices,
                                 std::vector<std::uint32_t> RackLoad::* place) const {
    std::vector<RackLoad> loads;
    for (const std::uint32_t d : devices) {
      const std::uint32_t tall = layout_.height[d] >= 4 ? 4 : 1000;
      const std::uint32_t hosts = rules_.hosts_per_rack != 0 ? rules_.hosts_per_rack : tall;
      if (loads.empty() || loads.back().units + layout_.height[d] > rules_.rack_units ||
          loads.back().bottom.size() >= hosts) {
        loads.emplace_back();
      }
      (loads.back().*place).push_back(d);
      loads.back().units += layout_.height[d];
    }
    return loads;
  }

  // Racks of the rules, else new ones; those that plans name come first.
  void make_racks(std::size_t needed) {
    if (!rules_.racks.empty()) {
      layout_.racks = rules_.racks;
    } else {
      name_racks(needed);
    }
    for (std::uint32_t i = 0; i < layout_.racks.size(); ++i) {
      if (!by_name_.emplace(layout_.racks[i].name, i).second) {
        throw InputError(fmt::format("layout: rack {} is there twice", layout_.racks[i].name));
      }
    }
    std::vector<std::uint8_t> used(layout_.racks.size(), 0);
    for (const PlanDevice& device : plan_.devices) {
      if (device.rack.empty() || device.unit == 0) continue;
      const auto at = by_name_.find(device.rack);
      if (at == by_name_.end()) {
        throw InputError(fmt::format("layout: {} stands in rack {}, which is not in the list",
                                     device.name, device.rack));
      }
      used[at->second] = 1;
    }
    for (std::uint32_t i = 0; i < layout_.racks.size(); ++i) {
      if (used[i] == 0) free_racks_.push_back(i);
    }
    if (free_racks_.size() < needed) {
      throw InputError(
          fmt::format("layout: {} racks are needed, {} are free; add racks to the file, or leave "
                      "them out to have them numbered",
                      needed, free_racks_.size()));
    }
  }

  // Those that the plan names.
  std::vector<std::string> known_racks() const {
    std::vector<std::string> known;
    for (std::uint32_t d = 0; d < plan_.devices.size(); ++d) {
      const std::string& rack = plan_.devices[d].rack;
      if (placed(d) && std::ranges::find(known, rack) == known.end()) known.push_back(rack);
    }
    std::ranges::sort(known, [](const auto& a, const auto& b) { return natural_less(a, b); });
    return known;
  }

  void name_racks(std::size_t needed) {
    const std::vector<std::string> known = known_racks();
    for (const std::string& name : known) {
      layout_.racks.push_back(named_rack(name, static_cast<std::uint32_t>(layout_.racks.size())));
    }
    for (std::uint32_t i = 0; needed > 0; ++i) {
      const std::string row = row_name(i / a_row_);
      std::string name = fmt::format("{}{:02}", row, i % a_row_ + 1);
      if (std::ranges::find(known, name) != known.end()) continue;
      layout_.racks.push_back({std::move(name), row, i % a_row_ + 1, rules_.rack_units});
      --needed;
    }
  }

  static std::string row_name(std::uint32_t i) {
    std::string name(1, static_cast<char>('A' + i % 26));
    return i < 26 ? name : row_name(i / 26 - 1) + name;
  }
  // Rack i of those that the plan names. "A12" is position 12 of row A; other names take the next
  // place.
  Rack named_rack(const std::string& name, std::uint32_t i) const {
    Rack rack{name, row_name(i / a_row_), i % a_row_ + 1, rules_.rack_units};
    const std::size_t letters = name.find_first_of("0123456789");
    const bool plain = letters != std::string::npos && letters > 0 &&
                       name.find_first_not_of("0123456789", letters) == std::string::npos;
    if (plain) rack.row = name.substr(0, letters);
    if (plain && name.size() - letters < 6) {
      rack.position = static_cast<std::uint32_t>(std::stoul(name.substr(letters)));
    }
    return rack;
  }

  void fill(const RackLoad& load, std::uint32_t rack) {
    const Rack& at = layout_.racks[rack];
    if (load.units > at.units) {
      throw InputError(fmt::format("layout: rack {} has {} units; {} are needed", at.name, at.units,
                                   load.units));
    }
    std::uint32_t unit = 1;
    for (const std::uint32_t d : load.bottom) {
      put(d, at, unit);
      unit += layout_.height[d];
    }
    unit = at.units + 1;
    for (const std::uint32_t d : load.top) {
      unit -= layout_.height[d];
      put(d, at, unit);
    }
  }
  void put(std::uint32_t d, const Rack& rack, std::uint32_t unit) {
    plan_.devices[d].rack = rack.name;
    plan_.devices[d].unit = unit;
  }

  void check_overlaps() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> taken;  // rack, unit: device
    for (std::uint32_t d = 0; d < plan_.devices.size(); ++d) {
      const PlanDevice& device = plan_.devices[d];
      Rack& rack = layout_.racks[layout_.rack_of[d]];
      if (before_[d] != 0 && rules_.places.empty()) {  // as the plan says
        rack.units = std::max(rack.units, device.unit + layout_.height[d] - 1);
        continue;
      }
      if (device.unit + layout_.height[d] - 1 > rack.units) {
        throw InputError(fmt::format("layout: {} of {} units at U{} is higher than rack {}",
                                     device.name, layout_.height[d], device.unit, rack.name));
      }
      for (std::uint32_t u = 0; u < layout_.height[d]; ++u) {
        const auto [at, is_new] = taken.emplace(std::pair(layout_.rack_of[d], device.unit + u), d);
        if (!is_new) {
          throw InputError(fmt::format("layout: {} and {} both stand at {}-U{}", device.name,
                                       plan_.devices[at->second].name, device.rack,
                                       device.unit + u));
        }
      }
    }
  }

  Plan& plan_;
  const LayoutRules& rules_;
  Layout& layout_;
  std::vector<HostBlock> blocks_;
  std::vector<std::uint32_t> upper_;
  std::vector<std::uint8_t> before_;  // by device: 1 if the plan or the rules have a place for it
  std::vector<std::uint32_t> free_racks_;
  std::uint32_t a_row_ = 1;  // racks
  std::unordered_map<std::string, std::uint32_t> by_name_;
};

}  // namespace

void place_devices(Plan& plan, const LayoutRules& rules, Layout& layout) {
  Placing(plan, rules, layout).run();
}

}  // namespace fatwood
