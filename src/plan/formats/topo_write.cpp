// SPDX-License-Identifier: BSD-3-Clause
// .topo files, and the IBNL files that ibutils needs to read them.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/natural_order.hpp"
#include "core/text/parse_number.hpp"
#include "io/base/text.hpp"
#include "plan/formats/plan_write.hpp"
#include "plan/model/device_words.hpp"
#include "plan/model/plan_builder.hpp"
#include "topology/hosts/device_name.hpp"

namespace fatwood {

namespace {

std::string without_blanks(std::string_view text) {
  std::string result = one_line(text);
  std::ranges::replace(result, ' ', '_');
  std::ranges::replace(result, '#', '_');
  return result;
}

std::string topo_type(const PlanDevice& device) {
  std::uint32_t ports = 0;
  for (const PlanChip& chip : device.chips) ports += device.is_host() ? 1 : chip.ports;
  if (device.is_host()) return fmt::format("HCA_{}", ports);
  // ibutils wants a letter in front.
  const bool named = !device.model.empty() && is_letter(device.model.front());
  if (named && kind_of_type(device.model) == NodeKind::kSwitch) {
    return without_blanks(device.model);
  }
  return device.chips.size() == 1 ? fmt::format("SWITCH_{}", ports)
                                  : fmt::format("DIRECTOR_SWITCH_{}", ports);
}

// "P7", "L03/P1/20"; of a host "U1/P1".
std::string topo_port(const Plan& plan, const PlanEnd& end) {
  const PlanDevice& device = plan.device(end);
  const std::string& chip = device.chips[end.chip].name;
  if (device.is_host()) {
    const std::string described = "x " + chip;
    const DescribedAdapter adapter = described_adapter(described);
    const bool counted =
        adapter.device.numbers.size() == 1 && adapter.device.style.starts_with('#');
    const std::uint32_t number = counted ? adapter.device.numbers.front() : end.chip;
    return fmt::format("U{}/P{}", number + 1, end.port);
  }
  if (device.chips.size() == 1) return fmt::format("P{}", end.port);
  const std::size_t slash = chip.find('/');
  if (slash == std::string::npos) return fmt::format("{}/P{}", chip, end.port);
  std::string_view inner = std::string_view(chip).substr(slash + 1);
  while (!inner.empty() && !is_digit(inner.front())) inner.remove_prefix(1);
  return fmt::format("{}/P{}/{}", chip.substr(0, slash), inner, end.port);
}

// "-4x-100G->", in Gb/s of a lane as tools write them.
std::string topo_arrow(Rate rate) {
  if (rate == Rate{} || rate.width == 0) return "->";
  const double lane = sold_speed(rate) / rate.width;
  return fmt::format("-{}x-{}G->", rate.width, lane);
}

}  // namespace

void write_topo(std::ostream& out, const Plan& plan) {
  struct Line {
    const PlanCable* cable;
    const PlanEnd* here;
    const PlanEnd* there;
  };
  std::vector<std::vector<Line>> lines(plan.devices.size());
  for (const PlanCable& cable : plan.cables) {
    lines[cable.a.device].push_back({&cable, &cable.a, &cable.b});
    lines[cable.b.device].push_back({&cable, &cable.b, &cable.a});
  }
  out << "# topology file: ibdiagnet -t FILE\n";
  for (std::size_t d = 0; d < plan.devices.size(); ++d) {
    // Hosts are named by the switches that they are on.
    if (plan.devices[d].is_host() && std::ranges::none_of(lines[d], [&](const Line& line) {
          return plan.device(*line.there).is_host();
        })) {
      continue;
    }
    std::ranges::sort(lines[d], {},
                      [](const Line& line) { return std::pair(line.here->chip, line.here->port); });
    out << topo_type(plan.devices[d]) << ' ' << without_blanks(plan.devices[d].name) << '\n';
    for (const Line& line : lines[d]) {
      out << fmt::format("   {} {} {} {} {}\n", topo_port(plan, *line.here),
                         topo_arrow(line.cable->rate), topo_type(plan.device(*line.there)),
                         without_blanks(plan.device(*line.there).name),
                         topo_port(plan, *line.there));
    }
    out << '\n';
  }
}

namespace {

// All boxes of one type as one: chips by name, with the most ports that any of them has.
struct BoxType {
  struct Chip {
    bool adapter = false;
    std::uint32_t ports = 0;
    std::map<std::uint32_t, std::string> panel;                             // by port
    std::map<std::uint32_t, std::pair<std::string, std::uint32_t>> inside;  // by port
  };
  std::map<std::string, Chip,
           decltype([](const std::string& a, const std::string& b) { return natural_less(a, b); })>
      chips;
};

std::string ibnl_chip(const Plan& plan, std::uint32_t device, std::uint32_t chip) {
  const PlanDevice& box = plan.devices[device];
  if (!box.is_host()) return box.chips.size() == 1 ? "U1" : without_blanks(box.chips[chip].name);
  const std::string port = topo_port(plan, {device, chip, 1, ""});
  return port.substr(0, port.find('/'));
}

void add_box(const Plan& plan, std::uint32_t device, BoxType& type) {
  const PlanDevice& box = plan.devices[device];
  for (std::uint32_t c = 0; c < box.chips.size(); ++c) {
    BoxType::Chip& chip = type.chips[ibnl_chip(plan, device, c)];
    chip.adapter = box.is_host();
    chip.ports = std::max(chip.ports, box.chips[c].ports);
    for (std::uint32_t p = 1; p <= box.chips[c].ports; ++p) {
      chip.panel[p] = topo_port(plan, {device, c, p, ""});
    }
  }
  for (const InsideCable& in : box.inside) {
    const std::string a = ibnl_chip(plan, device, in.chip);
    const std::string b = ibnl_chip(plan, device, in.other);
    type.chips[a].inside[in.port] = {b, in.other_port};
    type.chips[b].inside[in.other_port] = {a, in.port};
  }
}

std::string ibnl_text(const std::string& name, const BoxType& type) {
  // No comment: ibutils takes none here. The device's name marks the file as ours.
  std::string text = fmt::format("TOPSYSTEM {}\n", name);
  for (const auto& [chip_name, chip] : type.chips) {
    text +=
        fmt::format("\nNODE {} {} FATWOOD {}\n", chip.adapter ? "CA" : "SW", chip.ports, chip_name);
    for (std::uint32_t p = 1; p <= chip.ports; ++p) {
      if (const auto in = chip.inside.find(p); in != chip.inside.end()) {
        text += fmt::format("   {} -> {} {}\n", p, in->second.first, in->second.second);
      } else {
        text += fmt::format("   {} -> {}\n", p, chip.panel.at(p));
      }
    }
  }
  return text + '\n';
}

}  // namespace

std::map<std::string, std::string> ibnl_texts(const Plan& plan) {
  std::map<std::string, BoxType> types;
  for (std::uint32_t d = 0; d < plan.devices.size(); ++d) {
    add_box(plan, d, types[topo_type(plan.devices[d])]);
  }
  std::map<std::string, std::string> texts;
  for (const auto& [name, type] : types) texts[name] = ibnl_text(name, type);
  return texts;
}

}  // namespace fatwood
