// SPDX-License-Identifier: BSD-3-Clause
// Makes schedules from texts like "uniform:0.3": the table of all patterns.

#include <fmt/format.h>

#include <bit>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/text_file.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

namespace {

struct Request {
  std::string_view text;      // all of it
  std::string_view argument;  // after the colon
  const AdapterNames& names;
  std::uint64_t seed;

  std::size_t n() const { return names.count(); }
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(fmt::format("traffic {}: {}", text, message));
  }
  std::size_t number() const {
    const auto value = parse_number<std::size_t>(argument);
    if (!value) fail("expected a whole number after the colon");
    return *value;
  }
};

Schedule once(const Request& request, std::function<Traffic(std::size_t)> make) {
  return {std::string(request.text), 1, std::move(make)};
}

// A bit pattern: d = f(s, bits).
Schedule bits(const Request& request, std::size_t (*image)(std::size_t s, unsigned bits)) {
  const std::size_t n = request.n();
  if (!std::has_single_bit(n)) {
    request.fail(fmt::format("needs a power of two of hosts, not {}", n));
  }
  const auto width = static_cast<unsigned>(std::bit_width(n) - 1);
  std::vector<std::uint32_t> destination(n);
  for (std::size_t s = 0; s < n; ++s) destination[s] = static_cast<std::uint32_t>(image(s, width));
  return once(request, [=](std::size_t) { return permutation_traffic(destination); });
}

std::size_t reversed(std::size_t s, unsigned width) {
  std::size_t d = 0;
  for (unsigned bit = 0; bit < width; ++bit) d |= (s >> bit & 1) << (width - 1 - bit);
  return d;
}
std::size_t rotated(std::size_t s, unsigned by, unsigned width) {
  const std::size_t mask = (std::size_t{1} << width) - 1;
  return width == 0 ? s : (s << by | s >> (width - by)) & mask;
}

Schedule uniform(const Request& request) {
  const Fraction p = parse_fraction(request.argument);
  if (p < 0 || p > 1) request.fail("expected a probability from 0 to 1");
  return once(request, [n = request.n(), p, seed = request.seed](std::size_t) {
    return uniform_traffic(n, p.value(), seed);
  });
}

Schedule cluster(const Request& request) {
  const std::size_t group = request.number();
  if (group < 2) request.fail("a group needs at least 2 hosts");
  return once(request, [n = request.n(), group, seed = request.seed](std::size_t) {
    return clustered_traffic(n, group, seed);
  });
}

Schedule shift(const Request& request) {
  const std::size_t by = request.number();
  if (by % request.n() == 0) request.fail("a shift by 0: every host would send to itself");
  return once(request, [n = request.n(), by](std::size_t) { return shift_traffic(n, by); });
}

Schedule shifts(const Request& request) {
  return {std::string(request.text), request.n() - 1,
          [n = request.n()](std::size_t stage) { return shift_traffic(n, stage + 1); }};
}

Schedule everyone(const Request& request) {
  constexpr std::size_t kMost = 16384;
  if (request.n() > kMost) {
    request.fail(fmt::format("at most {} hosts ({} here): use shifts", kMost, request.n()));
  }
  return once(request, [n = request.n()](std::size_t) { return all_to_all(n); });
}

Schedule transpose(const Request& request) {
  if (std::bit_width(request.n()) % 2 == 0) request.fail("needs an even number of address bits");
  return bits(request, [](std::size_t s, unsigned width) { return rotated(s, width / 2, width); });
}

Schedule complement(const Request& request) {
  std::vector<std::uint32_t> destination(request.n());
  for (std::size_t s = 0; s < request.n(); ++s) {
    destination[s] = static_cast<std::uint32_t>(request.n() - 1 - s);
  }
  return once(request, [=](std::size_t) { return permutation_traffic(destination); });
}

Schedule from_file(const Request& request) {
  const std::string path(request.argument);
  std::ifstream in = open_text(path);
  return parse_traffic(in, path, request.names);
}

struct Row {
  Pattern pattern;
  Schedule (*make)(const Request&);
};

const Row kPatterns[] = {
    {{"permutation", "a random permutation; a host that draws itself sends nothing", true},
     [](const Request& request) {
       return once(request, [n = request.n(), seed = request.seed](std::size_t) {
         return random_permutation(n, seed);
       });
     }},
    {{"uniform:P", "each pair sends 1 with probability P", true}, uniform},
    {{"cluster:G", "random groups of G, all-to-all inside a group; the last may be smaller", true},
     cluster},
    {{"alltoall", "each pair sends 1, at once", false}, everyone},
    {{"shift:K", "host i sends to i+K", false}, shift},
    {{"shifts", "all N-1 shifts, one stage each", false}, shifts},
    {{"ring", "host i sends to i+1", false},
     [](const Request& request) {
       return once(request, [n = request.n()](std::size_t) { return shift_traffic(n, 1); });
     }},
    {{"doubling", "recursive doubling: partners at distance 1, 2, 4, ..; extra ranks fold", false},
     [](const Request& request) { return recursive_doubling(request.n()); }},
    {{"halving", "recursive halving: partners at distance .., 4, 2, 1; extra ranks fold", false},
     [](const Request& request) { return recursive_halving(request.n()); }},
    {{"complement", "host i sends to N-1-i (all bits inverted)", false}, complement},
    {{"reverse", "bits of the number reversed; N a power of two", false},
     [](const Request& request) { return bits(request, reversed); }},
    {{"transpose", "upper and lower half of the bits exchanged; N a power of four", false},
     transpose},
    {{"shuffle", "bits rotated left by one; N a power of two", false},
     [](const Request& request) {
       return bits(request, [](std::size_t s, unsigned width) { return rotated(s, 1, width); });
     }},
    {{"hotspot:T", "everyone sends 1 to host T", false},
     [](const Request& request) {
       return once(request, [n = request.n(), hot = request.names.find(request.argument)](
                                std::size_t) { return hotspot_traffic(n, hot); });
     }},
    {{"file:PATH", "lines \"source destination amount\"; a line \"stage\" starts another stage",
      false},
     from_file},
};

}  // namespace

std::span<const Pattern> patterns() {
  static const std::vector<Pattern> list = [] {
    std::vector<Pattern> all;
    for (const Row& row : kPatterns) all.push_back(row.pattern);
    return all;
  }();
  return list;
}

Schedule make_traffic(std::string_view text, const AdapterNames& names, std::uint64_t seed) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const bool has_argument = colon != std::string_view::npos;
  if (names.count() < 2) throw InputError("traffic needs at least two hosts");
  for (const Row& row : kPatterns) {
    const std::string_view usage = row.pattern.usage;
    if (usage.substr(0, usage.find(':')) != name) continue;
    if ((usage.find(':') != std::string_view::npos) != has_argument) {
      throw InputError(fmt::format("traffic {}: expected {}", text, usage));
    }
    Schedule schedule =
        row.make({text, has_argument ? text.substr(colon + 1) : std::string_view{}, names, seed});
    schedule.name = text;
    return schedule;
  }
  std::string known;
  for (const Row& row : kPatterns) known += fmt::format(" {}", row.pattern.usage);
  throw InputError(fmt::format("there is no traffic \"{}\"; the patterns are:{}", text, known));
}

}  // namespace fatwood
