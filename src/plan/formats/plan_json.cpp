// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "io/base/text.hpp"
#include "plan/formats/loaded_plan.hpp"
#include "plan/formats/plan_formats.hpp"
#include "plan/formats/plan_write.hpp"
#include "plan/model/device_words.hpp"

namespace fatwood {

namespace {

using PlanJson = nlohmann::json;

class PlanJsonReader {
 public:
  PlanJsonReader(Input& input, Strictness strictness) : rows_(input.name()) {
    rows_.strictness = strictness;
    const std::string bytes = input.all_bytes();
    try {
      json_ = PlanJson::parse(bytes);
    } catch (const PlanJson::parse_error& error) {
      const std::string_view before = std::string_view(bytes).substr(0, error.byte);
      const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
      const std::size_t start = before.rfind('\n');
      const std::size_t column =
          start == std::string_view::npos ? before.size() : before.size() - start - 1;
      if (error.byte > bytes.size()) throw cut_short({rows_.file, line, column}, "expected JSON");
      throw InputError({rows_.file, line, column}, "expected JSON");
    }
  }

  LoadedFabric run() {
    if (!json_.is_object() || text(json_, "format") != "fatwood-plan") {
      throw InputError({.file = rows_.file}, "expected \"format\": \"fatwood-plan\"");
    }
    for (const PlanJson& device : list(json_, "devices")) read_device(device);
    std::size_t number = 0;
    for (const PlanJson& cable : list(json_, "cables")) {
      try {
        read_cable(cable);
      } catch (const InputError& error) {
        rows_.refuse({rows_.file}, fmt::format("cables[{}]: {}", number, error.what()));
      }
      ++number;
    }
    if (plan_.devices.empty()) throw InputError({.file = rows_.file}, "expected devices");
    return loaded_plan(std::move(plan_), "plan", rows_.warnings);
  }

 private:
  static std::string text(const PlanJson& json, const char* key) {
    const auto at = json.find(key);
    if (at == json.end()) return "";
    if (!at->is_string()) throw InputError(fmt::format("expected a text for \"{}\"", key));
    return one_line(at->get<std::string>());
  }
  static std::uint32_t number(const PlanJson& json, const char* key, std::uint32_t missing,
                              std::uint32_t most) {
    const auto at = json.find(key);
    if (at == json.end()) return missing;
    if (!at->is_number_unsigned() || at->get<std::uint64_t>() > most) {
      throw InputError(fmt::format("expected a number up to {} for \"{}\"", most, key));
    }
    return at->get<std::uint32_t>();
  }
  static PlanJson list(const PlanJson& json, const char* key) {
    const auto at = json.find(key);
    if (at == json.end()) return PlanJson::array();
    if (!at->is_array()) throw InputError(fmt::format("expected a list for \"{}\"", key));
    return *at;
  }

  void read_device(const PlanJson& json) {
    if (!json.is_object()) throw InputError({.file = rows_.file}, "expected objects as devices");
    PlanDevice device;
    device.name = text(json, "name");
    const auto index = static_cast<std::uint32_t>(plan_.devices.size());
    if (device.name.empty() || !by_name_.emplace(lower_case(device.name), index).second) {
      throw InputError(
          {.file = rows_.file},
          fmt::format("devices[{}]: expected a name of its own, found \"{}\"", index, device.name));
    }
    const std::string kind = text(json, "kind");
    device.kind = kind == "host" || kind == "adapter" ? NodeKind::kAdapter
                  : kind == "router"                  ? NodeKind::kRouter
                                                      : NodeKind::kSwitch;
    device.model = text(json, "model");
    device.rack = text(json, "rack");
    device.role = text(json, "role");
    device.unit = number(json, "unit", 0, 10000);
    std::set<std::string> names;
    for (const PlanJson& chip : list(json, "chips")) {
      device.chips.push_back(read_chip(chip));
      if (!names.insert(device.chips.back().name).second) {
        throw InputError({.file = rows_.file}, device.name + ": expected chips of different names");
      }
    }
    if (device.chips.empty()) device.chips.push_back({"", kMaxPorts, 0});
    plan_.devices.push_back(std::move(device));
    for (const PlanJson& inside : list(json, "inside")) read_inside(inside, index);
  }
  PlanChip read_chip(const PlanJson& json) const {
    if (!json.is_object()) throw InputError({.file = rows_.file}, "expected objects as chips");
    PlanChip chip;
    chip.name = text(json, "name");
    chip.ports = number(json, "ports", kMaxPorts, kMaxPorts);
    const std::string guid = text(json, "guid");
    if (guid.starts_with("0x")) {
      chip.guid = parse_number<std::uint64_t>(std::string_view(guid).substr(2), 16).value_or(0);
    }
    return chip;
  }
  void read_inside(const PlanJson& json, std::uint32_t device) {
    std::vector<std::uint32_t> n;
    for (const PlanJson& one : json) {
      if (!one.is_number_unsigned() || one.get<std::uint64_t>() > 65535) break;
      n.push_back(one.get<std::uint32_t>());
    }
    const std::vector<PlanChip>& chips = plan_.devices[device].chips;
    if (n.size() != 4 || n[0] >= chips.size() || n[2] >= chips.size()) {
      throw InputError({.file = rows_.file}, "expected [chip, port, chip, port] in \"inside\" of " +
                                                 plan_.devices[device].name);
    }
    take({device, n[0], n[1], ""});
    take({device, n[2], n[3], ""});
    plan_.devices[device].inside.push_back({n[0], n[1], n[2], n[3]});
  }

  // Each port once.
  void take(const PlanEnd& end) {
    const PlanDevice& device = plan_.device(end);
    if (end.port == 0 || end.port > device.chips[end.chip].ports) {
      throw InputError(fmt::format("{} has no port {}; expected 1 to {}", device.name, end.port,
                                   device.chips[end.chip].ports));
    }
    if (!used_.emplace(end.device, end.chip, end.port).second) {
      throw InputError(fmt::format("port {} of {} has two cables", end.port, device.name));
    }
  }

  PlanEnd read_end(const PlanJson& json, const char* key) const {
    const auto at = json.find(key);
    if (at == json.end() || !at->is_object()) {
      throw InputError(fmt::format("expected an object for \"{}\"", key));
    }
    const std::string name = text(*at, "device");
    const auto device = by_name_.find(lower_case(name));
    if (device == by_name_.end()) throw InputError(fmt::format("no device is called \"{}\"", name));
    const std::string chip = text(*at, "chip");
    const std::vector<PlanChip>& chips = plan_.devices[device->second].chips;
    const auto found = std::ranges::find(chips, chip, &PlanChip::name);
    if (found == chips.end()) throw InputError(fmt::format("{} has no chip \"{}\"", name, chip));
    PlanEnd end{device->second, static_cast<std::uint32_t>(found - chips.begin()),
                number(*at, "port", 0, kMaxPorts), text(*at, "text")};
    if (end.text.empty()) end.text = fmt::format("Port {}", end.port);
    return end;
  }

  void read_cable(const PlanJson& json) {
    if (!json.is_object()) throw InputError("expected an object");
    PlanCable cable;
    cable.a = read_end(json, "a");
    cable.b = read_end(json, "b");
    cable.label = text(json, "label");
    cable.type = text(json, "type");
    cable.rate = read_speed(text(json, "rate"), cable.type);
    if (const auto at = json.find("length_m"); at != json.end()) {
      if (!at->is_number() || at->get<double>() < 0) throw InputError("expected a length in m");
      cable.length_m = at->get<double>();
    }
    take(cable.a);
    take(cable.b);
    plan_.cables.push_back(std::move(cable));
  }

  PlanRows rows_;  // for messages
  PlanJson json_;
  Plan plan_;
  std::unordered_map<std::string, std::uint32_t> by_name_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> used_;
};

std::string end_json(const Plan& plan, const PlanEnd& end) {
  const PlanDevice& device = plan.device(end);
  return fmt::format("{{\"device\": {}, \"chip\": {}, \"port\": {}, \"text\": {}}}",
                     json_quoted(device.name), json_quoted(device.chips[end.chip].name), end.port,
                     json_quoted(end.text));
}

std::string device_json(const PlanDevice& device) {
  std::string chips, inside;
  for (const PlanChip& chip : device.chips) {
    chips += fmt::format("{}{{\"name\": {}, \"ports\": {}", chips.empty() ? "" : ", ",
                         json_quoted(chip.name), chip.ports);
    if (chip.guid != 0) chips += fmt::format(", \"guid\": \"0x{:016x}\"", chip.guid);
    chips += '}';
  }
  for (const InsideCable& in : device.inside) {
    inside += fmt::format("{}[{}, {}, {}, {}]", inside.empty() ? "" : ", ", in.chip, in.port,
                          in.other, in.other_port);
  }
  return fmt::format(
      "{{\"name\": {}, \"kind\": \"{}\", \"model\": {}, \"rack\": {}, \"unit\": {}, \"role\": {}, "
      "\"chips\": [{}], \"inside\": [{}]}}",
      json_quoted(device.name), device.kind == NodeKind::kAdapter ? "host" : kind_name(device.kind),
      json_quoted(device.model), json_quoted(device.rack), device.unit, json_quoted(device.role),
      chips, inside);
}

}  // namespace

bool looks_like_plan_json(std::string_view head) {
  head = trimmed(head);
  while (!head.empty() && (head.front() == '\n' || head.front() == '\r')) head.remove_prefix(1);
  return head.starts_with('{') && head.find("\"fatwood-plan\"") != std::string_view::npos;
}

LoadedFabric read_plan_json(Input& input, Strictness strictness) {
  return PlanJsonReader(input, strictness).run();
}

void write_plan_json(std::ostream& out, const Plan& plan) {
  out << "{\"format\": \"fatwood-plan\", \"version\": 1,\n\"devices\": [";
  const char* comma = "\n";
  for (const PlanDevice& device : plan.devices) {
    out << comma << device_json(device);
    comma = ",\n";
  }
  out << "],\n\"cables\": [";
  comma = "\n";
  for (const PlanCable& cable : plan.cables) {
    out << comma
        << fmt::format(
               "{{\"a\": {}, \"b\": {}, \"label\": {}, \"type\": {}, \"length_m\": {}, "
               "\"rate\": \"{}\"}}",
               end_json(plan, cable.a), end_json(plan, cable.b), json_quoted(cable.label),
               json_quoted(cable.type), cable.length_m, to_string(cable.rate));
    comma = ",\n";
  }
  out << "]}\n";
}

}  // namespace fatwood
