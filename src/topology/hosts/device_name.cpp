// SPDX-License-Identifier: BSD-3-Clause
#include "topology/hosts/device_name.hpp"

#include <algorithm>
#include <array>

#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"

namespace fatwood {
namespace {

constexpr std::string_view kBlanks = " \t";

// The numbers in "p139s0f1": 139, 0, 1. Numbers of more than nine digits end the search.
std::vector<std::uint32_t> numbers_in(std::string_view text) {
  std::vector<std::uint32_t> numbers;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_digit(text[at])) {
      ++at;
      continue;
    }
    std::uint32_t value = 0;
    const std::size_t begin = at;
    for (; at < text.size() && is_digit(text[at]); ++at) {
      if (at - begin == 9) return numbers;
      value = value * 10 + static_cast<std::uint32_t>(text[at] - '0');
    }
    numbers.push_back(value);
  }
  return numbers;
}

bool word_of_a_device(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  });
}

// Drivers whose devices are DRIVER<generation>_N or DRIVERN, counted from 0.
constexpr std::array<std::string_view, 8> kCounted = {"mlx",     "hfi",   "qib",  "mthca",
                                                      "bnxt_re", "irdma", "cxgb", "ocrdma"};
// Names by place on the bus.
constexpr std::array<std::string_view, 9> kPlaced = {"ib",  "roce", "rdma", "opa", "ens",
                                                     "enp", "eno",  "eth",  "rail"};

Device as_device(std::string_view word) {
  if (!word_of_a_device(word)) return {};
  const std::vector<std::uint32_t> numbers = numbers_in(word);
  if (numbers.empty()) return {};
  if (word.starts_with("HCA-") && numbers.size() == 1 && numbers[0] > 0) {
    return {"#", {numbers[0] - 1}};
  }
  for (const std::string_view driver : kCounted) {
    if (word.starts_with(driver)) return {"#", {numbers.back()}};
  }
  for (const std::string_view prefix : kPlaced) {
    if (!word.starts_with(prefix)) continue;
    const auto letters = std::find_if(word.begin(), word.end(), is_digit);
    return {std::string(word.begin(), letters), numbers};
  }
  return {};
}

// Names that installers leave behind.
constexpr std::array<std::string_view, 12> kStock = {"localhost", "localhost.localdomain",
                                                     "ubuntu",    "debian",
                                                     "rocky",     "centos",
                                                     "linux",     "(none)",
                                                     "none",      "unknown",
                                                     "mlnx",      "node"};

}  // namespace

DescribedAdapter described_adapter(std::string_view description) {
  const std::string_view text = trimmed(description, kBlanks);
  const std::size_t last_blank = text.find_last_of(kBlanks);
  DescribedAdapter found;
  if (last_blank == std::string_view::npos) {
    found.host = text;
  } else {
    found.device_text = text.substr(last_blank + 1);
    found.device = as_device(found.device_text);
    if (!found.device.known()) return {};
    found.host = trimmed(text.substr(0, last_blank), kBlanks);
    if (found.host.find_first_of(kBlanks) != std::string_view::npos) return {};
  }
  found.stock = std::ranges::find(kStock, found.host) != kStock.end();
  return found;
}

}  // namespace fatwood
