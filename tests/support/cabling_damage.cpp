// SPDX-License-Identifier: BSD-3-Clause
#include "support/cabling_damage.hpp"

#include <algorithm>
#include <cctype>

#include "io/fabric/load_fabric.hpp"
#include "plan/model/plan_fabric.hpp"
#include "topology/hosts/device_name.hpp"

namespace fatwood::test {

using Kind = CablingFaultKind;

Plan plan_for(const std::string& fabric) {
  const Model model(load_fabric(fabric).fabric);
  Plan plan = plan_of(model);
  for (PlanDevice& device : plan.devices) {
    for (PlanChip& chip : device.chips) {
      chip.guid = 0;
      if (!device.is_host()) chip.ports += 4;
    }
  }
  return plan;
}

Plan renamed(const Plan& plan, Naming naming, std::uint64_t seed) {
  Plan result = plan;
  Random random(seed);
  const std::vector<std::uint32_t> order =
      random.permutation(static_cast<std::uint32_t>(plan.devices.size()));
  for (std::uint32_t d = 0; d < plan.devices.size(); ++d) {
    result.devices[order[d]] = plan.devices[d];
    PlanDevice& device = result.devices[order[d]];
    const bool keeps =
        naming != Naming::kNone && (naming != Naming::kHostsOnly || device.is_host());
    if (!keeps) device.name = "box" + std::to_string(order[d]);
    if (!keeps && device.is_host()) device.name = "MT4129 ConnectX7 " + device.name;
    if (naming == Naming::kDecorated && !device.is_host()) {
      for (char& c : device.name) c = static_cast<char>(std::toupper(c));
      if (device.chips.size() == 1) device.name = "MF0;" + device.name + ":MQM9700/U1";
    }
  }
  for (PlanCable& cable : result.cables) {
    cable.a.device = order[cable.a.device];
    cable.b.device = order[cable.b.device];
  }
  return result;
}

Damage::Damage(const Plan& plan, std::uint64_t seed)
    : plan_(plan),
      found_(plan),
      random_(seed),
      cables_of_(plan.devices.size()),
      left_(plan.devices.size()),
      touched_(plan.cables.size()),
      lost_(plan.cables.size()) {
  order_ = random_.permutation(static_cast<std::uint32_t>(plan.cables.size()));
  for (std::uint32_t k = 0; k < plan.cables.size(); ++k) {
    for (const PlanEnd* end : {&plan.cables[k].a, &plan.cables[k].b}) {
      used_.insert({end->device, end->chip, end->port});
      cables_of_[end->device].push_back(k);
      ++left_[end->device];
    }
  }
  for (std::uint32_t d = 0; d < plan.devices.size(); ++d) {
    for (const InsideCable& in : plan.devices[d].inside) {
      used_.insert({d, in.chip, in.port});
      used_.insert({d, in.other, in.other_port});
    }
  }
}

bool Damage::add(Kind kind) {
  switch (kind) {
    case Kind::kMissing:
      return add_missing();
    case Kind::kExtra:
      return add_extra();
    case Kind::kWrongPort:
    case Kind::kWrongDevice:
      return add_moved(kind);
    case Kind::kSwappedCables:
      return add_swap();
    case Kind::kExchangedPorts:
    case Kind::kExchangedRails:
      return add_exchanged(kind);
    case Kind::kSwappedDevices:
      return add_swapped_devices();
    case Kind::kDown:
      return add_down();
    case Kind::kUnplannedDevice:
      return add_unplanned();
    default:
      return add_rate(kind);
  }
}

namespace {

bool is_stock(const PlanDevice& device) {
  return device.is_host() && described_adapter(device.name + " mlx5_0").stock;
}

}  // namespace

template <class Fits>
std::optional<std::uint32_t> Damage::draw(const Fits& fits) {
  for (const std::uint32_t k : order_) {
    const PlanCable& cable = plan_.cables[k];
    if (touched_[k] != 0 || devices_.contains(cable.a.device) ||
        devices_.contains(cable.b.device)) {
      continue;
    }
    // A host that nobody named is whatever sits in its place.
    if (is_stock(plan_.device(cable.a)) || is_stock(plan_.device(cable.b))) continue;
    if (fits(k)) return k;
  }
  return std::nullopt;
}

void Damage::note(Kind kind, std::initializer_list<std::uint32_t> cables, std::size_t moves) {
  ++truth_.kinds[std::string(kind_word(kind))];
  truth_.moves += moves;
  for (const std::uint32_t k : cables) {
    touched_[k] = 1;
    truth_.cables.insert(k);
    by_kind_[kind].push_back(k);
  }
}

std::optional<PlanEnd> Damage::free_port(std::uint32_t device) {
  const PlanDevice& box = plan_.devices[device];
  const std::uint32_t chips = static_cast<std::uint32_t>(box.chips.size());
  const std::uint32_t chip = random_.below(chips);
  for (std::uint32_t port = box.chips[chip].ports; port > 0; --port) {
    if (!used_.insert({device, chip, port}).second) continue;
    busy_.insert(device);
    return PlanEnd{device, chip, port, "x"};
  }
  return std::nullopt;
}

std::optional<std::uint32_t> Damage::any_switch(const std::set<std::uint32_t>& without) {
  for (int round = 0; round < 1000; ++round) {
    const std::uint32_t d = random_.below(static_cast<std::uint32_t>(plan_.devices.size()));
    if (plan_.devices[d].is_host() || without.contains(d) || devices_.contains(d)) continue;
    if (!cables_of_[d].empty()) return d;
  }
  return std::nullopt;
}

PlanEnd& Damage::end_at_switch(std::uint32_t cable) {
  PlanCable& found = found_.cables[cable];
  return found_.device(found.b).is_host() ? found.a : found.b;
}

// Each pair of devices has one swap, lest three of them look like exchanged devices.
bool Damage::once(std::uint32_t a, std::uint32_t b) {
  return pairs_.insert(std::minmax(a, b)).second;
}

bool Damage::add_missing() {
  const auto k = draw([&](std::uint32_t one) {
    const PlanCable& cable = plan_.cables[one];
    return left_[cable.a.device] > 1 && left_[cable.b.device] > 1;
  });
  if (!k) return false;
  --left_[plan_.cables[*k].a.device];
  --left_[plan_.cables[*k].b.device];
  lost_[*k] = 1;
  note(Kind::kMissing, {*k}, 0);
  return true;
}

bool Damage::add_extra() {
  const auto a = any_switch({});
  const auto b = a ? any_switch({*a}) : std::nullopt;
  if (!b) return false;
  const auto here = free_port(*a), there = free_port(*b);
  if (!here || !there) return false;
  found_.cables.push_back({*here, *there, "", "", 0, plan_.cables.front().rate, 0});
  note(Kind::kExtra, {}, 1);
  return true;
}

bool Damage::add_moved(Kind kind) {
  const auto k = draw([&](std::uint32_t one) {
    return !plan_.device(end_at_switch(one)).is_host() && left_[end_at_switch(one).device] > 1;
  });
  if (!k) return false;
  PlanEnd& end = end_at_switch(*k);
  const PlanCable& cable = plan_.cables[*k];
  const auto device = kind == Kind::kWrongPort ? std::optional(end.device)
                                               : any_switch({cable.a.device, cable.b.device});
  const auto port = device ? free_port(*device) : std::nullopt;
  if (!port) return false;
  --left_[end.device];
  end = *port;
  note(kind, {*k}, 1);
  return true;
}

bool Damage::add_swap() {
  const auto k =
      draw([&](std::uint32_t one) { return !plan_.device(end_at_switch(one)).is_host(); });
  if (!k) return false;
  const std::uint32_t far = end_at_switch(*k).device;
  const PlanCable& first = plan_.cables[*k];
  const auto other = draw([&](std::uint32_t one) {
    const PlanCable& cable = plan_.cables[one];
    if (one == *k || plan_.device(end_at_switch(one)).is_host()) return false;
    const std::set<std::uint32_t> all{first.a.device, first.b.device, cable.a.device,
                                      cable.b.device};
    if (all.size() != 4) return false;
    const std::uint32_t near = first.a.device == far ? first.b.device : first.a.device;
    const std::uint32_t there = end_at_switch(one).device;
    const std::uint32_t here = cable.a.device == there ? cable.b.device : cable.a.device;
    return !pairs_.contains(std::minmax(near, here)) && !pairs_.contains(std::minmax(far, there));
  });
  if (!other) return false;
  const PlanCable& second = plan_.cables[*other];
  for (const std::uint32_t a : {first.a.device, first.b.device}) {
    for (const std::uint32_t b : {second.a.device, second.b.device}) once(a, b);
  }
  std::swap(end_at_switch(*k), end_at_switch(*other));
  note(Kind::kSwappedCables, {*k, *other}, 2);
  return true;
}

bool Damage::add_exchanged(Kind kind) {
  const auto host_end = [&](std::uint32_t k) -> PlanEnd* {
    PlanCable& cable = found_.cables[k];
    return found_.device(cable.a).is_host()   ? &cable.a
           : found_.device(cable.b).is_host() ? &cable.b
                                              : nullptr;
  };
  std::uint32_t other = 0;
  const auto k = draw([&](std::uint32_t one) {
    const PlanEnd* mine = host_end(one);
    if (mine == nullptr || plan_.device(end_at_switch(one)).is_host()) return false;
    for (const std::uint32_t k2 : cables_of_[mine->device]) {
      const PlanEnd* its = host_end(k2);
      if (k2 == one || touched_[k2] != 0 || its->device != mine->device) continue;
      if ((its->chip == mine->chip) != (kind == Kind::kExchangedPorts)) continue;
      const std::uint32_t a = end_at_switch(one).device, b = end_at_switch(k2).device;
      if (a == b || devices_.contains(b) || pairs_.contains(std::minmax(a, b))) continue;
      other = k2;
      return true;
    }
    return false;
  });
  if (!k) return false;
  once(end_at_switch(*k).device, end_at_switch(other).device);
  std::swap(*host_end(*k), *host_end(other));
  note(kind, {*k, other}, 2);
  return true;
}

bool Damage::add_swapped_devices() {
  const auto ports = [&](std::uint32_t d) {
    std::set<std::pair<std::string, std::uint32_t>> result;
    for (const std::uint32_t k : cables_of_[d]) {
      const PlanCable& cable = plan_.cables[k];
      const PlanEnd& end = cable.a.device == d ? cable.a : cable.b;
      result.insert({plan_.devices[d].chips[end.chip].name, end.port});
    }
    return result;
  };
  const auto untouched = [&](std::uint32_t d) {
    if (cables_of_[d].size() < 4 || devices_.contains(d) || is_stock(plan_.devices[d]))
      return false;
    return std::ranges::all_of(cables_of_[d], [&](std::uint32_t k) {
      const PlanCable& cable = plan_.cables[k];
      return touched_[k] == 0 && !devices_.contains(cable.a.device) &&
             !devices_.contains(cable.b.device);
    });
  };
  const auto count = static_cast<std::uint32_t>(plan_.devices.size());
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t a = random_.below(count), b = random_.below(count);
    if (a == b || plan_.devices[a].kind != plan_.devices[b].kind) continue;
    if (!untouched(a) || !untouched(b) || ports(a) != ports(b)) continue;
    std::set<std::uint32_t> cables(cables_of_[a].begin(), cables_of_[a].end());
    cables.insert(cables_of_[b].begin(), cables_of_[b].end());
    if (cables.size() != cables_of_[a].size() + cables_of_[b].size()) continue;
    std::swap(found_.devices[a].name, found_.devices[b].name);
    note(Kind::kSwappedDevices, {}, 0);
    for (const std::uint32_t k : cables) {
      touched_[k] = 1;
      truth_.cables.insert(k);
      devices_.insert({plan_.cables[k].a.device, plan_.cables[k].b.device});
    }
    return true;
  }
  return false;
}

// A switch that is off takes the hosts along that have no other cable.
bool Damage::add_down() {
  const auto fits = [&](std::uint32_t d) {
    bool seen = false;
    for (const std::uint32_t k : cables_of_[d]) {
      const PlanCable& cable = plan_.cables[k];
      const std::uint32_t far = cable.a.device == d ? cable.b.device : cable.a.device;
      if (touched_[k] != 0 || devices_.contains(far)) return false;
      seen = seen || left_[far] > 1;
    }
    return seen;
  };
  for (int round = 0; round < 300; ++round) {
    const auto d = any_switch({});
    if (!d || busy_.contains(*d) || !fits(*d)) continue;
    note(Kind::kDown, {}, 0);
    for (const std::uint32_t k : cables_of_[*d]) {
      lost_[k] = touched_[k] = 1;
      truth_.cables.insert(k);
      devices_.insert({plan_.cables[k].a.device, plan_.cables[k].b.device});
    }
    return true;
  }
  return false;
}

bool Damage::add_unplanned() {
  const auto at = any_switch({});
  const auto port = at ? free_port(*at) : std::nullopt;
  if (!port) return false;
  PlanDevice device;
  device.name = "stranger" + std::to_string(found_.devices.size());
  device.kind = NodeKind::kAdapter;
  device.chips = {{"mlx5_0", 1, 0}};
  const auto number = static_cast<std::uint32_t>(found_.devices.size());
  found_.devices.push_back(device);
  found_.cables.push_back(
      {{number, 0, 1, "mlx5_0"}, *port, "", "", 0, plan_.cables.front().rate, 0});
  note(Kind::kUnplannedDevice, {}, 1);
  return true;
}

bool Damage::add_rate(Kind kind) {
  const auto k = draw([&](std::uint32_t one) {
    const Rate rate = plan_.cables[one].rate;
    return rate.width == 4 && rate.speed > Speed::kSdr;
  });
  if (!k) return false;
  if (kind == Kind::kSlow) found_.cables[*k].rate.speed = Speed::kSdr;
  if (kind == Kind::kNarrow) found_.cables[*k].rate.width = 1;
  note(kind, {*k}, 0);
  return true;
}

void Damage::power_off_half() {
  for (std::uint32_t d = 0; d < plan_.devices.size(); ++d) {
    if (random_.below(2) == 0) continue;
    devices_.insert(d);
    for (const std::uint32_t k : cables_of_[d]) {
      if (lost_[k] != 0) continue;
      lost_[k] = touched_[k] = 1;
      --left_[plan_.cables[k].a.device];
      --left_[plan_.cables[k].b.device];
    }
  }
  // What has no cable left is as good as off.
  for (std::uint32_t d = 0; d < plan_.devices.size(); ++d) {
    if (left_[d] == 0) devices_.insert(d);
  }
}

Damage::Built Damage::built() const {
  Built result;
  std::map<std::uint32_t, std::uint32_t> number;
  for (std::uint32_t k = 0; k < found_.cables.size(); ++k) {
    const bool lost = k < lost_.size() && lost_[k] != 0;
    if (k < lost_.size()) {
      result.cable.push_back(lost ? kLost : static_cast<std::uint32_t>(result.plan.cables.size()));
    }
    if (lost) continue;
    PlanCable cable = found_.cables[k];
    for (PlanEnd* end : {&cable.a, &cable.b}) {
      const auto [at, fresh] =
          number.emplace(end->device, static_cast<std::uint32_t>(result.plan.devices.size()));
      if (fresh) result.plan.devices.push_back(found_.devices[end->device]);
      end->device = at->second;
    }
    result.plan.cables.push_back(std::move(cable));
  }
  return result;
}

}  // namespace fatwood::test
