// SPDX-License-Identifier: BSD-3-Clause
#include "io/ethernet/port_numbers.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "core/text/natural_order.hpp"
#include "core/text/parse_number.hpp"
#include "plan/model/device_words.hpp"
#include "topology/interface_name.hpp"

namespace fatwood {

namespace {

std::string device_key(std::string_view name) {
  std::string text = lower_case(name);
  const std::size_t dot = text.find('.');
  if (dot != std::string::npos && dot > 0 && dot + 1 < text.size() && is_letter(text[dot + 1])) {
    text.resize(dot);
  }
  return text;
}

// "1/7" of "Port 1/7" and of "swp1/7".
std::string digits_of(std::string_view name) {
  const auto first = std::ranges::find_if(name, is_digit);
  return {first, name.end()};
}

// The numbers in the names, if these are one word and different numbers.
std::optional<std::vector<std::uint32_t>> plain_numbers(const std::vector<std::string>& names) {
  std::vector<std::uint32_t> numbers;
  std::set<std::uint32_t> used;
  std::string_view word;
  for (const std::string& name : names) {
    const auto first = std::ranges::find_if(name, is_digit);
    const std::string_view letters(name.begin(), first);
    const auto number = parse_number<std::uint32_t>(std::string_view(first, name.end()));
    if (!number || *number < 1 || *number > kMaxPorts || !used.insert(*number).second ||
        (!numbers.empty() && letters != word)) {
      return std::nullopt;
    }
    word = letters;
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

PortNumbers port_numbers(const Fabric& fabric, const RunData& run) {
  PortNumbers numbers;
  if (run.labels.size() == 0) return numbers;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const Node node = fabric.node(s);
    auto& own = numbers[device_key(display_name(fabric, node))];
    for (const Channel c : fabric.channels(node)) {
      const std::string_view label = run.label(c);
      if (label.empty()) continue;
      own[is_interface(label) ? canonical_interface(label) : digits_of(label)] =
          index(fabric.port(c));
    }
  }
  return numbers;
}

std::vector<std::uint32_t> number_ports(std::string_view device,
                                        const std::vector<std::string>& names,
                                        const PortNumbers* like) {
  std::vector<std::string> plain;
  for (const std::string& name : names) plain.push_back(canonical_interface(name));
  std::vector<std::uint32_t> order(names.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](auto a, auto b) { return natural_less(plain[a], plain[b]); });
  if (like != nullptr) {
    if (const auto known = like->find(device_key(device)); known != like->end()) {
      std::vector<std::uint32_t> numbers(names.size());
      std::set<std::uint32_t> used, taken;
      for (const auto& [name, number] : known->second) used.insert(number);
      for (std::size_t i = 0; i < names.size(); ++i) {
        auto at = known->second.find(plain[i]);
        if (at == known->second.end()) at = known->second.find(digits_of(plain[i]));
        if (at != known->second.end() && taken.insert(at->second).second) numbers[i] = at->second;
      }
      std::uint32_t next = 0;
      for (const std::uint32_t i : order) {
        if (numbers[i] != 0) continue;
        do {
          ++next;
        } while (used.contains(next));
        numbers[i] = next;
      }
      return numbers;
    }
  }
  if (auto numbers = plain_numbers(plain)) return *numbers;
  std::vector<std::uint32_t> numbers(names.size());
  for (std::uint32_t k = 0; k < order.size(); ++k) numbers[order[k]] = k + 1;
  return numbers;
}

}  // namespace fatwood
