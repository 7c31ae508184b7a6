// SPDX-License-Identifier: BSD-3-Clause
// Routes as text: `ip route`, `ip nexthop` and `show ip route`. Lines that are no routes are
// skipped: prompts, legends, comments.

#include <fmt/format.h>

#include <algorithm>

#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"
#include "io/base/records.hpp"
#include "io/routes/switch_routes.hpp"

namespace fatwood {

namespace {

using Texts = std::vector<std::string_view>;

Texts texts_of(std::string_view line) {
  Texts texts;
  for (const std::string_view text : split_at(line, ' ')) {
    if (!trimmed(text).empty()) texts.push_back(trimmed(text));
  }
  return texts;
}

// The word after `key`; "" if there is none.
std::string_view after(const Texts& texts, std::string_view key) {
  const auto at = std::ranges::find(texts, key);
  return at == texts.end() || at + 1 == texts.end() ? std::string_view{} : at[1];
}

bool has_word(const Texts& texts, std::string_view word) {
  return std::ranges::find(texts, word) != texts.end();
}

bool is_down(const Texts& texts) {
  return has_word(texts, "dead") || has_word(texts, "linkdown") || has_word(texts, "down");
}

std::optional<RouteHop> hop_of(const Texts& texts) {
  const std::string_view port = after(texts, "dev");
  if (port.empty() || is_down(texts)) return std::nullopt;
  const auto weight = parse_number<std::uint32_t>(after(texts, "weight"));
  return RouteHop{std::string(port), weight.value_or(1)};
}

// "local 10.0.0.1 dev lo table local ...", "10.1.0.0/24 via 169.254.0.1 dev swp1 ...".
class LinuxRoutes {
 public:
  explicit LinuxRoutes(SwitchRoutes& routes) : routes_(routes) {}

  // Whether the line is a route, or a part of one.
  bool read(std::string_view line) {
    const Texts texts = texts_of(line);
    if (texts.empty()) return false;
    if (texts.front() == "nexthop") {
      const std::optional<RouteHop> hop = hop_of(texts);
      if (hop && open_) routes_.routes.back().hops.push_back(*hop);
      return true;
    }
    if (texts.front() == "id") return read_object(texts);
    return read_route(texts);
  }

 private:
  // "id 7 via fe80::1 dev swp1 scope link", "id 9 group 7/8,2"
  bool read_object(const Texts& texts) {
    const auto id = parse_number<std::uint64_t>(after(texts, "id"));
    if (!id) return false;
    const std::string_view group = after(texts, "group");
    if (group.empty()) {
      const std::optional<RouteHop> hop = hop_of(texts);
      routes_.objects[*id] = hop ? std::vector{*hop} : std::vector<RouteHop>{};
      return true;
    }
    for (const std::string_view member : split_at(group, '/')) {
      const std::vector<std::string_view> parts = split_at(member, ',');
      const auto number = parse_number<std::uint64_t>(parts.front());
      const auto weight = parts.size() > 1 ? parse_number<std::uint32_t>(parts[1]) : 1U;
      if (number) routes_.groups[*id].emplace_back(*number, weight.value_or(1));
    }
    return true;
  }

  bool read_route(const Texts& texts) {
    constexpr std::string_view kTypes[] = {"unicast",     "local",    "broadcast",
                                           "multicast",   "anycast",  "throw",
                                           "unreachable", "prohibit", "blackhole"};
    const bool typed = std::ranges::find(kTypes, texts.front()) != std::end(kTypes);
    const std::string_view type = typed ? texts.front() : "unicast";
    if (texts.size() < (typed ? 2U : 1U)) return false;
    const std::optional<Prefix> prefix = parse_prefix(texts[typed ? 1 : 0]);
    if (!prefix) return false;
    if (!has_word(texts, "dev") && !has_word(texts, "proto") && !has_word(texts, "via") &&
        !has_word(texts, "nhid") && type == "unicast") {
      return false;
    }
    const std::string_view table = after(texts, "table");
    open_ = (table.empty() || table == "main" || table == "254" || type == "local") &&
            (table != "mgmt") && type != "broadcast" && type != "multicast" && type != "anycast";
    if (!open_) return true;
    SwitchRoute route{.prefix = *prefix};
    // "default" is of the family of its gateway.
    route.prefix.six = prefix->six || (prefix->bits == 0 && six_gateway(texts));
    if (type == "local") {
      route.kind = RouteKind::kOwn;
    } else if (type != "unicast") {
      route.kind = RouteKind::kNowhere;
    } else if (has_word(texts, "dev") && !has_word(texts, "via") && !has_word(texts, "nhid")) {
      route.kind = RouteKind::kConnected;
    }
    route.metric = parse_number<std::uint32_t>(after(texts, "metric")).value_or(0);
    if (const auto id = parse_number<std::uint64_t>(after(texts, "nhid"))) route.object = *id;
    if (const std::optional<RouteHop> hop = hop_of(texts)) {
      route.hops.push_back(*hop);
    } else if (has_word(texts, "dev") && type == "unicast") {
      open_ = false;  // its port is down
      return true;
    }
    routes_.routes.push_back(std::move(route));
    return true;
  }

  static bool six_gateway(const Texts& texts) {
    const std::string_view via = after(texts, "via");
    return via.find(':') != std::string_view::npos || after(texts, "pref") != "";
  }

  SwitchRoutes& routes_;
  bool open_ = false;  // the last route counts
};

// "B>* 10.1.0.0/24 [20/0] via 10.0.0.1, Ethernet0, 01:53:52", continued by lines "  *  via ...".
class ShownRoutes {
 public:
  explicit ShownRoutes(SwitchRoutes& routes) : routes_(routes) {}

  bool read(std::string_view line) {
    const std::size_t slash = line.find('/');
    const std::size_t via = line.find(" via ");
    const std::size_t direct = line.find(" is directly connected");
    const std::size_t refused = line.find(" unreachable");
    if (refused != std::string_view::npos && via == std::string_view::npos) {
      if (!start(line.substr(0, refused))) return false;
      if (selected_) routes_.routes.back().kind = RouteKind::kNowhere;
      return true;
    }
    if (via == std::string_view::npos && direct == std::string_view::npos) return false;
    const std::size_t hop_at = std::min(via, direct);
    const std::string_view head = line.substr(0, hop_at);
    if (slash < hop_at && !start(head)) return false;
    if (!selected_ || head.find('*') == std::string_view::npos) return true;
    Texts parts = split_at(line.substr(hop_at), ',');
    for (std::string_view& part : parts) part = trimmed(part);
    const bool inactive = std::ranges::any_of(
        parts, [](std::string_view part) { return part.ends_with("inactive"); });
    if (inactive || parts.size() < 2 || parts[1].empty()) return true;
    SwitchRoute& route = routes_.routes.back();
    if (direct != std::string_view::npos) route.kind = RouteKind::kConnected;
    RouteHop hop{std::string(texts_of(parts[1]).front())};
    for (const std::string_view part : parts) {
      if (part.starts_with("weight ")) {
        hop.weight = parse_number<std::uint32_t>(part.substr(7)).value_or(1);
      }
    }
    route.hops.push_back(std::move(hop));
    return true;
  }

 private:
  bool start(std::string_view head) {
    const Texts texts = texts_of(head);
    const auto at = std::ranges::find_if(texts, [](std::string_view text) {
      return text.find('/') != std::string_view::npos && text.front() != '[';
    });
    if (at == texts.end()) return false;
    const std::optional<Prefix> prefix = parse_prefix(*at);
    if (!prefix) return false;
    selected_ = head.find('>') != std::string_view::npos;
    if (selected_) routes_.routes.push_back({.prefix = *prefix});
    return true;
  }

  SwitchRoutes& routes_;
  bool selected_ = false;
};

bool is_shown(std::string_view head) {
  return any_line(head,
                  [](std::string_view line) {
                    return line.size() > 3 && line.find("> ") < 4 &&
                           line.find('/') != std::string_view::npos;
                  }) ||
         any_line(head, [](std::string_view line) {
           return line.size() > 3 && line.find(">*") < 4 &&
                  line.find('/') != std::string_view::npos;
         });
}

bool is_linux(std::string_view head) {
  return any_line(head, [](std::string_view line) {
    SwitchRoutes none;
    return LinuxRoutes(none).read(line);
  });
}

bool is_json(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (head[first] == '{' || head[first] == '[');
}

// Text before the first route is a legend, or what was typed.
template <class Reader>
void read_lines(Input& input, Reader reader, Warnings& warnings) {
  bool any = false;
  while (const auto line = input.next_line()) {
    if (reader.read(*line)) {
      any = true;
    } else if (any && !trimmed(*line).empty()) {
      warnings.count("a line that is no route is skipped", input.line_number());
    }
  }
}

}  // namespace

bool looks_like_routes(std::string_view head) {
  if (!is_json(head)) return is_shown(head) || is_linux(head);
  constexpr std::string_view kKeys[] = {
      "\"dst\"",     "\"nexthops\"",    "ROUTE_TABLE:",          "\"vrfs\"",
      "\"gateway\"", "\"rt-entry\"",    "\"route-information\"", "\"nexthopGroupId\"",
      "\"nhid\"",    "\"destSelected\""};
  const auto has = [&](std::string_view key) { return head.find(key) != std::string_view::npos; };
  return std::ranges::any_of(kKeys, has) || (has("\"id\"") && has("\"group\""));
}

bool read_switch_routes(Input& input, SwitchRoutes& routes, Warnings& warnings) {
  const std::string_view head = input.peek();
  if (is_json(head)) return read_json_routes(input, routes);
  if (is_shown(head)) {
    read_lines(input, ShownRoutes(routes), warnings);
    return true;
  }
  if (!is_linux(head)) return false;
  read_lines(input, LinuxRoutes(routes), warnings);
  return true;
}

}  // namespace fatwood
