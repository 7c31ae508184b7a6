// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The devices that reports are about: who is who, and which port is which.
//
// Names. A device is what its own output calls it, else what its neighbours call it (most of those
// that see its ports), else what its file is called. Case and domain make no difference, unless two
// names differ in nothing but the domain. A neighbour without a name is the device with its chassis
// address, or a device of that name.
//
// Ports. A device's own names count; neighbours may use an alias or the description of the port.
// Names are compared as canonical_interface() has them.
//
// Kinds. In this order: what a source states; ports that only switches have (swp1, Ethernet4), or
// only hosts (ens4f0np0, mlx5_0); words in the description of the system; the device's name; no
// bridge and no router. Anything else is a host if it has at most 16 cables, and fewer than each of
// its neighbours; otherwise it is a switch.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/ethernet/reports.hpp"

namespace fatwood {

struct DevicePort {
  std::string name;  // as first printed
  double gbps = 0;   // 0: unknown
  std::string bundle = {};
};

struct EthernetDevice {
  std::string name;
  std::optional<NodeKind> kind{};  // as known without the cables
  bool speaks = false;             // it has printed its neighbours
  bool plans = false;              // it has printed what its neighbours should be
  std::vector<DevicePort> ports = {};
  std::unordered_map<std::string, std::uint32_t> port_of = {};  // by canonical name, and by alias
  std::set<std::string> shapes = {};                            // of names: "swp#"

  std::optional<std::uint32_t> find_port(std::string_view name) const;
  std::uint32_t port(std::string_view name);    // added if it is new
  bool has_shape(std::string_view name) const;  // of one of its own ports
};

class EthernetDevices {
 public:
  explicit EthernetDevices(std::vector<DeviceReport>& reports);

  std::vector<EthernetDevice>& all() { return devices_; }
  // By report.
  std::uint32_t owner(std::size_t report) const { return owner_[report]; }
  // The device that the neighbour is; no value if it has neither name nor chassis.
  std::optional<std::uint32_t> peer(const Neighbour& neighbour);

 private:
  void collect_names();
  void name_reports();
  std::string plain_name(std::string_view name) const;
  std::uint32_t intern(std::string_view name);
  std::string name_of_peer(const Neighbour& neighbour) const;
  void add_ports();
  void find_kinds();

  std::vector<DeviceReport>& reports_;
  std::vector<EthernetDevice> devices_;
  std::unordered_map<std::string, std::uint32_t> by_name_;
  std::map<std::string, std::set<std::string>, std::less<>> full_names_;  // by name without domain
  std::map<std::string, std::string, std::less<>> by_chassis_;            // "" if several
  std::vector<std::uint32_t> owner_;
};

// What is known about a system besides its cables.
struct SystemFacts {
  std::set<std::string> shapes;           // of the names of its ports: "swp#"
  std::vector<std::string> descriptions;  // as it describes itself
  std::optional<bool> forwards;           // whether it says that it is a bridge or a router
};
// The kind that these suggest, if any.
std::optional<NodeKind> suggested_kind(const std::string& name, const SystemFacts& facts);

}  // namespace fatwood
