// SPDX-License-Identifier: BSD-3-Clause
#include "plan/sizing/sizing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/error.hpp"

namespace fatwood {

namespace {

enum class LeafCabling : std::uint8_t { kRails, kPacked };

std::string name_of(const SwitchKit& kit) {
  std::string name = kit.leaf.name;
  if (kit.split > 1) name += fmt::format(", host ports split in {}", kit.split);
  if (kit.spine.name != kit.leaf.name) name += fmt::format(", spines {}", kit.spine.name);
  return name;
}

// The designs of one kit and one number of planes.
class Sizer {
 public:
  Sizer(const SizingOptions& options, const SwitchKit& kit, std::uint32_t planes)
      : options_(options), kit_(kit), planes_(planes) {}

  void add_to(std::vector<Alternative>& list, bool by_rail_planes) {
    list_ = &list;
    prefix_ = planes_ > 1 ? fmt::format("{} planes, ", planes_) : "";
    const bool several = options_.rails * options_.ports / planes_ > 1;
    if (kit_.spine.chips == 0 && !options_.unit_spine) one_level();
    for (const LeafCabling cabling : {LeafCabling::kRails, LeafCabling::kPacked}) {
      if (cabling == LeafCabling::kPacked && (!several || by_rail_planes)) continue;
      const std::string suffix = cabling == LeafCabling::kPacked ? ", hosts on one leaf" : "";
      const std::optional<Design> leaves = with_leaves(cabling);
      if (!leaves) continue;
      if (leaves->group_leaves() == 1) continue;  // nothing to join
      if (options_.unit_spine) {
        own_spines(*leaves, suffix);
        continue;
      }
      two_levels(*leaves, suffix);
      three_levels(*leaves, 0, suffix);
      if (several && cabling == LeafCabling::kRails) three_levels(*leaves, 1, suffix);
    }
  }

 private:
  PortRatio ratio(std::size_t level) const {
    return level < options_.ratios.size() ? options_.ratios[level] : PortRatio{};
  }

  void add(std::string name, const Design& design) {
    if (!fault_of(design).empty()) return;
    list_->push_back({prefix_ + std::move(name), name_of(kit_), design});
  }
  Design base() const {
    Design d;
    d.hosts = options_.hosts;
    d.rails = options_.rails;
    d.ports = options_.ports;
    d.planes = planes_;
    d.speed = options_.speed;
    d.spare = options_.spare;
    d.radix = kit_.leaf.ports;
    d.split = kit_.split;
    d.cage = kit_.split > 1 ? 1 : kit_.leaf.cage;
    d.storage = options_.storage;
    d.management = options_.management;
    d.gateways = options_.gateways;
    if (kit_.spine.name != kit_.leaf.name) d.spine_radix = kit_.spine.ports;
    d.spine_chips = kit_.spine.chips;
    d.core_chips = kit_.spine.chips;
    return d;
  }

  // All of a plane on one switch.
  void one_level() {
    Design d = base();
    d.packed = 1;
    d.unit = d.places() + options_.growth;
    add("one level", d);
  }

  std::optional<Design> with_leaves(LeafCabling cabling) const {
    Design d = base();
    d.packed = cabling == LeafCabling::kPacked ? 1 : 0;
    const PortRatio r = ratio(0);
    const std::uint32_t scale = d.radix / (r.down + r.up);
    const std::uint32_t links = r.down * scale * d.split;
    if (links <= d.spare || (links - d.spare) / d.leaf_ends() == 0) return std::nullopt;
    const std::uint32_t most = (links - d.spare) / d.leaf_ends();  // hosts of a leaf
    d.unit = options_.unit == 0 ? most : options_.unit;
    d.leaf_sets = static_cast<std::uint32_t>(ceil_div(d.unit, most));
    d.up = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(ceil_div(std::uint64_t{d.down()} * r.up, r.down), r.up * scale));
    const auto later = ceil_div(std::uint64_t{d.places()} + options_.growth, d.unit);
    if (later > d.units()) d.room = static_cast<std::uint32_t>(later);
    return d;
  }

  void two_levels(Design d, const std::string& suffix) {
    const std::uint64_t least = ceil_div(std::uint64_t{d.group_leaves()} * d.up, d.spine_ports());
    d.spines = least_divisor(d.up, least);
    if (d.spines != 0) add("two levels" + suffix, d);
    if (least <= d.up && least != d.spines) {
      d.spines = static_cast<std::uint32_t>(least);
      add("two levels, uneven" + suffix, d);
    }
  }

  void own_spines(Design d, const std::string& suffix) {
    d.own_spines = 1;
    d.spines = d.room_units();
    const bool alone = d.spines == 1 && d.unit_leaves() == 2;
    if (alone) d.joined = std::exchange(d.up, 1) - 1;
    add((alone ? "two levels, leaves joined" : "two levels, a spine a unit") + suffix, d);
  }

  void three_levels(Design d, std::uint32_t by_rail, const std::string& suffix) {
    d.by_rail = by_rail;
    const PortRatio r = ratio(1);
    const std::uint32_t down = r.down * (d.spine_ports() / (r.down + r.up));
    const std::uint32_t each = d.unit_leaves() / d.groups_of_pod();  // leaves of a group and unit
    if (down < each) return;
    const std::uint64_t most = options_.pod != 0 ? ceil_div(options_.pod, d.unit) : down / each;
    const std::uint64_t pods = ceil_div(d.room_units(), most);
    if (pods * d.groups_of_pod() < 2) return;
    const std::string name =
        (by_rail != 0 ? "three levels, rail pods" : "three levels, pods") + suffix;
    // Pods of equal sizes, or larger ones with numbers that divide better.
    const std::uint64_t equal = options_.pod != 0 ? most : ceil_div(d.room_units(), pods);
    std::optional<Design> best, uneven;
    d.pod_units = static_cast<std::uint32_t>(equal);
    const std::uint32_t built = d.pods();
    for (std::uint64_t units = equal; units <= most; ++units) {
      d.pod_units = static_cast<std::uint32_t>(units);
      if (d.pods() != built) break;  // later hosts would get all other pods
      keep_smaller(best, with_cores(d, Division::kEqual));
      keep_smaller(uneven, with_cores(d, Division::kAny));
    }
    if (best) add(name, *best);
    if (uneven && (!best || switches_of(*uneven) < switches_of(*best))) {
      add(name + ", uneven", *uneven);
    }
  }

  // Whether every spine has equally many cables to each core.
  enum class Division : std::uint8_t { kEqual, kAny };

  // The design with spines for its pods, and cores. No value if they do not fit.
  std::optional<Design> with_cores(Design d, Division division) const {
    const PortRatio r = ratio(1);
    const std::uint32_t down = r.down * (d.spine_ports() / (r.down + r.up));
    d.spines = least_divisor(d.up, ceil_div(std::uint64_t{d.group_leaves()} * d.up, down));
    if (d.spines == 0) return std::nullopt;
    const std::uint64_t wanted = ceil_div(std::uint64_t{d.spine_down()} * r.up, r.down);
    d.spine_up = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(wanted, d.spine_ports() - d.spine_down()));
    const std::uint64_t least =
        ceil_div(std::uint64_t{d.room_pods()} * d.groups_of_pod() * d.spine_up, d.core_ports());
    if (division == Division::kAny && least > d.spine_up) return std::nullopt;
    d.cores = division == Division::kEqual ? least_divisor(d.spine_up, least)
                                           : static_cast<std::uint32_t>(least);
    if (d.cores == 0 || !fault_of(d).empty()) return std::nullopt;
    return d;
  }

  static void keep_smaller(std::optional<Design>& best, const std::optional<Design>& design) {
    if (design && (!best || switches_of(*design) < switches_of(*best))) best = design;
  }

  const SizingOptions& options_;
  const SwitchKit& kit_;
  std::uint32_t planes_;
  std::vector<Alternative>* list_ = nullptr;
  std::string prefix_;
};

[[noreturn]] void nothing_fits(const SizingOptions& options) {
  if (options.unit_spine) {
    throw InputError(param("unit_spine") +
                     " needs at least two leaves, as many up-links of a leaf as there are units, "
                     "and spines with ports for them; take other sizes of units");
  }
  std::string most;
  for (const SwitchKit& kit : options.kits) {
    const std::uint64_t k = kit.leaf.ports;
    const std::uint64_t s = kit.spine.ports;
    most += fmt::format("\n  {}: {} end ports of a plane in two levels, {} in three, at 1:1",
                        name_of(kit), k * s / 2 * kit.split, k * s * s / 4 * kit.split);
  }
  throw InputError(
      fmt::format("no tree of these switches takes {} hosts with {} links each; take larger "
                  "switches, more planes or other sizes of units and pods{}",
                  options.hosts, options.rails * options.ports, most));
}

void check_options(const SizingOptions& o) {
  if (o.hosts == 0) throw InputError({.file = param("hosts")}, "expected 1 or more");
  for (const PortRatio& r : o.ratios) {
    if (r.down == 0 || r.up == 0)
      throw InputError({.file = param("oversubscription")}, "expected A:B above 0");
  }
  if (o.planes > 1 && o.rails * o.ports % o.planes != 0) {
    throw InputError(
        fmt::format("{}: a host has {} links, which cannot be divided evenly among them",
                    param("planes", std::to_string(o.planes)), o.rails * o.ports));
  }
  if (o.kits.empty()) {
    throw InputError(fmt::format("no switch of the catalogue has ports of {} Gb/s; give {}",
                                 o.speed, param("radix")));
  }
}

}  // namespace

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

std::uint32_t least_divisor(std::uint32_t ports, std::uint64_t least) {
  for (std::uint64_t d = std::max<std::uint64_t>(least, 1); d <= ports; ++d) {
    if (ports % d == 0) return static_cast<std::uint32_t>(d);
  }
  return 0;
}

std::uint64_t switches_of(const Design& d) {
  std::uint64_t plane = std::uint64_t{d.units()} * d.unit_leaves();
  plane += std::uint64_t{d.pods()} * d.groups_of_pod() * d.spines;
  if (d.spine_up > 0) plane += std::uint64_t{d.spines} * d.cores;
  return plane * d.planes;
}

namespace {

// Nobody builds twice the switches that the same leaves and planes need. A single switch
// is no measure: several may be wanted for rails, or to grow.
void leave_out_wasteful(std::vector<Alternative>& list) {
  const auto kind = [](const Design& d) { return std::pair(d.planes, d.packed); };
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> fewest;
  for (const Alternative& one : list) {  // the smallest comes first
    if (one.design.levels() > 1) fewest.emplace(kind(one.design), switches_of(one.design));
  }
  std::erase_if(list, [&](const Alternative& one) {
    return one.design.levels() > 1 && switches_of(one.design) > 2 * fewest[kind(one.design)];
  });
}

}  // namespace

std::vector<Alternative> size_fabric(const SizingOptions& options) {
  check_options(options);
  std::vector<Alternative> all;
  for (const SwitchKit& kit : options.kits) {
    std::vector<Alternative> list;
    Sizer(options, kit, std::max(1U, options.planes)).add_to(list, false);
    if (options.planes == 0 && options.rails > 1) {
      Sizer(options, kit, options.rails).add_to(list, true);
    }
    std::ranges::stable_sort(list, {},
                             [](const Alternative& one) { return switches_of(one.design); });
    leave_out_wasteful(list);
    all.insert(all.end(), list.begin(), list.end());
  }
  if (all.empty()) nothing_fits(options);
  return all;
}

}  // namespace fatwood
