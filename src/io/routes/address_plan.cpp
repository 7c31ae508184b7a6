// SPDX-License-Identifier: BSD-3-Clause
#include "io/routes/address_plan.hpp"

#include <fmt/format.h>

#include <cctype>
#include <set>
#include <string_view>

#include "core/error.hpp"

namespace fatwood {

namespace {

constexpr std::uint32_t kHosts = 10U << 24U;
constexpr std::uint32_t kLoopbacks = kHosts + (255U << 16U);
constexpr std::uint32_t kMostWithHosts = 255 * 256;
constexpr std::uint32_t kMostSwitches = 256 * 256;

std::string file_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-';
    name += plain || (c == '.' && !name.empty()) ? c : '_';
  }
  return name;
}

}  // namespace

std::string address_text(std::uint32_t address) {
  return fmt::format("{}.{}.{}.{}", address >> 24U, address >> 16U & 255U, address >> 8U & 255U,
                     address & 255U);
}

AddressPlan::AddressPlan(const Fabric& fabric) : fabric_(fabric), hosts_(terminals_on(fabric)) {
  std::set<std::string> taken;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    if (index(s) >= (hosts_[s] > 0 ? kMostWithHosts : kMostSwitches)) {
      throw InputError(fmt::format("there are no addresses for {} switches: at most {} have some",
                                   fabric.num_switches(), kMostWithHosts));
    }
    std::string name = file_name(display_name(fabric, fabric.node(s)));
    if (name.empty() || taken.contains(name)) name += fmt::format("-{}", index(s));
    taken.insert(name);
    names_.push_back(std::move(name));
  }
}

std::uint32_t AddressPlan::loopback(Switch s) const { return kLoopbacks + index(s); }

std::optional<std::uint32_t> AddressPlan::prefix(Switch s) const {
  if (hosts_[s] == 0) return std::nullopt;
  return kHosts + index(s) * 256;
}

std::uint32_t AddressPlan::gateway(Switch s) const {
  std::uint32_t port = kMaxPorts;
  const auto has_host = [&](std::uint32_t p) {
    const Channel c = fabric_.find_channel(fabric_.node(s), p);
    return c != kNone<Channel> && fabric_.connected(c) && !fabric_.to_switch(c);
  };
  while (port > 1 && has_host(port)) --port;
  return *prefix(s) + port;
}

Prefixes planned_prefixes(const Fabric& fabric, const Routing& routing) {
  Prefixes prefixes;
  prefixes.of.resize(routing.tables.num_destinations());
  if (fabric.num_switches() >= kMostWithHosts) return prefixes;
  const AddressPlan plan(fabric);
  for (const Destination d : ids<Destination>(prefixes.of.size())) {
    const Switch home = home_of(fabric, routing.tables, d);
    if (home == kNone<Switch>) continue;
    prefixes.of[index(d)] = routing.tables.is_switch(d) ? address_text(plan.loopback(home)) + "/32"
                                                        : address_text(*plan.prefix(home)) + "/24";
  }
  std::set<std::string_view> different(prefixes.of.begin(), prefixes.of.end());
  different.erase("");
  prefixes.classes = different.size();
  return prefixes;
}

std::uint32_t AddressPlan::address(Terminal t) const {
  return *prefix(fabric_.leaf(t)) + index(fabric_.leaf_port(t));
}

}  // namespace fatwood
