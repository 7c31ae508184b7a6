// SPDX-License-Identifier: BSD-3-Clause
#include "plan/model/plan_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/text/natural_order.hpp"
#include "core/text/parse_number.hpp"
#include "plan/model/device_words.hpp"
#include "topology/interface_name.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kMostHostCables = 16;

using Where = RowProblem::Where;

// Racks and units that one name has in the rows.
struct NamePlaces {
  std::map<std::string, std::set<std::uint32_t>> units;  // by rack in lower case; 0 left out
  bool has_cards = false;

  bool by_rack() const { return units.size() > 1; }
  bool by_unit(const std::string& rack) const {
    const auto at = units.find(rack);
    return !has_cards && at != units.end() && at->second.size() > 1;
  }
};

struct NaturalLess {
  bool operator()(const std::string& a, const std::string& b) const { return natural_less(a, b); }
};

// A device while rows are read.
struct Draft {
  std::optional<NodeKind> kind;
  const DeviceInside* inside = nullptr;
  std::vector<PortText> texts;
  std::map<std::string, std::uint32_t> chip_of;  // by name
  std::set<std::uint32_t> neighbours;
  std::size_t cables = 0;
  bool has_switch_text = false;
  // Of an Ethernet switch: numbers of its ports in natural order, if their names lack them.
  std::map<std::string, std::uint32_t, NaturalLess> number_of;
  bool by_name = false;
};

// "Port 7", "Blade 3_Port 1/20", "sw1p2", "1/5/1", "swp1", "Ethernet4": hosts rarely have these.
bool is_switch_text(std::string_view text) {
  if (is_switch_interface(text)) return true;
  if (starts_with_word(text, "port ") || starts_with_word(text, "blade")) return true;
  const auto port = parse_port_text(text);
  return port && (port->style == PortText::Style::kCage || port->numbers.size() > 2);
}

class PlanAssembly {
 public:
  PlanAssembly(const std::vector<CableRow>& rows, const std::vector<RowEnd>& alone,
               const std::unordered_map<std::string, const DeviceInside*>& inside)
      : rows_(rows), alone_(alone), inside_(inside), ends_(rows.size()), bad_(rows.size()) {}

  PlanBuilder::Result run() {
    find_devices();
    find_kinds();
    read_texts();
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (bad_[row] == 0) add_cable(row);
    }
    for (std::size_t d = 0; d < drafts_.size(); ++d) finish_device(d);
    share_radix();
    std::ranges::stable_sort(result_.problems, {}, &RowProblem::row);
    return std::move(result_);
  }

 private:
  struct RowEnds {
    std::uint32_t a = 0, b = 0;  // devices
  };
  Plan& plan() { return result_.plan; }
  const Plan& plan() const { return result_.plan; }
  const RowEnd& end_at(std::size_t row, Where where) const {
    return where == Where::kA ? rows_[row].a : rows_[row].b;
  }
  std::uint32_t device_at(std::size_t row, Where where) const {
    return where == Where::kA ? ends_[row].a : ends_[row].b;
  }

  void problem(std::size_t row, Where where, std::string message) {
    result_.problems.push_back({row, where, std::move(message)});
    bad_[row] = 1;
  }

  // --- devices ---
  void find_devices() {
    const auto note = [&](const RowEnd& end) {
      NamePlaces& places = places_[lower_case(end.name)];
      const auto text = parse_port_text(end.port);
      if (text && !text->card.empty()) places.has_cards = true;
      if (end.rack.empty()) return;
      std::set<std::uint32_t>& units = places.units[lower_case(end.rack)];
      if (end.unit > 0) units.insert(end.unit);
    };
    for (const RowEnd& end : alone_) note(end);
    for (const CableRow& row : rows_) {
      note(row.a);
      note(row.b);
    }
    for (const RowEnd& end : alone_) {
      if (const auto name = unique_name(end)) device_of(end, *name);
    }
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const auto a = unique_name(rows_[row].a);
      const auto b = unique_name(rows_[row].b);
      if (a && b) {
        ends_[row] = {device_of(rows_[row].a, *a), device_of(rows_[row].b, *b)};
      } else {
        const RowEnd& end = a ? rows_[row].b : rows_[row].a;
        problem(row, a ? Where::kB : Where::kA,
                fmt::format("several devices are called {}; expected rack and unit of this one",
                            end.name));
      }
    }
  }

  // Nothing where the row does not say which of several devices it means.
  std::optional<std::string> unique_name(const RowEnd& end) const {
    const NamePlaces& places = places_.at(lower_case(end.name));
    if (places.units.empty()) return end.name;
    const std::string rack =
        end.rack.empty() && !places.by_rack() ? places.units.begin()->first : lower_case(end.rack);
    if (rack.empty()) return std::nullopt;
    std::string name = end.name;
    if (places.by_rack()) name += '@' + (end.rack.empty() ? rack : end.rack);
    if (!places.by_unit(rack)) return name;
    if (end.unit == 0) return std::nullopt;
    return fmt::format("{}{}U{}", name,
                       places.by_rack() ? "-" : '@' + (end.rack.empty() ? rack : end.rack) + '-',
                       end.unit);
  }

  std::uint32_t device_of(const RowEnd& end, const std::string& name) {
    const auto [at, fresh] =
        device_.emplace(lower_case(name), static_cast<std::uint32_t>(plan().devices.size()));
    if (fresh) {
      PlanDevice& made = plan().devices.emplace_back();
      made.name = name;
      Draft& draft = drafts_.emplace_back();
      if (const auto known = inside_.find(lower_case(end.name)); known != inside_.end()) {
        draft.inside = known->second;
        draft.kind = known->second->kind;
      }
    }
    PlanDevice& device = plan().devices[at->second];
    if (device.rack.empty()) device.rack = end.rack;
    if (end.unit > 0 && (device.unit == 0 || end.unit < device.unit)) device.unit = end.unit;
    if (device.role.empty()) device.role = end.role;
    Draft& draft = drafts_[at->second];
    const auto by_type = kind_of_type(end.type);
    if (!draft.kind && end.kind) draft.kind = end.kind;
    if (!draft.kind && by_type) draft.kind = by_type;
    // A word without a number is a kind, not a model.
    if (device.model.empty() && std::ranges::any_of(end.type, is_digit)) device.model = end.type;
    if (is_switch_text(end.port)) draft.has_switch_text = true;
    if (!draft.kind && is_adapter_text(end.port, end.name)) draft.kind = NodeKind::kAdapter;
    return at->second;
  }

  // --- kinds ---
  void find_kinds() {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (bad_[row] != 0) continue;
      const auto [a, b] = ends_[row];
      ++drafts_[a].cables;
      ++drafts_[b].cables;
      drafts_[a].neighbours.insert(b);
      drafts_[b].neighbours.insert(a);
    }
    for (std::size_t d = 0; d < drafts_.size(); ++d) {
      if (!drafts_[d].kind) drafts_[d].kind = kind_of_name(plan().devices[d].name);
    }
    for (std::size_t d = 0; d < drafts_.size(); ++d) {
      plan().devices[d].kind = drafts_[d].kind               ? *drafts_[d].kind
                               : looks_like_host(drafts_[d]) ? NodeKind::kAdapter
                                                             : NodeKind::kSwitch;
    }
  }
  bool looks_like_host(const Draft& draft) const {
    return !draft.has_switch_text && draft.cables > 0 && draft.cables <= kMostHostCables &&
           std::ranges::all_of(draft.neighbours, [&](std::uint32_t other) {
             return drafts_[other].kind.value_or(NodeKind::kSwitch) == NodeKind::kSwitch &&
                    drafts_[other].cables > draft.cables;
           });
  }

  // --- ports ---
  void read_texts() {
    std::vector<PortText> all;
    const auto note = [&](std::size_t row, Where where) {
      const RowEnd& end = end_at(row, where);
      const std::uint32_t d = device_at(row, where);
      if (plan().devices[d].is_host() || drafts_[d].inside != nullptr) return;
      const auto text = parse_port_text(end.port);
      if (is_switch_interface(end.port)) {
        drafts_[d].number_of.emplace(canonical_interface(end.port), 0);
        // "swp1s0", "xe-0/0/0", "Eth1/1": not one number.
        if (!text || text->numbers.size() > 1) drafts_[d].by_name = true;
        if (!text) return;
      }
      if (!text) {
        problem(row, where,
                fmt::format("expected a port of switch {} such as \"Port 7\", \"1/5/1\", \"sw1p1\" "
                            "or \"Blade 3_Port 1/20\", found \"{}\"",
                            end.name, end.port));
        return;
      }
      drafts_[d].texts.push_back(*text);
      all.push_back(*text);
    };
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (bad_[row] == 0) note(row, Where::kA);
      if (bad_[row] == 0) note(row, Where::kB);
    }
    for (Draft& draft : drafts_) {
      numbering_.emplace_back(draft.texts, all);
      std::uint32_t number = 0;
      for (auto& one : draft.number_of) one.second = ++number;
    }
  }

  std::optional<ChipPort> chip_port(std::uint32_t d, const RowEnd& end) const {
    if (plan().devices[d].is_host()) {
      if (end.slot.empty()) return host_port(end.port, end.name);
      const auto text = parse_port_text(end.port);
      return ChipPort{end.slot, text ? text->numbers.back() : 1};
    }
    if (drafts_[d].by_name) {
      const auto named = drafts_[d].number_of.find(canonical_interface(end.port));
      if (named == drafts_[d].number_of.end()) return std::nullopt;
      return ChipPort{end.slot, named->second};
    }
    const auto text = parse_port_text(end.port);
    auto at = text ? numbering_[d].number(*text) : std::nullopt;
    if (at && at->chip.empty() && !end.slot.empty()) at->chip = end.slot;
    return at;
  }
  std::optional<PlanEnd> end_of(std::size_t row, Where where) {
    const RowEnd& end = end_at(row, where);
    const std::uint32_t d = device_at(row, where);
    Draft& draft = drafts_[d];
    if (draft.inside != nullptr) {
      const auto at = draft.inside->panel.find(end.port);
      if (at != draft.inside->panel.end()) {
        return PlanEnd{d, at->second.first, at->second.second, end.port};
      }
      problem(row, where, fmt::format("{} has no port \"{}\"", end.name, end.port));
      return std::nullopt;
    }
    const auto at = chip_port(d, end);
    if (!at || at->port == 0 || at->port > kMaxPorts) {
      problem(row, where,
              fmt::format("expected a port from 1 to {}, found \"{}\"", kMaxPorts, end.port));
      return std::nullopt;
    }
    std::vector<PlanChip>& chips = plan().devices[d].chips;
    const auto [chip, fresh] =
        draft.chip_of.emplace(at->chip, static_cast<std::uint32_t>(chips.size()));
    if (fresh) chips.push_back({at->chip, 0, 0});
    PlanChip& used = chips[chip->second];
    used.ports = std::max(used.ports, at->port);
    if (end.guid != 0) used.guid = end.guid;
    return PlanEnd{d, chip->second, at->port, end.port};
  }

  // --- cables ---
  static std::uint64_t port_key(const PlanEnd& end) {
    return (std::uint64_t{end.device} << 40U) | (std::uint64_t{end.chip} << 16U) | end.port;
  }
  void add_cable(std::size_t row) {
    const auto a = end_of(row, Where::kA);
    if (!a) return;
    const auto b = end_of(row, Where::kB);
    if (!b) return;
    if (port_key(*a) == port_key(*b)) {
      return problem(row, Where::kB, "joins a port to itself; expected another port");
    }
    const auto at_a = at_port_.find(port_key(*a));
    const auto at_b = at_port_.find(port_key(*b));
    const CableRow& from = rows_[row];
    if (at_a != at_port_.end() && at_b != at_port_.end() && at_a->second == at_b->second) {
      ++result_.repeated;
      return fill(plan().cables[at_a->second], from);
    }
    for (const Where where : {Where::kA, Where::kB}) {
      const auto& at = where == Where::kA ? at_a : at_b;
      if (at != at_port_.end()) return used_twice(row, where, plan().cables[at->second]);
    }
    const auto number = static_cast<std::uint32_t>(plan().cables.size());
    at_port_[port_key(*a)] = number;
    at_port_[port_key(*b)] = number;
    plan().cables.push_back({*a, *b, from.label, from.type, from.length_m, from.rate, from.line});
  }
  static void fill(PlanCable& cable, const CableRow& row) {
    if (cable.label.empty()) cable.label = row.label;
    if (cable.type.empty()) cable.type = row.type;
    if (cable.length_m == 0) cable.length_m = row.length_m;
    if (cable.rate == Rate{}) cable.rate = row.rate;
  }
  void used_twice(std::size_t row, Where where, const PlanCable& first) {
    const RowEnd& end = end_at(row, where);
    problem(row, where,
            fmt::format("{} {} has a second cable; expected one (the first is on line {})",
                        end.name, end.port, first.line));
  }

  // --- devices again ---
  void finish_device(std::size_t d) {
    PlanDevice& device = plan().devices[d];
    if (drafts_[d].inside != nullptr) {
      device.chips = drafts_[d].inside->chips;
      device.inside = drafts_[d].inside->cables;
      return;
    }
    if (device.chips.empty()) device.chips.push_back({"", 1, 0});
    if (!device.is_host() && device.chips.size() > 1) add_spines(device);
  }

  // The inner tree of a director with all of its spine cards.
  static void add_spines(PlanDevice& device) {
    const auto leaves = static_cast<std::uint32_t>(device.chips.size());
    std::uint32_t down = 0;
    for (const PlanChip& chip : device.chips) down = std::max(down, chip.ports);
    if (leaves > kMaxPorts || 2 * down > kMaxPorts) return;
    for (PlanChip& chip : device.chips) chip.ports = 2 * down;
    for (std::uint32_t spine = 1; spine <= down; ++spine) {
      device.chips.push_back({fmt::format("S{:02}/U1", spine), leaves, 0});
      for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
        device.inside.push_back({leaf, down + spine, leaves + spine - 1, leaf + 1});
      }
    }
  }

  // Switches of one model have as many ports.
  void share_radix() {
    std::map<std::string, std::uint32_t> radix;
    const auto each = [&](const auto& use) {
      for (PlanDevice& device : plan().devices) {
        if (!device.is_host() && device.chips.size() == 1 && !device.model.empty()) {
          use(radix[lower_case(device.model)], device.chips.front().ports);
        }
      }
    };
    each([](std::uint32_t& most, std::uint32_t ports) { most = std::max(most, ports); });
    each([](std::uint32_t most, std::uint32_t& ports) { ports = most; });
  }

  const std::vector<CableRow>& rows_;
  const std::vector<RowEnd>& alone_;
  const std::unordered_map<std::string, const DeviceInside*>& inside_;
  std::vector<RowEnds> ends_;
  std::vector<std::uint8_t> bad_;
  std::unordered_map<std::string, NamePlaces> places_;
  std::unordered_map<std::string, std::uint32_t> device_;
  std::vector<Draft> drafts_;
  std::vector<PortNumbering> numbering_;
  std::unordered_map<std::uint64_t, std::uint32_t> at_port_;
  PlanBuilder::Result result_;
};

}  // namespace

void PlanBuilder::set_inside(const std::string& device, const DeviceInside& inside) {
  inside_[lower_case(device)] = &inside;
}

PlanBuilder::Result PlanBuilder::build() const {
  return PlanAssembly(rows_, alone_, inside_).run();
}

}  // namespace fatwood
