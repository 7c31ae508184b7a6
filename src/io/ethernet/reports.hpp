// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the devices of an Ethernet fabric, and the tools around them, say about ports and cables.
// Each reader fills a DeviceReports; merge.hpp makes one fabric of all.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/base/input.hpp"
#include "io/base/warnings.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

// What one device says about the other end of a cable at one of its ports.
struct Neighbour {
  std::string port;                     // of the device itself
  std::string peer = {};                // name; "": only its chassis is known
  std::string chassis = {};             // of the peer, as a MAC address in lower case; or ""
  std::vector<std::string> ports = {};  // names of the peer's port, the likeliest first
  std::string description = {};         // of the peer's system
  std::optional<bool> forwards = {};    // whether the peer says that it is a bridge or a router
  double text_gbps = 0;                 // speed in a text about autonegotiation; 0: none
  std::size_t line = 0;
};

struct OwnPort {
  std::string name;
  std::string alias = {};   // another name, "" for none
  double gbps = 0;          // 0: unknown
  std::string bundle = {};  // the bond that it is a member of
};

struct DeviceReport {
  std::string name = {};           // "": not in the text
  std::string chassis = {};        // MAC address
  std::optional<NodeKind> kind{};  // as stated
  std::string file = {};           // for messages
  std::string file_word = {};      // the name that the file's name suggests; "" for none
  std::size_t line = 0;
  bool meant = false;  // what should be, not what is
  bool speaks = true;  // the device itself says this; otherwise a list of cables does
  std::vector<Neighbour> neighbours = {};
  std::vector<OwnPort> ports = {};
};

// The reports of one file.
struct DeviceReports {
  explicit DeviceReports(const Input& input) : file(input.name()), warnings(input.name()) {}
  DeviceReport& add(std::string name, std::size_t line = 0);
  // For lists of cables: the device of this name.
  DeviceReport& listed(std::string_view name, std::size_t line);
  // For lists of cables: both ends.
  void add_cable(std::string_view a, std::string_view port_a, std::string_view b,
                 std::string_view port_b, std::size_t line);

  std::string file;
  bool meant = false;  // of devices that are listed
  Warnings warnings;
  std::vector<DeviceReport> devices;

 private:
  std::unordered_map<std::string, std::size_t> by_name_;
};

// The text of a file without noise, each line in its place. InputError above 256 MiB.
std::string clean_text(Input& input, Warnings& warnings);
// The names that a port may have by its id and its description in LLDP, the likeliest first.
std::vector<std::string> port_names(std::string_view id, std::string_view description);
// "b8:59:9f:00:00:01" for b859.9f00.0001 and B8-59-9F-...; "" if it is no MAC address.
std::string mac_address(std::string_view text);
// The first number of a text such as "400G", "400000" (Mb/s) or "100GigBaseCR4", in Gb/s; 0: none.
double speed_in_text(std::string_view text);

}  // namespace fatwood
