// SPDX-License-Identifier: BSD-3-Clause
#include "io/ethernet/lldp_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/text/split.hpp"
#include "io/base/records.hpp"
#include "topology/interface_name.hpp"

namespace fatwood {

namespace {

// What lldpctl and keyvalue say about one neighbour, before its names are chosen.
struct SeenPort {
  Neighbour seen;
  std::string id, description;

  void close(DeviceReport& device) {
    if (seen.port.empty()) return;
    seen.ports = port_names(id, description);
    device.neighbours.push_back(std::move(seen));
    *this = {};
  }
};

void note_capability(Neighbour& seen, std::string_view name, bool on) {
  const bool counts = name == "Bridge" || name == "Router";
  seen.forwards = seen.forwards.value_or(false) || (counts && on);
}

// "mac 52:54:00:7f:7a:90": the words after the first.
std::string_view after_word(std::string_view text) {
  const std::size_t blank = text.find(' ');
  return blank == std::string_view::npos ? std::string_view{} : trimmed(text.substr(blank));
}

}  // namespace

bool looks_like_lldpctl(std::string_view head) {
  return any_line(head,
                  [](std::string_view line) {
                    return line.starts_with("Interface:") &&
                           line.find("via: ") != std::string_view::npos;
                  }) ||
         head.find("LLDP neighbors:\n") != std::string_view::npos;
}

void read_lldpctl(Input& input, DeviceReports& reports) {
  DeviceReport& device = reports.add("");
  SeenPort now;
  while (const auto text = input.next_line(reports.warnings)) {
    const std::string_view line = trimmed(*text);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view key = line.substr(0, colon);
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (key == "Interface") {
      now.close(device);
      now.seen.port = value.substr(0, value.find(','));
      now.seen.line = input.line_number();
    } else if (key == "ChassisID") {
      now.seen.chassis = mac_address(after_word(value));
    } else if (key == "SysName") {
      now.seen.peer = value;
    } else if (key == "SysDescr") {
      now.seen.description = value;
    } else if (key == "Capability" && (value.ends_with(", on") || value.ends_with(", off"))) {
      note_capability(now.seen, value.substr(0, value.find(',')), value.ends_with(", on"));
    } else if (key == "PortID") {
      now.id = after_word(value);
    } else if (key == "PortDescr") {
      now.description = value;
    } else if (key == "MAU oper type") {
      now.seen.text_gbps = speed_in_text(value);
    }
  }
  now.close(device);
}

bool looks_like_keyvalue(std::string_view head) {
  return any_line(head, [](std::string_view line) {
    return (line.starts_with("lldp.") || line.starts_with("local-chassis.")) &&
           line.find('=') != std::string_view::npos;
  });
}

void read_keyvalue(Input& input, DeviceReports& reports) {
  constexpr std::array<std::string_view, 6> kParts{".via",      ".rid",   ".age",
                                                   ".chassis.", ".port.", ".ttl"};
  DeviceReport& device = reports.add("");
  SeenPort now;
  while (const auto text = input.next_line(reports.warnings)) {
    const std::string_view line = trimmed(*text);
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    std::string_view key = line.substr(0, equals);
    const std::string_view value = line.substr(equals + 1);
    if (key.starts_with("local-chassis.")) {
      if (key.ends_with(".name")) device.name = value;
      if (key.ends_with(".mac")) device.chassis = mac_address(value);
      continue;
    }
    if (!key.starts_with("lldp.")) continue;
    key.remove_prefix(5);
    std::size_t cut = std::string_view::npos;
    for (const std::string_view part : kParts) cut = std::min(cut, key.find(part));
    if (cut == std::string_view::npos) continue;
    const std::string_view port = key.substr(0, cut);
    const std::string_view field = key.substr(cut + 1);
    if (field == "via" || port != now.seen.port) {
      now.close(device);
      now.seen.port = port;
      now.seen.line = input.line_number();
    }
    if (field == "chassis.name") {
      now.seen.peer = value;
    } else if (field == "chassis.mac") {
      now.seen.chassis = mac_address(value);
    } else if (field == "chassis.descr") {
      now.seen.description = value;
    } else if (field == "chassis.Bridge.enabled" || field == "chassis.Router.enabled" ||
               field == "chassis.Station.enabled") {
      note_capability(now.seen, field.substr(8, 6), value == "on");
    } else if (field == "port.descr") {
      now.description = value;
    } else if (field == "port.ifname" || field == "port.local" || field == "port.ifalias" ||
               field == "port.mac") {
      now.id = value;
    } else if (field == "port.auto-negotiation.current") {
      now.seen.text_gbps = speed_in_text(value);
    }
  }
  now.close(device);
}

namespace {

// The columns of a table: where the dashes below its header are, or else where the header's words
// begin. If a row does not fit, its words are its cells.
class Columns {
 public:
  explicit Columns(std::string_view header) {
    each_word(header, [&](std::size_t begin, std::size_t end) {
      names_.emplace_back(header.substr(begin, end - begin));
      begin_.push_back(begin);
    });
  }
  void see_dashes(std::string_view line) {
    std::vector<std::size_t> begins;
    each_word(line, [&](std::size_t begin, std::size_t) { begins.push_back(begin); });
    if (begins.size() >= names_.size()) begin_ = std::move(begins);
  }
  std::string_view cell(std::string_view row, std::string_view name) const {
    const auto at = std::ranges::find(names_, name);
    if (at == names_.end()) return {};
    const auto column = static_cast<std::size_t>(at - names_.begin());
    if (!fits(row)) return word(row, column);
    const std::size_t end = column + 1 < begin_.size() ? begin_[column + 1] : row.size();
    if (begin_[column] >= row.size()) return {};
    return trimmed(row.substr(begin_[column], end - begin_[column]));
  }

 private:
  template <class See>
  static void each_word(std::string_view line, const See& see) {
    for (std::size_t at = 0;;) {
      const std::size_t begin = line.find_first_not_of(" \t", at);
      if (begin == std::string_view::npos) return;
      at = std::min(line.find_first_of(" \t", begin), line.size());
      see(begin, at);
    }
  }
  bool fits(std::string_view row) const {
    return row.find('\t') == std::string_view::npos &&
           std::ranges::all_of(begin_, [&](std::size_t at) {
             return at == 0 || at >= row.size() || row[at - 1] == ' ';
           });
  }
  static std::string_view word(std::string_view row, std::size_t number) {
    std::string_view found;
    each_word(row, [&](std::size_t begin, std::size_t end) {
      if (number-- == 0) found = row.substr(begin, end - begin);
    });
    return found;
  }
  std::vector<std::string> names_;
  std::vector<std::size_t> begin_;
};

bool is_header(std::string_view line, std::string_view first, std::string_view other) {
  return trimmed(line).starts_with(first) && line.find(other) != std::string_view::npos;
}

// Calls read(columns, row) for each row below a header that has these words.
template <class Read>
void each_row(Input& input, Warnings& warnings, std::string_view first, std::string_view other,
              const Read& read) {
  std::optional<Columns> columns;
  while (const auto text = input.next_line(warnings)) {
    const std::string_view row = text->substr(0, text->find_last_not_of(" \t\r") + 1);
    if (is_header(row, first, other)) {
      columns.emplace(row);
    } else if (row.starts_with("--")) {
      if (columns) columns->see_dashes(row);
    } else if (row.starts_with("Total")) {
      columns.reset();
    } else if (columns && is_interface(columns->cell(row, first))) {
      read(*columns, row);
    }
  }
}

}  // namespace

bool looks_like_lldp_table(std::string_view head) {
  return any_line(head, [](std::string_view line) {
    return line.starts_with("LocalPort") && line.find("RemotePortID") != std::string_view::npos;
  });
}

void read_lldp_table(Input& input, DeviceReports& reports) {
  DeviceReport& device = reports.add("");
  device.kind = NodeKind::kSwitch;
  each_row(input, reports.warnings, "LocalPort", "RemotePortID",
           [&](const Columns& columns, std::string_view row) {
             const std::string_view can = columns.cell(row, "Capability");
             Neighbour& seen = device.neighbours.emplace_back();
             seen.port = columns.cell(row, "LocalPort");
             seen.peer = columns.cell(row, "RemoteDevice");
             seen.ports = port_names(columns.cell(row, "RemotePortID"),
                                     columns.cell(row, "RemotePortDescr"));
             if (!can.empty()) seen.forwards = can.find_first_of("BR") != std::string_view::npos;
             seen.line = input.line_number();
           });
}

bool looks_like_interface_status(std::string_view head) {
  return any_line(head, [](std::string_view line) {
    return line.starts_with("Interface ") && line.find(" Lanes ") != std::string_view::npos &&
           line.find(" Speed ") != std::string_view::npos;
  });
}

void read_interface_status(Input& input, DeviceReports& reports) {
  DeviceReport& device = reports.add("");
  device.kind = NodeKind::kSwitch;
  each_row(input, reports.warnings, "Interface", "Lanes",
           [&](const Columns& columns, std::string_view row) {
             const std::string_view alias = columns.cell(row, "Alias");
             device.ports.push_back({.name = std::string(columns.cell(row, "Interface")),
                                     .alias = alias == "N/A" ? "" : std::string(alias),
                                     .gbps = speed_in_text(columns.cell(row, "Speed"))});
           });
}

}  // namespace fatwood
