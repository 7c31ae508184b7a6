// SPDX-License-Identifier: BSD-3-Clause
// Routes as JSON: of iproute2, FRR, SONiC, EOS and Junos, told apart by their keys.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"
#include "io/base/json_bytes.hpp"
#include "io/routes/switch_routes.hpp"

namespace fatwood {

namespace {

using Json = nlohmann::json;

// Members of any type, or of another type than expected, count as missing.
const Json& member(const Json& object, const char* key) {
  static const Json kNothing;
  if (!object.is_object()) return kNothing;
  const auto found = object.find(key);
  return found == object.end() ? kNothing : *found;
}
std::string text_of(const Json& object, const char* key) {
  const Json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}
// Also of a text; `none` if there is no such number.
template <class Number>
Number number_of(const Json& object, const char* key, Number none) {
  const Json& value = member(object, key);
  if (value.is_number_unsigned()) return static_cast<Number>(value.get<std::uint64_t>());
  if (!value.is_string()) return none;
  return parse_number<Number>(value.get<std::string>()).value_or(none);
}
bool is_true(const Json& object, const char* key) {
  const Json& value = member(object, key);
  return value.is_boolean() && value.get<bool>();
}
const Json& list_of(const Json& object, const char* key) {
  static const Json kEmpty = Json::array();
  const Json& value = member(object, key);
  return value.is_array() ? value : kEmpty;
}
bool has_flag(const Json& object, std::string_view flag) {
  const Json& flags = list_of(object, "flags");
  return std::ranges::any_of(flags, [&](const Json& one) { return one == flag; });
}

// --- iproute2: [{"dst": "10.1.0.0/24", "nhid": 9, "nexthops": [{"dev": "swp1", ...}]}]

std::optional<RouteHop> linux_hop(const Json& hop) {
  const std::string port = text_of(hop, "dev");
  if (port.empty() || has_flag(hop, "dead") || has_flag(hop, "linkdown")) return std::nullopt;
  return RouteHop{port, number_of<std::uint32_t>(hop, "weight", 1)};
}

void read_linux_object(const Json& one, SwitchRoutes& routes) {
  const auto id = number_of<std::uint64_t>(one, "id", 0);
  const Json& group = list_of(one, "group");
  for (const Json& part : group) {
    routes.groups[id].emplace_back(number_of<std::uint64_t>(part, "id", 0),
                                   number_of<std::uint32_t>(part, "weight", 1));
  }
  if (!group.empty()) return;
  const std::optional<RouteHop> hop = linux_hop(one);
  routes.objects[id] = hop ? std::vector{*hop} : std::vector<RouteHop>{};
}

void read_linux_route(const Json& one, SwitchRoutes& routes) {
  std::optional<Prefix> prefix = parse_prefix(text_of(one, "dst"));
  const std::string type = text_of(one, "type"), table = text_of(one, "table");
  if (!prefix || type == "broadcast" || type == "multicast" || type == "anycast") return;
  if (!table.empty() && table != "main" && table != "local" && table != "254") return;
  const std::string gateway = text_of(one, "gateway");
  if (prefix->bits == 0 && gateway.find(':') != std::string::npos) prefix->six = true;
  SwitchRoute route{.prefix = *prefix, .metric = number_of<std::uint32_t>(one, "metric", 0)};
  const auto id = number_of<std::uint64_t>(one, "nhid", 0);
  if (id != 0) route.object = id;
  const Json& hops = list_of(one, "nexthops");
  for (const Json& part : hops) {
    if (const auto hop = linux_hop(part)) route.hops.push_back(*hop);
  }
  const bool on_port = hops.empty() && member(one, "dev").is_string();
  if (on_port) {
    const std::optional<RouteHop> hop = linux_hop(one);
    if (!hop) return;
    route.hops.push_back(*hop);
  }
  if (type == "local") {
    route.kind = RouteKind::kOwn;
  } else if (!type.empty() && type != "unicast") {
    route.kind = RouteKind::kNowhere;
  } else if (on_port && gateway.empty() && member(one, "via").is_null() && !route.object) {
    route.kind = RouteKind::kConnected;
  }
  routes.routes.push_back(std::move(route));
}

bool read_linux(const Json& all, SwitchRoutes& routes) {
  bool any = all.empty();
  for (const Json& one : all) {
    if (member(one, "dst").is_string()) {
      read_linux_route(one, routes);
      any = true;
    } else if (member(one, "id").is_number()) {
      read_linux_object(one, routes);
      any = true;
    }
  }
  return any;
}

// --- FRR: {"10.1.0.0/24": [{"selected": true, "nexthops": [{"fib": true, ...}]}]}

void read_frr_route(const Prefix& prefix, const Json& entry, SwitchRoutes& routes) {
  if (!is_true(entry, "selected")) return;
  SwitchRoute route{.prefix = prefix};
  for (const Json& hop : list_of(entry, "nexthops")) {
    if (is_true(hop, "blackhole") || is_true(hop, "unreachable")) route.kind = RouteKind::kNowhere;
    const std::string port = text_of(hop, "interfaceName");
    if (port.empty() || !is_true(hop, "fib")) continue;
    route.hops.push_back({port, number_of<std::uint32_t>(hop, "weight", 1)});
  }
  const std::string protocol = text_of(entry, "protocol");
  if (protocol == "connected" && !route.hops.empty()) route.kind = RouteKind::kConnected;
  if (protocol == "local") {
    if (route.hops.empty()) return;
    route.kind = RouteKind::kOwn;
  }
  if (!route.hops.empty() || route.kind == RouteKind::kNowhere) {
    routes.routes.push_back(std::move(route));
  }
}

bool read_frr(const Json& all, SwitchRoutes& routes) {
  bool any = false;
  for (const auto& [key, entries] : all.items()) {
    const std::optional<Prefix> prefix = parse_prefix(key);
    if (!prefix || !entries.is_array()) continue;
    any = true;
    for (const Json& entry : entries) read_frr_route(*prefix, entry, routes);
  }
  return any;
}

// --- SONiC's APPL_DB: {"ROUTE_TABLE:10.1.0.0/24": {"nexthop": "...", "ifname": "Ethernet0,..."}}

std::vector<RouteHop> sonic_hops(const Json& fields) {
  std::vector<RouteHop> hops;
  std::string ports = text_of(fields, "ifname");
  if (ports.empty()) ports = text_of(fields, "intf");
  const std::string weights = text_of(fields, "weight");
  const std::vector<std::string_view> weight = split_at(weights, ',');
  for (const std::string_view port : split_at(ports, ',')) {
    if (port.empty()) continue;
    const std::size_t i = hops.size();
    const auto number =
        i < weight.size() ? parse_number<std::uint32_t>(weight[i]) : std::optional<std::uint32_t>{};
    hops.push_back({std::string(port), number.value_or(1)});
  }
  return hops;
}

// A dump of Redis has the fields in "value".
const Json& sonic_fields(const Json& entry) {
  const Json& value = member(entry, "value");
  return value.is_object() ? value : entry;
}

bool read_sonic(const Json& all, SwitchRoutes& routes) {
  constexpr std::string_view kTable = "ROUTE_TABLE:";
  constexpr std::string_view kBond = "LAG_MEMBER_TABLE:";
  bool any = false;
  for (const auto& [key, entry] : all.items()) {
    if (key.starts_with(kBond)) {
      const std::vector<std::string_view> names = split_at(key, ':');
      if (names.size() == 3) routes.bonds[std::string(names[1])].emplace_back(names[2]);
    }
    if (!key.starts_with(kTable)) continue;
    any = true;
    const std::optional<Prefix> prefix = parse_prefix(std::string_view(key).substr(kTable.size()));
    if (!prefix) continue;  // of a VRF
    const Json& fields = sonic_fields(entry);
    SwitchRoute route{.prefix = *prefix, .hops = sonic_hops(fields)};
    const std::string group = text_of(fields, "nexthop_group");
    const std::string gateways = text_of(fields, "nexthop");
    if (!group.empty()) {
      const Json& members = sonic_fields(member(all, ("NEXTHOP_GROUP_TABLE:" + group).c_str()));
      route.hops = sonic_hops(members);
      if (route.hops.empty()) route.hops.push_back({.port = std::string(kMissingHop)});
    } else if (text_of(fields, "blackhole") == "true") {
      route.kind = RouteKind::kNowhere;
    } else if (std::ranges::all_of(split_at(gateways, ','), [](std::string_view gateway) {
                 return gateway.empty() || gateway == "0.0.0.0" || gateway == "::";
               })) {
      // Also next hops without an address (unnumbered): the cable tells.
      route.kind = RouteKind::kConnected;
    }
    if (!route.hops.empty() || route.kind == RouteKind::kNowhere) {
      routes.routes.push_back(std::move(route));
    }
  }
  return any;
}

// --- EOS: {"vrfs": {"default": {"routes": {"10.1.0.0/24": {"vias": [{"interface": "..."}]}}}}}

bool read_eos(const Json& all, SwitchRoutes& routes) {
  const Json& vrfs = member(all, "vrfs");
  if (!vrfs.is_object()) return false;
  const Json& found = member(member(vrfs, "default"), "routes");
  if (!found.is_object()) return true;
  for (const auto& [key, entry] : found.items()) {
    const std::optional<Prefix> prefix = parse_prefix(key);
    if (!prefix) continue;
    SwitchRoute route{.prefix = *prefix};
    if (text_of(entry, "routeType") == "connected") route.kind = RouteKind::kConnected;
    if (text_of(entry, "routeAction") == "drop") route.kind = RouteKind::kNowhere;
    for (const Json& via : list_of(entry, "vias")) {
      const std::string port = text_of(via, "interface");
      const bool overlay = !member(via, "vtepAddr").is_null();
      if (overlay || !port.empty())
        route.hops.push_back({overlay ? std::string(kMissingHop) : port});
    }
    if (route.kind == RouteKind::kConnected && route.hops.empty()) continue;
    routes.routes.push_back(std::move(route));
  }
  return true;
}

// --- Junos: every value is a list of one {"data": ...}

std::string junos_text(const Json& object, const char* key) {
  const Json& values = list_of(object, key);
  return values.empty() ? std::string() : text_of(values.front(), "data");
}

void read_junos_route(const Json& one, SwitchRoutes& routes) {
  const std::optional<Prefix> prefix = parse_prefix(junos_text(one, "rt-destination"));
  if (!prefix) return;
  for (const Json& entry : list_of(one, "rt-entry")) {
    if (junos_text(entry, "active-tag") != "*") continue;
    SwitchRoute route{.prefix = *prefix};
    for (const Json& hop : list_of(entry, "nh")) {
      std::string port = junos_text(hop, "via");
      if (port.empty()) port = junos_text(hop, "nh-local-interface");
      if (!port.empty()) route.hops.push_back({port});
    }
    const std::string protocol = junos_text(entry, "protocol-name");
    if (protocol == "Local") continue;
    if (protocol == "Direct") route.kind = RouteKind::kConnected;
    if (route.hops.empty()) route.kind = RouteKind::kNowhere;
    routes.routes.push_back(std::move(route));
  }
}

bool read_junos(const Json& all, SwitchRoutes& routes) {
  const Json& found = list_of(all, "route-information");
  if (found.empty()) return false;
  for (const Json& information : found) {
    for (const Json& table : list_of(information, "route-table")) {
      const std::string name = junos_text(table, "table-name");
      if (name != "inet.0" && name != "inet6.0") continue;
      for (const Json& one : list_of(table, "rt")) read_junos_route(one, routes);
    }
  }
  return true;
}

}  // namespace

bool read_json_routes(Input& input, SwitchRoutes& routes) {
  JsonBytes bytes(input);
  Json all;
  try {
    all = Json::parse(JsonIterator(&bytes), JsonIterator(nullptr));
  } catch (const Json::exception&) {
    throw InputError(bytes.where(), "this is no JSON, or it is cut short");
  }
  if (all.is_array()) return read_linux(all, routes);
  if (!all.is_object()) return false;
  return read_eos(all, routes) || read_junos(all, routes) || read_sonic(all, routes) ||
         read_frr(all, routes);
}

}  // namespace fatwood
