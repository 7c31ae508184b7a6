// SPDX-License-Identifier: BSD-3-Clause
#include "sim/workload/sizes.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"

namespace fatwood::sim {

namespace {

double parse_load(std::string_view text) {
  const auto value = parse_number<double>(text);
  if (!value) throw InputError(fmt::format("load: expected a number, not \"{}\"", text));
  return *value;
}

void check_load(double load) {
  if (!(load > 0 && load <= 1)) {
    throw InputError(fmt::format("load {}: expected more than 0 and at most 1", load));
  }
}

}  // namespace

std::vector<std::uint64_t> parse_byte_range(std::string_view text) {
  std::vector<std::uint64_t> sizes;
  const auto ends = split_at(text, ':');
  if (ends.size() == 2) {
    const std::uint64_t last = parse_bytes(ends[1]);
    for (std::uint64_t size = parse_bytes(ends[0]); size <= last; size *= 2) sizes.push_back(size);
    if (sizes.empty()) throw InputError(fmt::format("sizes {}: the first is the larger", text));
    return sizes;
  }
  for (const std::string_view part : split_at(text, ',')) sizes.push_back(parse_bytes(part));
  return sizes;
}

std::vector<double> parse_loads(std::string_view text) {
  std::vector<double> loads;
  const auto range = split_at(text, ':');
  if (range.size() == 3) {
    const double first = parse_load(range[0]);
    const double last = parse_load(range[1]);
    const double step = parse_load(range[2]);
    check_load(first);
    check_load(last);
    if (!(step > 0) || last < first) {
      throw InputError(fmt::format("loads {}: expected FIRST:LAST:STEP, ascending", text));
    }
    const auto count = static_cast<std::size_t>((last - first) / step + 1e-9) + 1;
    if (count > 10000)
      throw InputError(fmt::format("loads {}: {} points are too many", text, count));
    // Rounded to what was typed: 0.1 + 2 * 0.05 is to be 0.2.
    for (std::size_t i = 0; i < count; ++i) {
      loads.push_back(std::stod(fmt::format("{:.9g}", first + static_cast<double>(i) * step)));
    }
    return loads;
  }
  if (range.size() == 2) {
    throw InputError(fmt::format("loads {}: expected FIRST:LAST:STEP", text));
  }
  for (const std::string_view part : split_at(text, ',')) {
    loads.push_back(parse_load(part));
    check_load(loads.back());
  }
  return loads;
}

}  // namespace fatwood::sim
