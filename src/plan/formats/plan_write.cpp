// SPDX-License-Identifier: BSD-3-Clause
#include "plan/formats/plan_write.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "io/base/text.hpp"
#include "plan/model/device_words.hpp"
#include "plan/model/plan_builder.hpp"

namespace fatwood {

namespace {

// In quotes if necessary.
std::string csv_cell(std::string_view text) {
  const std::string line = one_line(text);
  if (line.find_first_of(",;\"\t#") == std::string::npos && trimmed(line).size() == line.size()) {
    return line;
  }
  std::string quoted = "\"";
  for (const char c : line) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

void write_row(std::ostream& out, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) out << (i == 0 ? "" : ",") << csv_cell(cells[i]);
  out << '\n';
}

std::string number_or_nothing(double number) {
  return number == 0 ? "" : fmt::format("{}", number);
}
std::string unit_text(const PlanDevice& device) {
  return device.unit == 0 ? "" : fmt::format("U{}", device.unit);
}

// "Port 7", "Port 1/5/1", "Blade 3_Port 1/20"; of a host "gpu1 mlx5_0".
std::string ndt_port(const Plan& plan, const PlanEnd& end) {
  const PlanDevice& device = plan.device(end);
  if (device.is_host()) {
    return starts_with_word(end.text, device.name) ? end.text : device.name + ' ' + end.text;
  }
  if (starts_with_word(end.text, "port ") || starts_with_word(end.text, "blade")) return end.text;
  return "Port " + end.text;
}

// The cable's type; where the speed alone would be read as another signalling, that.
std::string ndt_type(const PlanCable& cable) {
  if (!cable.type.empty() || cable.rate == Rate{}) return cable.type;
  const double speed = sold_speed(cable.rate);
  if (rate_of_speed(speed, "") == cable.rate) return "";
  return fmt::format("{}G {}", speed, to_string(Rate{4, cable.rate.speed}).substr(2));
}

}  // namespace

void write_ndt(std::ostream& out, const Plan& plan) {
  out << "rack #,U height,#Fields:StartDevice,StartPort,StartDeviceLocation,EndDevice,EndPort,"
         "EndDeviceLocation,U height,LinkType,Speed,,Cable Length\n";
  const auto row = [&](const PlanCable& cable, const PlanEnd& start, const PlanEnd& end) {
    const PlanDevice& a = plan.device(start);
    const PlanDevice& b = plan.device(end);
    write_row(out, {a.rack, unit_text(a), a.name, ndt_port(plan, start), a.rack, b.name,
                    ndt_port(plan, end), b.rack, unit_text(b), "Data",
                    number_or_nothing(sold_speed(cable.rate) * 1000), ndt_type(cable),
                    number_or_nothing(cable.length_m)});
  };
  for (const PlanCable& cable : plan.cables) {
    row(cable, cable.a, cable.b);
    if (!plan.device(cable.a).is_host() && !plan.device(cable.b).is_host()) {
      row(cable, cable.b, cable.a);
    }
  }
}

namespace {

// The few types that NetBox knows; "" for others.
std::string_view netbox_type(std::string_view type) {
  const std::string word = lower_case(type);
  const auto has = [&](std::string_view part) { return word.find(part) != std::string::npos; };
  if (has("aoc") || has("active optical")) return "aoc";
  if (has("lacc") || has("active copper")) return "dac-active";
  if (has("dac") || has("copper")) return "dac-passive";
  if (has("smf") || has("single mode") || has("single-mode")) return "smf";
  if (has("mmf") || has("multimode")) return "mmf";
  return "";
}

}  // namespace

void write_netbox(std::ostream& out, const Plan& plan) {
  out << "side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,type,status,"
         "label,length,length_unit,description\n";
  for (const PlanCable& cable : plan.cables) {
    const std::string described = to_string(cable.rate) + ' ' + cable.type;
    write_row(out,
              {plan.device(cable.a).name, "dcim.interface", cable.a.text, plan.device(cable.b).name,
               "dcim.interface", cable.b.text, std::string(netbox_type(cable.type)), "planned",
               cable.label, number_or_nothing(cable.length_m), cable.length_m == 0 ? "" : "m",
               std::string(trimmed(described))});
  }
}

void write_cables(std::ostream& out, const Plan& plan) {
  out << "label,rack_a,unit_a,device_a,port_a,rack_b,unit_b,device_b,port_b,cable_type,length_m,"
         "speed,model_a,model_b,role_a,role_b,guid_a,guid_b\n";
  const auto model = [](const PlanDevice& device) {
    return !device.model.empty() ? device.model : device.is_host() ? "host" : "switch";
  };
  const auto guid = [&](const PlanEnd& end) {
    const std::uint64_t value = plan.device(end).chips[end.chip].guid;
    return value == 0 ? "" : fmt::format("0x{:016x}", value);
  };
  for (const PlanCable& cable : plan.cables) {
    const PlanDevice& a = plan.device(cable.a);
    const PlanDevice& b = plan.device(cable.b);
    write_row(
        out, {cable.label, a.rack, unit_text(a), a.name, cable.a.text, b.rack, unit_text(b), b.name,
              cable.b.text, cable.type, number_or_nothing(cable.length_m), to_string(cable.rate),
              model(a), model(b), a.role, b.role, guid(cable.a), guid(cable.b)});
  }
}

}  // namespace fatwood
