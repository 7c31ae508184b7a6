// SPDX-License-Identifier: BSD-3-Clause
#include "io/ethernet/lldp_json.hpp"

#include <utility>

#include "core/text/split.hpp"

namespace fatwood {

namespace {

constexpr unsigned kWrapped = 4;  // levels that a tool puts around its answer

const Tree& only(const Tree& value) {
  return value.is_list() && !value.items.empty() ? value.items.front() : value;
}

// The name and the description of a chassis: {"spine1": {"id": ...}}, or {"id": ..., "name": ...}.
struct Chassis {
  std::string name;
  const Tree& facts;
};
Chassis read_chassis(const Tree& outer) {
  const Tree& value = only(outer);
  const bool named = value.has("name") && !value["name"].is_map();
  if (value.has("id") || named || !value.is_map() || value.items.size() != 1) {
    return {std::string(value.text("name")), value};
  }
  return {value.keys.front(), only(value.items.front())};
}

std::optional<bool> forwards(const Tree& capabilities) {
  std::optional<bool> result;
  for (const Tree* one : capabilities.list()) {
    const std::string_view type = one->text("type");
    const std::string_view enabled = one->text("enabled");
    if (enabled.empty()) continue;  // LLDP-MED
    if (type == "Bridge" || type == "Router") {
      result = result.value_or(false) || enabled == "true" || enabled == "on";
    } else if (!result) {
      result = false;
    }
  }
  return result;
}

void add_lldpd_interface(std::string_view port, const Tree& value, DeviceReport& device) {
  const Chassis chassis = read_chassis(value["chassis"]);
  const Tree& far = value["port"];
  Neighbour& seen = device.neighbours.emplace_back();
  seen.port = port;
  seen.peer = chassis.name;
  seen.chassis = mac_address(chassis.facts["id"].text("value"));
  seen.description = chassis.facts.text("descr");
  seen.forwards = forwards(chassis.facts["capability"]);
  seen.ports = port_names(far["id"].text("value"), far.text("descr"));
  seen.text_gbps = speed_in_text(far["auto-negotiation"].text("current"));
  seen.line = value.line;
}

}  // namespace

bool read_lldpd(const Tree& value, DeviceReports& reports) {
  if (const Tree& local = value.find("local-chassis", 1); local.exists()) {
    const Chassis chassis = read_chassis(local["chassis"]);
    DeviceReport& device = reports.add(chassis.name, local.line);
    device.chassis = mac_address(chassis.facts["id"].text("value"));
    if (!value.has("lldp")) return true;
  }
  const Tree& lldp = only(value["lldp"]);
  if (!lldp.is_map() && !lldp.is_list()) return value.has("lldp");
  if (reports.devices.empty()) reports.add("", lldp.line);
  DeviceReport& device = reports.devices.back();
  for (const Tree* one : lldp["interface"].list()) {
    if (one->has("chassis")) {
      add_lldpd_interface(one->text("name"), *one, device);
      continue;
    }
    for (std::size_t i = 0; i < one->keys.size(); ++i) {
      for (const Tree* inner : one->items[i].list()) {
        if (inner->has("chassis")) add_lldpd_interface(one->keys[i], *inner, device);
      }
    }
  }
  return true;
}

namespace {

void add_eos(std::string_view port, const Tree& one, DeviceReport& device) {
  Neighbour& seen = device.neighbours.emplace_back();
  seen.port = port;
  seen.peer = one.has("systemName") ? one.text("systemName") : one.text("neighborDevice");
  seen.chassis = mac_address(one.text("chassisId"));
  seen.description = one.text("systemDescription");
  const Tree& far = one["neighborInterfaceInfo"];
  const std::string_view id = far.has("interfaceId_v2") ? far.text("interfaceId_v2")
                              : far.has("interfaceId")  ? far.text("interfaceId")
                                                        : one.text("neighborPort");
  seen.ports = port_names(id, far.text("interfaceDescription"));
  const Tree& can = one["systemCapabilities"];
  if (can.exists()) seen.forwards = can.text("bridge") == "true" || can.text("router") == "true";
  seen.line = one.line;
}

}  // namespace

bool read_eos(const Tree& value, DeviceReports& reports) {
  const Tree& all = value.find("lldpNeighbors", kWrapped);
  if (!all.exists()) return false;
  DeviceReport& device =
      reports.add(std::string(value.find("hostname", kWrapped).text()), all.line);
  device.kind = NodeKind::kSwitch;
  for (std::size_t i = 0; i < all.keys.size(); ++i) {
    device.ports.push_back({.name = all.keys[i]});
    for (const Tree* one : all.items[i]["lldpNeighborInfo"].list()) {
      add_eos(all.keys[i], *one, device);
    }
  }
  if (all.is_list()) {
    for (const Tree& one : all.items) add_eos(one.text("port"), one, device);
  }
  return true;
}

bool read_junos(const Tree& value, DeviceReports& reports) {
  const Tree& all = value.find("lldp-neighbors-information", kWrapped);
  if (!all.exists()) return false;
  DeviceReport& device = reports.add("", all.line);
  device.kind = NodeKind::kSwitch;
  for (const Tree* outer : all.list()) {
    for (const Tree* one : (*outer)["lldp-neighbor-information"].list()) {
      Neighbour& seen = device.neighbours.emplace_back();
      seen.port = one->has("lldp-local-interface") ? one->text("lldp-local-interface")
                                                   : one->text("lldp-local-port-id");
      seen.peer = one->text("lldp-remote-system-name");
      seen.chassis = mac_address(one->text("lldp-remote-chassis-id"));
      seen.description = one->find("lldp-system-description", 3).text();
      seen.ports =
          port_names(one->text("lldp-remote-port-id"), one->text("lldp-remote-port-description"));
      if (const Tree& on = (*one)["lldp-remote-system-capabilities-enabled"]; on.exists()) {
        seen.forwards = on.text().find("Bridge") != std::string_view::npos ||
                        on.text().find("Router") != std::string_view::npos;
      }
      seen.line = one->line;
    }
  }
  return true;
}

}  // namespace fatwood
