// SPDX-License-Identifier: BSD-3-Clause
#include "io/ethernet/sonic.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"

namespace fatwood {

namespace {

// Tables that tell a database of SONiC from other JSON.
constexpr std::array<std::string_view, 9> kTables{
    "DEVICE_METADATA", "DEVICE_NEIGHBOR", "PORTCHANNEL_MEMBER", "LLDP_ENTRY_TABLE", "PORT_TABLE",
    "PORT_QOS_MAP",    "BUFFER_PG",       "LLDP_LOC_CHASSIS",   "CABLE_LENGTH"};

double gbps_of(const Tree& fields) {
  const auto megabits = parse_number<std::uint32_t>(fields.text("speed"));
  return megabits ? static_cast<double>(*megabits) / 1000 : 0;
}

std::optional<NodeKind> kind_of_role(std::string_view role) {
  if (role.empty()) return std::nullopt;
  return role.find("Server") != std::string_view::npos ? NodeKind::kAdapter : NodeKind::kSwitch;
}

// "28 00": the bits of a bridge and of a router.
bool forwards_by_bits(std::string_view bits) {
  const auto first = parse_number<std::uint32_t>(bits.substr(0, 1), 16).value_or(0);
  const auto second =
      parse_number<std::uint32_t>(bits.substr(std::min<std::size_t>(1, bits.size()), 1), 16)
          .value_or(0);
  return (first & 2U) != 0 || (second & 8U) != 0;
}

}  // namespace

bool looks_like_sonic_db(std::string_view head) {
  return std::ranges::any_of(kTables, [&](std::string_view table) {
    const std::size_t at = head.find(table);
    return at != std::string_view::npos && at > 0 && head[at - 1] == '"';
  });
}

namespace {

void read_identity(const Tree& value, DeviceReport& device) {
  each_row_of(value, "DEVICE_METADATA", [&](std::string_view, const Tree& row) {
    if (row.has("hostname")) device.name = row.text("hostname");
    if (row.has("mac")) device.chassis = mac_address(row.text("mac"));
  });
  each_row_of(value, "LLDP_LOC_CHASSIS", [&](std::string_view, const Tree& row) {
    if (row.has("lldp_loc_sys_name")) device.name = row.text("lldp_loc_sys_name");
    device.chassis = mac_address(row.text("lldp_loc_chassis_id"));
  });
}

void read_ports(const Tree& value, DeviceReport& device) {
  std::map<std::string, std::string, std::less<>> bundle;
  each_row_of(value, "PORTCHANNEL_MEMBER", [&](std::string_view key, const Tree&) {
    const std::size_t bar = key.find('|');
    if (bar != std::string_view::npos) bundle.emplace(key.substr(bar + 1), key.substr(0, bar));
  });
  for (const std::string_view table : {"PORT", "PORT_TABLE"}) {
    each_row_of(value, table, [&](std::string_view name, const Tree& row) {
      if (!row.is_map() || !name.starts_with("Ethernet")) return;
      const auto at = bundle.find(name);
      device.ports.push_back({.name = std::string(name),
                              .alias = std::string(row.text("alias")),
                              .gbps = gbps_of(row),
                              .bundle = at == bundle.end() ? "" : at->second});
    });
  }
}

void read_seen(const Tree& value, DeviceReport& device) {
  each_row_of(value, "LLDP_ENTRY_TABLE", [&](std::string_view port, const Tree& row) {
    Neighbour& one = device.neighbours.emplace_back();
    one.port = port;
    one.peer = row.text("lldp_rem_sys_name");
    one.chassis = mac_address(row.text("lldp_rem_chassis_id"));
    one.description = row.text("lldp_rem_sys_desc");
    one.ports = port_names(row.text("lldp_rem_port_id"), row.text("lldp_rem_port_desc"));
    const std::string_view bits = row.text("lldp_rem_sys_cap_enabled");
    if (!bits.empty()) one.forwards = forwards_by_bits(bits);
    one.line = row.line;
  });
}

void read_meant(const Tree& value, DeviceReport& device) {
  each_row_of(value, "DEVICE_NEIGHBOR", [&](std::string_view key, const Tree& row) {
    const std::string_view local = row.has("local_port") ? row.text("local_port") : key;
    device.neighbours.push_back({.port = std::string(local),
                                 .peer = std::string(row.text("name")),
                                 .ports = port_names(row.text("port"), ""),
                                 .line = row.line});
  });
}

}  // namespace

bool read_sonic_db(const Tree& value, DeviceReports& reports) {
  const bool known = std::ranges::any_of(value.keys, [](std::string_view key) {
    return std::ranges::any_of(kTables, [&](auto table) { return key.starts_with(table); }) ||
           key.starts_with("PORT|") || key == "PORT";
  });
  if (!known) return false;
  DeviceReport seen, meant;
  seen.kind = NodeKind::kSwitch;
  seen.file = reports.file;
  seen.line = value.line;
  read_identity(value, seen);
  meant = seen;
  meant.meant = true;
  read_ports(value, seen);
  read_seen(value, seen);
  read_meant(value, meant);
  // A database without LLDP is not a witness of what is seen.
  seen.speaks = !seen.neighbours.empty();
  const bool both = !meant.neighbours.empty();
  reports.devices.push_back(std::move(seen));
  if (both) reports.devices.push_back(std::move(meant));
  each_row_of(value, "DEVICE_NEIGHBOR_METADATA", [&](std::string_view name, const Tree& row) {
    DeviceReport& other = reports.add(std::string(name), row.line);
    other.kind = kind_of_role(row.text("type"));
    other.speaks = false;
    other.meant = true;
  });
  return true;
}

bool looks_like_minigraph(std::string_view head) {
  return head.find("<DeviceMiniGraph") != std::string_view::npos ||
         head.find("<DeviceLinkBase") != std::string_view::npos;
}

namespace {

// The elements of an XML text that hold text, and the ends of the others.
class XmlText {
 public:
  explicit XmlText(std::string text) : text_(std::move(text)) {}
  struct Step {
    std::string_view name;  // of the element that ends here, without its namespace
    std::string_view text;  // in front of its end
    std::size_t line = 0;
    std::string_view opened = {};  // or: the tag that begins here
  };
  std::optional<Step> next() {
    while (at_ < text_.size()) {
      const std::size_t begin = text_.find('<', at_);
      const std::size_t end = text_.find('>', begin);
      if (end == std::string::npos) return std::nullopt;
      const std::string_view before = std::string_view(text_).substr(at_, begin - at_);
      std::string_view tag = std::string_view(text_).substr(begin + 1, end - begin - 1);
      line_ += static_cast<std::size_t>(std::ranges::count(before, '\n'));
      const Step step{{}, trimmed(before, " \t\r\n"), line_};
      line_ += static_cast<std::size_t>(std::ranges::count(tag, '\n'));
      at_ = end + 1;
      const bool closes = tag.starts_with('/');
      if (closes) tag.remove_prefix(1);
      const std::string_view name = tag.substr(0, tag.find_first_of(" \t\r\n/"));
      const std::string_view plain = name.substr(name.find(':') + 1);
      if (closes) return Step{plain, step.text, step.line};
      return Step{{}, {}, step.line, plain};
    }
    return std::nullopt;
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

}  // namespace

void read_minigraph(Input& input, DeviceReports& reports) {
  reports.meant = true;
  XmlText xml(clean_text(input, reports.warnings));
  std::array<std::string, 6> hold;
  constexpr std::array<std::string_view, 6> kFields{"StartDevice", "StartPort", "EndDevice",
                                                    "EndPort",     "Hostname",  "ElementType"};
  bool any = false;
  while (const auto step = xml.next()) {
    if (step->opened == "DeviceLinkBase" || step->opened == "Device") {
      for (std::string& text : hold) text.clear();
    }
    const auto at = std::ranges::find(kFields, step->name);
    if (at != kFields.end()) hold[static_cast<std::size_t>(at - kFields.begin())] = step->text;
    if (step->name == "DeviceLinkBase" && !hold[0].empty() && !hold[2].empty()) {
      reports.add_cable(hold[0], hold[1], hold[2], hold[3], step->line);
      any = true;
    } else if (step->name == "Device" && !hold[4].empty()) {
      reports.listed(hold[4], step->line).kind = kind_of_role(hold[5]);
    }
  }
  if (!any) {
    throw cut_short({input.name(), input.line_number() + 1, 1},
                    "no cable; expected DeviceLinkBase with StartDevice and EndDevice");
  }
}

}  // namespace fatwood
