// SPDX-License-Identifier: BSD-3-Clause
#include "io/lists/host_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/once.hpp"
#include "core/text/closest.hpp"
#include "core/text/hostlist.hpp"
#include "io/base/input.hpp"
#include "topology/node_names.hpp"

namespace fatwood {
namespace {

constexpr std::size_t kListShown = 120;  // characters of a list in a message

std::string cut(std::string text) {
  if (text.size() <= kListShown) return text;
  text.resize(kListShown);
  return text + "...";
}

class Finder {
 public:
  Finder(const Fabric& fabric, const Hosts& hosts) : fabric_(fabric), hosts_(hosts) {
    for (const Host m : ids<Host>(hosts.size())) {
      const std::string_view name = hosts.name(m);
      const std::string_view bare = name.substr(0, name.find('.'));
      if (bare != name) short_.emplace(bare, m);
    }
  }

  // kNone: no such host.
  Host find(const std::string& name, const Location& where) const {
    const auto called = hosts_.called(name);
    if (called.size() > 1) several(name, called, where);
    if (called.size() == 1) return called.front();
    const auto bare = hosts_.called(std::string_view(name).substr(0, name.find('.')));
    if (bare.size() == 1) return bare.front();
    if (const auto range = short_.equal_range(name);
        std::distance(range.first, range.second) == 1) {
      return range.first->second;
    }
    return by_adapter(name);
  }

  [[noreturn]] void unknown(const std::vector<std::string>& lost, std::size_t all,
                            const Location& where) const {
    std::vector<std::string> names;
    for (const Host m : ids<Host>(hosts_.size())) names.push_back(unique_name(fabric_, hosts_, m));
    const std::string here = cut(hostlist(names));
    if (lost.size() == all && all > 1) {
      throw InputError(
          where,
          fmt::format("none of the {} hosts is in this fabric ({}){}: its hosts "
                      "are {}",
                      all, cut(hostlist_in_order(lost)), did_you_mean(lost.front(), names), here));
    }
    std::string text = fmt::format("no host is called {}", lost.front());
    if (lost.size() > 1) {
      text += fmt::format(" (nor {})", cut(hostlist_in_order(std::span(lost).subspan(1))));
    }
    text += did_you_mean(lost.front(), names);
    throw InputError(where, fmt::format("{}; hosts are {}", text, here));
  }

 private:
  [[noreturn]] void several(const std::string& name, std::span<const Host> called,
                            const Location& where) const {
    std::vector<std::string> ids;
    for (const Host m : called) {
      ids.push_back(unique_name(fabric_, hosts_, m));
      if (ids.size() == 4) break;
    }
    throw InputError(where, fmt::format("{} hosts are called {}: {}", called.size(), name,
                                        fmt::join(ids, ", ")));
  }

  Host by_adapter(std::string_view name) const {
    const std::vector<Node> found = nodes().called(name);
    return found.size() == 1 ? hosts_.of(found.front()) : kNone<Host>;
  }

  const NodeNames& nodes() const {
    return nodes_.get([&] { return NodeNames(fabric_); });
  }

  const Fabric& fabric_;
  const Hosts& hosts_;
  Once<NodeNames> nodes_;
  std::unordered_multimap<std::string_view, Host> short_;  // names without their domain
};

}  // namespace

std::string KnownHosts::warning() const {
  if (missing.empty()) return "";
  return fmt::format("left out {} of {} hosts, not in this fabric: {}", missing.size(), named,
                     cut(hostlist_in_order(missing)));
}

KnownHosts find_known_hosts(const Fabric& fabric, const Hosts& hosts,
                            const std::vector<NamedHost>& names, Repeats repeats) {
  const Finder finder(fabric, hosts);
  KnownHosts known{{}, {}, names.size()};
  Table<Host, const NamedHost*> seen(hosts.size(), nullptr);
  for (const NamedHost& named : names) {
    const Host m = finder.find(named.name, named.where);
    if (m == kNone<Host>) {
      known.missing.push_back(named.name);
      continue;
    }
    if (repeats == Repeats::kRefused && seen[m] != nullptr) {
      const std::size_t line = seen[m]->where.line;
      throw InputError(named.where, fmt::format("host {} comes twice{}", named.name,
                                                line == 0 || line == named.where.line
                                                    ? ""
                                                    : fmt::format(", first on line {}", line)));
    }
    seen[m] = &named;
    known.hosts.push_back(m);
  }
  if (known.hosts.empty()) finder.unknown(known.missing, names.size(), names.front().where);
  return known;
}

KnownHosts find_known_hosts(const Fabric& fabric, const Hosts& hosts,
                            const std::vector<std::string>& names, const Location& where,
                            Repeats repeats) {
  if (names.empty()) throw InputError(where, "expected hosts");
  std::vector<NamedHost> all;
  for (const std::string& name : names) all.push_back({name, where});
  return find_known_hosts(fabric, hosts, all, repeats);
}

std::vector<Host> find_hosts_named(const Fabric& fabric, const Hosts& hosts,
                                   const std::vector<std::string>& names, const Location& where,
                                   Repeats repeats) {
  KnownHosts known = find_known_hosts(fabric, hosts, names, where, repeats);
  if (!known.missing.empty()) Finder(fabric, hosts).unknown(known.missing, names.size(), where);
  return std::move(known.hosts);
}

KnownHosts read_host_list(const Fabric& fabric, const Hosts& hosts, std::string_view text,
                          const Location& where, Repeats repeats) {
  if (!text.starts_with('@')) {
    return find_known_hosts(fabric, hosts, expand_hostlist(text, where), where, repeats);
  }
  Input input{std::string(text.substr(1))};
  std::vector<NamedHost> names;
  while (const auto line = input.next_line()) {
    const std::string_view list = line->substr(0, line->find('#'));
    for (std::string& name : expand_hostlist(list, input.at(1))) {
      names.push_back({std::move(name), {input.name(), input.line_number(), 0}});
    }
  }
  if (names.empty()) throw InputError({input.name(), 0, 0}, "expected hosts");
  return find_known_hosts(fabric, hosts, names, repeats);
}

}  // namespace fatwood
