// SPDX-License-Identifier: BSD-3-Clause
#include "io/ethernet/read_ethernet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"
#include "io/ethernet/cable_graphs.hpp"
#include "io/ethernet/device_files.hpp"
#include "io/ethernet/lldp_json.hpp"
#include "io/ethernet/lldp_text.hpp"
#include "io/ethernet/merge.hpp"
#include "io/ethernet/sonic.hpp"
#include "io/ethernet/tree.hpp"
#include "plan/model/device_words.hpp"

namespace fatwood {

namespace {

bool looks_like_ethernet_json(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || (head[first] != '{' && head[first] != '[')) return false;
  const auto has = [&](std::string_view key) {
    return head.find(fmt::format("\"{}\"", key)) != std::string_view::npos;
  };
  return has("lldp") || has("local-chassis") || has("lldpNeighbors") ||
         has("lldp-neighbors-information") || has("compounded_nodes") || has("compounded_links") ||
         (has("hostname") && has("cmd")) || (has("node1") && has("interfaceName")) ||
         (has("nodes") && has("links") && !has("format\": \"fatwood")) || looks_like_sonic_db(head);
}

// An answer as suzieq keeps it: {"hostname", "cmd", "data"}.
bool read_answer(const Tree& value, DeviceReports& reports);

void read_value(const Tree& value, DeviceReports& reports) {
  if (value.is_list() && !value.items.empty() && value.items.front().has("cmd")) {
    for (const Tree& item : value.items) read_answer(item, reports);
    return;
  }
  if (read_answer(value, reports) || read_lldpd(value, reports) || read_eos(value, reports) ||
      read_junos(value, reports) || read_netq(value, reports) || read_layer1_json(value, reports) ||
      read_sonic_db(value, reports)) {
    return;
  }
  read_air_json(value, reports);
}

void read_ethernet_json(Input& input, DeviceReports& reports) {
  for (const Tree& value : read_json_values(input)) read_value(value, reports);
}

struct EthernetFormat {
  bool (*matches)(std::string_view head);
  void (*read)(Input& input, DeviceReports& reports);
};
constexpr std::array kEthernetFormats = {
    EthernetFormat{looks_like_ethernet_json, read_ethernet_json},
    EthernetFormat{looks_like_minigraph, read_minigraph},
    EthernetFormat{looks_like_lldp_table, read_lldp_table},
    EthernetFormat{looks_like_interface_status, read_interface_status},
    EthernetFormat{looks_like_lldpctl, read_lldpctl},
    EthernetFormat{looks_like_keyvalue, read_keyvalue},
    EthernetFormat{looks_like_dot, read_dot},
    EthernetFormat{looks_like_containerlab, read_containerlab}};

const EthernetFormat* format_of(std::string_view head) {
  const auto at = std::ranges::find_if(
      kEthernetFormats, [&](const EthernetFormat& format) { return format.matches(head); });
  return at == kEthernetFormats.end() ? nullptr : &*at;
}

bool read_answer(const Tree& value, DeviceReports& reports) {
  if (!value.has("cmd") || !value.has("hostname") || !value.has("data")) return false;
  const std::string host(value.text("hostname"));
  const Tree& data = value["data"];
  DeviceReports inner(Input(std::string_view{}, fmt::format("{} ({})", reports.file, host)));
  if (data.is_map() || data.is_list()) {
    read_value(data, inner);
  } else if (const EthernetFormat* format = format_of(data.text()); format != nullptr) {
    Input input(data.text(), inner.file);
    format->read(input, inner);
  }
  const std::string type = lower_case(value.text("devtype"));
  for (DeviceReport& device : inner.devices) {
    if (device.speaks && device.name.empty()) device.name = host;
    if (!type.empty() && type != "linux" && device.speaks) device.kind = NodeKind::kSwitch;
    reports.devices.push_back(std::move(device));
  }
  reports.warnings.append(inner.warnings);
  return true;
}

// The words of a file's name that say what is in it, not whose it is.
constexpr std::array<std::string_view, 30> kContents{
    "lldp",  "lldpctl", "lldpcli", "neighbors", "neighbours", "neighbor",  "show",       "detail",
    "table", "config",  "db",      "appl",      "minigraph",  "interface", "interfaces", "status",
    "dump",  "json",    "json0",   "txt",       "out",        "output",    "xml",        "log",
    "gz",    "xz",      "tar",     "tgz",       "sonic",      "keyvalue"};

std::string without_contents(std::string_view name) {
  constexpr std::string_view kMarks = "._- ";
  const auto known = [](std::string_view word) {
    const std::string lower = lower_case(word);
    const bool number = word.size() >= 6 && std::ranges::all_of(word, is_digit);  // a date
    return word.empty() || number || std::ranges::find(kContents, lower) != kContents.end();
  };
  while (!name.empty()) {
    const std::size_t front = std::min(name.find_first_of(kMarks), name.size());
    const std::size_t back = name.find_last_of(kMarks);
    const std::string_view first = name.substr(0, front);
    const std::string_view last = back == std::string_view::npos ? name : name.substr(back + 1);
    if (known(first)) {
      name.remove_prefix(std::min(front + 1, name.size()));
    } else if (known(last)) {
      name = name.substr(0, back == std::string_view::npos ? 0 : back);
    } else {
      break;
    }
  }
  return std::string(name);
}

}  // namespace

bool looks_like_ethernet(std::string_view head) { return format_of(head) != nullptr; }

std::string device_in_path(std::string_view path) {
  while (!path.empty()) {
    const std::size_t slash = path.rfind('/');
    const std::string word = without_contents(path.substr(slash + 1));
    if (!word.empty()) return word;
    if (slash == std::string_view::npos) break;
    path = path.substr(0, slash);
  }
  return "";
}

DeviceReports read_device_reports(Input& input, std::string_view word) {
  DeviceReports reports(input);
  if (const EthernetFormat* format = format_of(input.peek()); format != nullptr) {
    format->read(input, reports);
  }
  for (DeviceReport& device : reports.devices) {
    if (device.speaks || device.name.empty() || !device.ports.empty()) device.file_word = word;
  }
  return reports;
}

LoadedFabric read_ethernet(Input& input, const LoadOptions& options) {
  DeviceReports reports = read_device_reports(input, device_in_path(input.name()));
  return merge_reports(std::move(reports.devices), input.name(), std::move(reports.warnings),
                       options);
}

std::optional<LoadedFabric> read_ethernet_files(const std::string& path,
                                                const LoadOptions& options) {
  DeviceFiles files(path);
  std::vector<DeviceReport> reports;
  std::size_t used = 0;
  files.each([&](Input& input, const std::string& inside) {
    Warnings noise(input.name());
    if (format_of(input.peek()) == nullptr) input.skip_noise(noise);
    if (format_of(input.peek()) == nullptr) return;
    ++used;
    DeviceReports read = read_device_reports(input, device_in_path(inside));
    std::ranges::move(read.devices, std::back_inserter(reports));
    files.warnings().append(noise);
    files.warnings().append(read.warnings);
  });
  const bool any = std::ranges::any_of(
      reports, [](const DeviceReport& report) { return !report.neighbours.empty(); });
  if (!any) return std::nullopt;
  LoadedFabric loaded =
      merge_reports(std::move(reports), path, std::move(files.warnings()), options);
  const std::string note =
      fmt::format("{}: {} of {} files are about Ethernet ports", path, used, files.count());
  loaded.note = loaded.note.empty() ? note : fmt::format("{}; {}", note, loaded.note);
  return loaded;
}

}  // namespace fatwood
