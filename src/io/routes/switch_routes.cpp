// SPDX-License-Identifier: BSD-3-Clause
#include "io/routes/switch_routes.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/text/parse_number.hpp"

namespace fatwood {

namespace {

IpAddress masked(IpAddress address, unsigned bits) {
  const auto keep = [](unsigned n) { return n == 0 ? 0 : ~std::uint64_t{0} << (64 - n); };
  return {address.high & keep(std::min(bits, 64U)), bits <= 64 ? 0 : address.low & keep(bits - 64)};
}

// Addresses that no host has.
bool is_special(const Prefix& prefix) {
  const auto within = [&](std::string_view block) {
    const Prefix other = *parse_prefix(block);
    return prefix.six == other.six && prefix.bits >= other.bits &&
           masked(prefix.first, other.bits) == other.first;
  };
  return within("127.0.0.0/8") || within("169.254.0.0/16") || within("224.0.0.0/3") ||
         within("fe80::/10") || within("ff00::/8") || within("::1");
}

bool is_loopback(std::string_view port) {
  return port == "lo" || port.starts_with("lo0") || port.starts_with("Loopback") ||
         port.starts_with("loopback");
}

void resolve_objects(SwitchRoutes& routes) {
  for (SwitchRoute& route : routes.routes) {
    if (!route.object || !route.hops.empty()) continue;
    const auto take = [&](std::uint64_t id, std::uint32_t weight) {
      const auto found = routes.objects.find(id);
      if (found == routes.objects.end()) return false;
      for (RouteHop hop : found->second) {
        hop.weight = weight;
        route.hops.push_back(std::move(hop));
      }
      return true;
    };
    const auto group = routes.groups.find(*route.object);
    bool known = group != routes.groups.end() || take(*route.object, 1);
    if (group != routes.groups.end()) {
      for (const auto& [id, weight] : group->second) known = take(id, weight) && known;
    }
    if (!known) route.hops.assign(1, {.port = std::string(kMissingHop)});
  }
}

// A packet may leave by any port of a bond.
void resolve_bonds(SwitchRoutes& routes) {
  if (routes.bonds.empty()) return;
  for (SwitchRoute& route : routes.routes) {
    std::vector<RouteHop> hops;
    for (const RouteHop& hop : route.hops) {
      const auto bond = routes.bonds.find(hop.port);
      if (bond == routes.bonds.end()) {
        hops.push_back(hop);
        continue;
      }
      for (const std::string& port : bond->second) hops.push_back({port, hop.weight});
    }
    route.hops = std::move(hops);
  }
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

void settle_routes(SwitchRoutes& routes) {
  resolve_objects(routes);
  resolve_bonds(routes);
  std::map<Prefix, SwitchRoute> best;
  for (SwitchRoute& route : routes.routes) {
    if (is_special(route.prefix)) continue;
    const bool by_port = !route.hops.empty();
    std::erase_if(route.hops, [](const RouteHop& hop) { return is_management(hop.port); });
    if (by_port && route.hops.empty()) continue;
    if (route.kind == RouteKind::kConnected && by_port && is_loopback(route.hops.front().port)) {
      route.kind = RouteKind::kOwn;
    }
    // The addresses of a switch on its other ports are not in the main table.
    if (route.kind == RouteKind::kOwn && by_port && !is_loopback(route.hops.front().port)) continue;
    const auto [at, added] = best.try_emplace(route.prefix, route);
    const bool own = route.kind == RouteKind::kOwn;
    const bool was_own = at->second.kind == RouteKind::kOwn;
    if (!added && (own > was_own || (own == was_own && route.metric < at->second.metric))) {
      at->second = route;
    }
  }
  routes.routes.clear();
  for (auto& [prefix, route] : best) {
    std::ranges::sort(route.hops);
    routes.routes.push_back(std::move(route));
  }
}

}  // namespace fatwood
