// SPDX-License-Identifier: BSD-3-Clause
#include "topology/interface_name.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"

namespace fatwood {

namespace {

using Words = std::span<const std::string_view>;

std::string lower(std::string_view text) {
  std::string result(trimmed(text, " \t\""));
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// Whether the text is one of the words and a number: "eth0" for "eth", not "ethernet0".
bool numbered(std::string_view text, Words words) {
  return std::ranges::any_of(words, [&](std::string_view word) {
    return text.size() > word.size() && text.starts_with(word) && is_digit(text[word.size()]);
  });
}

constexpr std::array<std::string_view, 8> kManagementWords{"management", "mgmt", "ma",  "fxp",
                                                           "me",         "vme",  "oob", "mgmteth"};
constexpr std::array<std::string_view, 9> kBundleWords{
    "bond", "portchannel", "port-channel", "po", "ae", "lag", "bundle-ether", "team", "uplink"};
constexpr std::array<std::string_view, 17> kVirtualWords{
    "vlan", "lo",  "loopback", "br",    "docker", "virbr", "veth", "vxlan", "vni",
    "irb",  "tun", "tap",      "dummy", "cni",    "cali",  "vnet", "nve"};
constexpr std::array<std::string_view, 13> kSwitchWords{
    "swp",  "ethernet", "ethernet-", "et-", "xe-", "ge-", "mge-",
    "fpc-", "te",       "hu",        "fo",  "gi",  "bdp-"};
constexpr std::array<std::string_view, 14> kHostWords{"ens",   "enp",  "eno",  "enx",    "enP",
                                                      "mlx5_", "ib",   "ibp",  "ibs",    "rocep",
                                                      "roces", "rdma", "opap", "bnxt_re"};

// "1/1" after the word: a place in a chassis.
bool is_place(std::string_view text) { return text.find('/') != std::string_view::npos; }

}  // namespace

std::string canonical_interface(std::string_view name) {
  std::string text = lower(name);
  constexpr std::array<std::string_view, 1> kEth{"eth"}, kEt{"et"}, kE{"e"};
  if (numbered(text, kEth) && is_place(text)) {
    text.replace(0, 3, "ethernet");
  } else if (numbered(text, kEt)) {
    text.replace(0, 2, "ethernet");
  } else if (numbered(text, kE) && text.find('-') != std::string::npos) {
    text.replace(0, 1, "ethernet");
    std::ranges::replace(text, '-', '/');
  } else if (text.starts_with("ethernet-")) {
    text.erase(8, 1);
  } else if (text.starts_with("ethernet ")) {
    text.erase(8, 1);
  }
  // Unit 0 of Junos is the port itself.
  const bool junos = text.size() > 3 && text.find('-') < 4 && is_place(text);
  if (junos && text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

InterfaceUse interface_use(std::string_view name) {
  const std::string text = canonical_interface(name);
  if (text == "eth0" || text == "em0" || text == "mgmt" || text == "management" ||
      text == "idrac" || text == "bmc" || numbered(text, kManagementWords)) {
    return InterfaceUse::kManagement;
  }
  if (text == "lo" || text == "bridge" || text == "irb" || numbered(text, kVirtualWords)) {
    return InterfaceUse::kVirtual;
  }
  if (text == "peerlink" || numbered(text, kBundleWords)) return InterfaceUse::kBundle;
  const std::size_t dot = text.rfind('.');
  if (dot != std::string::npos && dot > 0 && is_interface(text.substr(0, dot)) &&
      std::ranges::all_of(text.substr(dot + 1), is_digit)) {
    return InterfaceUse::kLogical;
  }
  return InterfaceUse::kPort;
}

bool is_switch_interface(std::string_view name) {
  return numbered(canonical_interface(name), kSwitchWords);
}

bool is_host_interface(std::string_view name) { return numbered(lower(name), kHostWords); }

bool is_interface(std::string_view name) {
  const std::string text = canonical_interface(name);
  constexpr std::array<std::string_view, 4> kOther{"eth", "em", "p", "rail"};
  const bool word = std::ranges::none_of(text, [](char c) { return c == ' ' || c == '\t'; });
  return word && (is_switch_interface(text) || is_host_interface(text) || numbered(text, kOther) ||
                  numbered(text, kBundleWords) || numbered(text, kManagementWords));
}

}  // namespace fatwood
