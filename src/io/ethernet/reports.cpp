// SPDX-License-Identifier: BSD-3-Clause
#include "io/ethernet/reports.hpp"

#include <algorithm>
#include <cctype>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"
#include "topology/interface_name.hpp"

namespace fatwood {

DeviceReport& DeviceReports::add(std::string name, std::size_t line) {
  DeviceReport& made = devices.emplace_back();
  made.name = std::move(name);
  made.file = file;
  made.line = line;
  return made;
}

DeviceReport& DeviceReports::listed(std::string_view name, std::size_t line) {
  const auto [at, fresh] = by_name_.emplace(std::string(name), devices.size());
  if (!fresh) return devices[at->second];
  DeviceReport& made = add(std::string(name), line);
  made.speaks = false;
  made.meant = meant;
  return made;
}

void DeviceReports::add_cable(std::string_view a, std::string_view port_a, std::string_view b,
                              std::string_view port_b, std::size_t line) {
  listed(b, line).ports.push_back({.name = std::string(port_b)});
  DeviceReport& first = listed(a, line);
  first.neighbours.push_back({.port = std::string(port_a),
                              .peer = std::string(b),
                              .ports = {std::string(port_b)},
                              .line = line});
}

std::string clean_text(Input& input, Warnings& warnings) {
  std::string text;
  std::size_t lines = 0;
  while (const auto line = input.next_line(warnings)) {
    while (++lines < input.line_number()) text += '\n';
    text += *line;
    text += '\n';
    if (text.size() > std::size_t{1} << 28U) throw InputError(input.at(), "more than 256 MiB");
  }
  return text;
}

std::vector<std::string> port_names(std::string_view id, std::string_view description) {
  id = trimmed(id, " \t\r\"");
  description = trimmed(description, " \t\r\"");
  std::vector<std::string> names;
  const bool swapped = !is_interface(id) && is_interface(description);
  for (const std::string_view name : {swapped ? description : id, swapped ? id : description}) {
    if (!name.empty()) names.emplace_back(name);
  }
  return names;
}

std::string mac_address(std::string_view text) {
  std::string digits;
  for (const char c : trimmed(text)) {
    if (std::isxdigit(static_cast<unsigned char>(c)) != 0) {
      digits += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (c != ':' && c != '.' && c != '-') {
      return "";
    }
  }
  if (digits.size() != 12) return "";
  std::string address = digits.substr(0, 2);
  for (std::size_t at = 2; at < 12; at += 2) {
    address += ':';
    address += digits.substr(at, 2);
  }
  return address;
}

double speed_in_text(std::string_view text) {
  const auto first = std::ranges::find_if(text, is_digit);
  const auto last = std::find_if_not(first, text.end(), is_digit);
  const auto number = parse_number<std::uint32_t>(text.substr(
      static_cast<std::size_t>(first - text.begin()), static_cast<std::size_t>(last - first)));
  if (!number) return 0;
  const bool giga = last != text.end() && (*last == 'G' || *last == 'g');
  return giga ? *number : static_cast<double>(*number) / 1000;
}

}  // namespace fatwood
