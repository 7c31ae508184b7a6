// SPDX-License-Identifier: BSD-3-Clause
#include "plan/model/port_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/text/parse_number.hpp"
#include "plan/model/device_words.hpp"
#include "topology/fabric.hpp"
#include "topology/hosts/device_name.hpp"

namespace fatwood {

namespace {

// Takes a number off the front of `text`.
std::optional<std::uint32_t> take_digits(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  const auto number = parse_number<std::uint32_t>(text.substr(0, end));
  if (number) text.remove_prefix(end);
  return number;
}

bool take_word(std::string_view& text, std::string_view word) {
  if (!starts_with_word(text, word)) return false;
  text.remove_prefix(word.size());
  return true;
}

void take_blanks(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '_')) text.remove_prefix(1);
}

// "Blade 03_", "L03/" and what follows is a port.
std::string take_card(std::string_view& text) {
  std::string_view rest = text;
  const bool blade = take_word(rest, "blade");
  if (!blade && !take_word(rest, "L")) return "";
  take_blanks(rest);
  const auto card = take_digits(rest);
  if (!card || rest.empty() || (blade ? rest.front() != '_' : rest.front() != '/')) return "";
  rest.remove_prefix(1);
  text = rest;
  return fmt::format("L{:02}", *card);
}

// "sw5p2s1"
std::optional<PortText> nvos_text(std::string_view text) {
  PortText result{.style = PortText::Style::kCage, .card = {}, .numbers = {}};
  for (const std::string_view word : {"sw", "p", "s"}) {
    if (text.empty() && result.numbers.size() == 2) break;
    if (!take_word(text, word)) return std::nullopt;
    const auto number = take_digits(text);
    if (!number) return std::nullopt;
    result.numbers.push_back(*number);
  }
  if (!text.empty()) return std::nullopt;
  return result;
}

constexpr std::size_t kMostNumbers = 4;

struct Largest {
  std::uint32_t first_of_two = 0, second_of_two = 0;
  std::uint32_t first_of_three = 0, third_of_three = 0;
  std::uint32_t step = 0;

  void add(const PortText& text) {
    const std::vector<std::uint32_t>& n = text.numbers;
    if (text.style == PortText::Style::kFromZero) step = std::gcd(step, n.front());
    if (text.style != PortText::Style::kNumbers || !text.card.empty()) return;
    if (n.size() == 2) {
      first_of_two = std::max(first_of_two, n[0]);
      second_of_two = std::max(second_of_two, n[1]);
    }
    if (n.size() == 3) {
      first_of_three = std::max(first_of_three, n[0]);
      third_of_three = std::max(third_of_three, n[2]);
    }
  }
  bool counts_cages() const { return second_of_two <= 2 && first_of_two > 1; }
  bool counts_modules() const { return second_of_two > 2; }
};

Largest largest(std::span<const PortText> texts) {
  Largest result;
  for (const PortText& text : texts) result.add(text);
  return result;
}

bool is_adapter_word(std::string_view word) {
  const std::string described = fmt::format("x {}", word);
  return described_adapter(described).device.known();
}

// Without the host's name before it.
std::string_view without_host(std::string_view text, std::string_view host) {
  std::string_view rest = text;
  if (take_word(rest, host) && !rest.empty() && (rest.front() == ' ' || rest.front() == '_')) {
    take_blanks(rest);
    return rest;
  }
  return text;
}

// "mlx5_0/2", "mlx5_0/P2", "mlx5_0 port 2"
std::optional<ChipPort> adapter_and_port(std::string_view text) {
  const std::size_t cut = text.find_first_of("/ ");
  if (cut == std::string_view::npos) return std::nullopt;
  std::string_view rest = text.substr(cut + 1);
  if (!take_word(rest, "port")) take_word(rest, "p");
  take_blanks(rest);
  const auto port = parse_number<std::uint32_t>(rest);
  if (!port || *port == 0 || *port > kMaxPorts) return std::nullopt;
  std::string_view adapter = text.substr(0, cut);
  if (take_word(adapter, "U")) {
    const auto which = parse_number<std::uint32_t>(adapter);
    if (!which || *which == 0) return std::nullopt;
    return ChipPort{fmt::format("mlx5_{}", *which - 1), *port};
  }
  if (!is_adapter_word(adapter)) return std::nullopt;
  return ChipPort{std::string(adapter), *port};
}

}  // namespace

std::optional<PortText> parse_port_text(std::string_view text) {
  take_blanks(text);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (auto nvos = nvos_text(text)) return nvos;
  PortText result;
  result.card = take_card(text);
  take_blanks(text);
  if (starts_with_word(text, "ethernet")) result.style = PortText::Style::kFromZero;
  while (!text.empty() && (is_letter(text.front()) || text.front() == '-')) text.remove_prefix(1);
  take_blanks(text);
  while (true) {
    const auto number = take_digits(text);
    if (!number || result.numbers.size() == kMostNumbers) return std::nullopt;
    result.numbers.push_back(*number);
    if (text.empty()) return result;
    if (text.front() != '/' && text.front() != ':') return std::nullopt;
    text.remove_prefix(1);
    // "1/P20"
    while (!text.empty() && is_letter(text.front())) text.remove_prefix(1);
  }
}

PortNumbering::PortNumbering(std::span<const PortText> of_device,
                             std::span<const PortText> of_plan) {
  const Largest here = largest(of_device);
  const Largest all = largest(of_plan);
  cage_first_ = here.counts_cages() ||
                (!here.counts_modules() && !all.counts_modules() && all.counts_cages());
  if (cage_first_) ports_per_cage_ = 2;
  if (here.third_of_three > 0) ports_per_cage_ = std::max({2U, here.third_of_three});
  several_chips_ = here.first_of_three > 1;
  step_ = std::max(1U, all.step);
}

std::optional<ChipPort> PortNumbering::number(const PortText& text) const {
  const std::vector<std::uint32_t>& n = text.numbers;
  const auto in_cage = [](std::uint32_t f, std::uint32_t cage, std::uint32_t port) {
    return cage == 0 || port == 0 ? std::uint64_t{0} : std::uint64_t{f} * (cage - 1) + port;
  };
  std::string chip = text.card;
  std::uint64_t port = 0;
  if (!text.card.empty()) {
    if (n.size() > 1) chip += fmt::format("/U{}", n.front());
    port = n.back();
  } else if (text.style == PortText::Style::kFromZero) {
    port = n.front() / step_ + 1;
  } else if (text.style == PortText::Style::kCage) {
    port = n.size() == 2 ? in_cage(2, n[0], n[1])
                         : in_cage(2, static_cast<std::uint32_t>(in_cage(2, n[0], n[1])), n[2]);
  } else if (n.size() == 1) {
    port = in_cage(ports_per_cage_, n[0], 1);
  } else if (n.size() == 2) {
    port = cage_first_ ? in_cage(2, n[0], n[1]) : in_cage(ports_per_cage_, n[1], 1);
  } else if (n.size() == 3) {
    if (several_chips_) chip = fmt::format("U{}", n[0]);
    port = in_cage(ports_per_cage_, n[1], n[2]);
  } else {
    port = in_cage(2, static_cast<std::uint32_t>(in_cage(2, n[1], n[2])), n[3]);
  }
  if (port == 0 || port > kMaxPorts) return std::nullopt;
  return ChipPort{std::move(chip), static_cast<std::uint32_t>(port)};
}

std::string port_text(std::string_view chip, std::uint32_t port) {
  std::string_view rest = chip;
  if (!take_word(rest, "L")) return fmt::format("Port {}", port);
  const auto card = take_digits(rest);
  if (!card) return fmt::format("Port {}", port);
  if (take_word(rest, "/U")) return fmt::format("Blade {}_Port {}/{}", *card, rest, port);
  return fmt::format("Blade {}_Port {}", *card, port);
}

ChipPort host_port(std::string_view text, std::string_view host) {
  const std::string_view rest = without_host(text, host);
  if (auto both = adapter_and_port(rest)) return *both;
  if (is_adapter_word(rest)) return {std::string(rest), 1};
  std::string_view number = rest;
  if (!take_word(number, "port")) take_word(number, "p");
  take_blanks(number);
  if (const auto k = parse_number<std::uint32_t>(number); k && *k > 0 && *k <= kMaxPorts) {
    return {fmt::format("mlx5_{}", *k - 1), 1};
  }
  return {std::string(rest), 1};
}

bool is_adapter_text(std::string_view text, std::string_view host) {
  const std::string_view rest = without_host(text, host);
  return rest.size() != text.size() || is_adapter_word(rest) || adapter_and_port(rest).has_value();
}

}  // namespace fatwood
