// SPDX-License-Identifier: BSD-3-Clause
#include "io/routes/switch_routes.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "core/text/parse_number.hpp"

namespace fatwood {

namespace {

IpAddress masked(IpAddress address, unsigned bits) {
  const auto keep = [](unsigned n) { return n == 0 ? 0 : ~std::uint64_t{0} << (64 - n); };
  return {address.high & keep(std::min(bits, 64U)), bits <= 64 ? 0 : address.low & keep(bits - 64)};
}

// Addresses that no host has.
bool is_special(const Prefix& prefix) {
  static const std::vector<Prefix> kBlocks = [] {
    std::vector<Prefix> blocks;
    for (const std::string_view block :
         {"127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/3", "fe80::/10", "ff00::/8", "::1"}) {
      blocks.push_back(*parse_prefix(block));
    }
    return blocks;
  }();
  return std::ranges::any_of(kBlocks, [&](const Prefix& block) {
    return prefix.six == block.six && prefix.bits >= block.bits &&
           masked(prefix.first, block.bits) == block.first;
  });
}

bool is_loopback(std::string_view port) {
  return port == "lo" || port.starts_with("lo0") || port.starts_with("Loopback") ||
         port.starts_with("loopback");
}

// A packet may leave by any port of a bond, and by no management port.
void settle_hops(const SwitchRoutes& routes, std::vector<RouteHop>& hops) {
  std::erase_if(hops, [](const RouteHop& hop) { return is_management(hop.port); });
  const auto is_bond = [&](const RouteHop& hop) { return routes.bonds.contains(hop.port); };
  if (routes.bonds.empty() || std::ranges::none_of(hops, is_bond)) {
    std::ranges::sort(hops);
    return;
  }
  std::vector<RouteHop> ports;
  for (const RouteHop& hop : hops) {
    const auto bond = routes.bonds.find(hop.port);
    if (bond == routes.bonds.end()) {
      ports.push_back(hop);
      continue;
    }
    for (const std::string& port : bond->second) ports.push_back({port, hop.weight});
  }
  std::ranges::sort(ports);
  hops = std::move(ports);
}

std::vector<RouteHop> hops_of_object(const SwitchRoutes& routes, std::uint64_t object) {
  std::vector<RouteHop> hops;
  const auto take = [&](std::uint64_t id, std::uint32_t weight) {
    const auto found = routes.objects.find(id);
    if (found == routes.objects.end()) return false;
    for (RouteHop hop : found->second) {
      hop.weight = weight;
      hops.push_back(std::move(hop));
    }
    return true;
  };
  const auto group = routes.groups.find(object);
  bool known = group != routes.groups.end() || take(object, 1);
  if (group != routes.groups.end()) {
    for (const auto& [id, weight] : group->second) known = take(id, weight) && known;
  }
  if (!known) hops.assign(1, {.port = std::string(kMissingHop)});
  return hops;
}

// Whether the route counts; finds its hops.
bool settle_route(SwitchRoutes& routes, SwitchRoute& route) {
  if (is_special(route.prefix)) return false;
  if (!route.hops.empty()) route.object.reset();
  const bool by_port = !route.hops.empty() || route.object;
  if (!route.object) {
    settle_hops(routes, route.hops);
  } else if (!routes.settled.contains(*route.object)) {
    std::vector<RouteHop> hops = hops_of_object(routes, *route.object);
    settle_hops(routes, hops);
    routes.settled.emplace(*route.object, std::move(hops));
  }
  const std::vector<RouteHop>& hops = hops_of(routes, route);
  // A group of which no port is up has no hop, and its addresses are lost; one of management ports
  // does not count.
  if (by_port && hops.empty() &&
      (!route.object || !hops_of_object(routes, *route.object).empty())) {
    return false;
  }
  const bool loopback = !hops.empty() && is_loopback(hops.front().port);
  if (route.kind == RouteKind::kConnected && loopback) route.kind = RouteKind::kOwn;
  // The addresses of a switch on its other ports are not in the main table.
  return route.kind != RouteKind::kOwn || hops.empty() || loopback;
}

}  // namespace

std::optional<Prefix> parse_prefix(std::string_view text) {
  if (text == "default") return Prefix{};
  const std::size_t slash = text.find('/');
  const std::string address(text.substr(0, slash));
  Prefix prefix;
  std::array<std::uint8_t, 16> bytes{};
  if (inet_pton(AF_INET, address.c_str(), bytes.data()) == 1) {
    prefix.bits = 32;
  } else if (inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1) {
    prefix.six = true;
    prefix.bits = 128;
  } else {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < 8; ++i) {
    prefix.first.high = prefix.first.high << 8U | bytes[i];
    prefix.first.low = prefix.first.low << 8U | bytes[i + 8];
  }
  if (slash != std::string_view::npos) {
    const auto bits = parse_number<std::uint64_t>(text.substr(slash + 1));
    if (!bits || *bits > prefix.bits) return std::nullopt;
    prefix.bits = static_cast<unsigned>(*bits);
  }
  prefix.first = masked(prefix.first, prefix.bits);
  return prefix;
}

std::string to_string(const Prefix& prefix) {
  std::array<std::uint8_t, 16> bytes{};
  for (std::size_t i = 0; i < 8; ++i) {
    bytes[i] = static_cast<std::uint8_t>(prefix.first.high >> (56 - 8 * i));
    bytes[i + 8] = static_cast<std::uint8_t>(prefix.first.low >> (56 - 8 * i));
  }
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(prefix.six ? AF_INET6 : AF_INET, bytes.data(), text.data(), text.size());
  return fmt::format("{}/{}", text.data(), prefix.bits);
}

IpAddress last_address(const Prefix& prefix) {
  const unsigned bits = prefix.bits;
  const auto rest = [](unsigned n) { return n >= 64 ? 0 : ~std::uint64_t{0} >> n; };
  IpAddress last = prefix.first;
  last.high |= rest(std::min(bits, 64U));
  if (!prefix.six) {
    last.high &= ~std::uint64_t{0} << 32U;  // IPv4 uses the first 32 bits
  } else {
    last.low |= bits <= 64 ? ~std::uint64_t{0} : rest(bits - 64);
  }
  return last;
}

bool is_management(std::string_view port) {
  constexpr std::string_view kNames[] = {"eth0", "mgmt", "mgmt0", "em0", "fxp0", "ma1", "docker0"};
  return std::ranges::find(kNames, port) != std::end(kNames) || port.starts_with("Management") ||
         port.starts_with("em0.") || port.starts_with("fxp0.");
}

const std::vector<RouteHop>& hops_of(const SwitchRoutes& routes, const SwitchRoute& route) {
  return route.object ? routes.settled.at(*route.object) : route.hops;
}

void settle_routes(SwitchRoutes& routes) {
  std::erase_if(routes.routes, [&](SwitchRoute& route) { return !settle_route(routes, route); });
  // The best first: an address of the switch itself, then the lowest metric.
  const auto rank = [](const SwitchRoute& route) {
    return std::tuple(route.prefix, route.kind != RouteKind::kOwn, route.metric);
  };
  std::ranges::stable_sort(routes.routes, {}, rank);
  const auto rest = std::ranges::unique(routes.routes, {}, &SwitchRoute::prefix);
  routes.routes.erase(rest.begin(), rest.end());
}

}  // namespace fatwood
