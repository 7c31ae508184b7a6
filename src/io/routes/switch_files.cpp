// SPDX-License-Identifier: BSD-3-Clause
#include "io/routes/switch_files.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/base/text.hpp"
#include "io/routes/address_plan.hpp"
#include "routing/adaptive/as_numbers.hpp"

namespace fatwood {

namespace {

constexpr OutputForm kAddressList{"addresses of switches", "kind,name,switch,port,address,as\n"};
constexpr std::uint32_t kMostPaths = 64;  // what `maximum-paths` allows in most builds of FRR

std::string port_word(const Fabric& fabric, Channel c) {
  return fmt::format("swp{}", index(fabric.port(c)));
}

void write_addresses_csv(std::ostream& out, const Model& model, const AddressPlan& plan) {
  const Fabric& fabric = model.fabric();
  const Table<Switch, std::uint32_t> as = as_numbers(model);
  fmt::print(out, "kind,name,switch,port,address,as\n");
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    fmt::print(out, "switch,{0},{0},,{1}/32,{2}\n", plan.name(s), address_text(plan.loopback(s)),
               as[s]);
    if (!plan.prefix(s)) continue;
    fmt::print(out, "prefix,{0},{0},,{1}/24,{2}\n", plan.name(s), address_text(*plan.prefix(s)),
               as[s]);
  }
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const Switch leaf = fabric.leaf(t);
    if (leaf == kNone<Switch>) continue;
    std::string name = one_line(display_name(fabric, fabric.adapter_node(t)));
    std::ranges::replace(name, ',', '_');
    fmt::print(out, "host,{},{},swp{},{},\n", name, plan.name(leaf), index(fabric.leaf_port(t)),
               address_text(plan.address(t)));
  }
}

// Hosts are on a bridge, which has the address of the prefix.
void write_interfaces(std::ostream& out, const Fabric& fabric, const AddressPlan& plan, Switch s) {
  fmt::print(out,
             "# Run on {}, as root: written by fatwood.\n"
             "sysctl -qw net.ipv4.ip_forward=1 net.ipv4.fib_multipath_hash_policy=1\n"
             "# Equal seeds would leave up-links of the next level unused. Linux 6.11 and later:\n"
             "sysctl -qw net.ipv4.fib_multipath_hash_seed={} 2>/dev/null || true\n"
             "ip link set lo up\n"
             "ip address replace {}/32 dev lo\n",
             plan.name(s), index(s) + 1, address_text(plan.loopback(s)));
  if (plan.prefix(s)) {
    fmt::print(out,
               "ip link show hosts >/dev/null 2>&1 || ip link add hosts type bridge\n"
               "ip address replace {}/24 dev hosts\n"
               "ip link set hosts up\n",
               address_text(plan.gateway(s)));
  }
  for (const Channel c : fabric.channels(fabric.node(s))) {
    if (!fabric.connected(c)) continue;
    const std::string port = port_word(fabric, c);
    if (fabric.to_switch(c)) {
      fmt::print(out, "ip link set {} up # to {}[{}]\n", port, plan.name(fabric.next_switch(c)),
                 port_word(fabric, fabric.peer(c)));
    } else {
      // A port without a host may be missing.
      fmt::print(out,
                 "if ip link show {0} >/dev/null 2>&1; then ip link set {0} master hosts up; fi\n",
                 port);
    }
  }
}

void write_frr_conf(std::ostream& out, const Fabric& fabric, const AddressPlan& plan, Switch s,
                    std::uint32_t as) {
  fmt::print(out,
             "! {0}: written by fatwood\n"
             "frr defaults datacenter\n"
             "hostname {0}\n"
             "!\n",
             plan.name(s));
  std::vector<Channel> cables;
  for (const SwitchLink& link : fabric.links(s)) cables.push_back(link.channel);
  for (const Channel c : cables) {
    fmt::print(out,
               "interface {0}\n"
               " description to {1}[{2}]\n"
               " no ipv6 nd suppress-ra\n"
               "exit\n"
               "!\n",
               port_word(fabric, c), plan.name(fabric.next_switch(c)),
               port_word(fabric, fabric.peer(c)));
  }
  fmt::print(out,
             "router bgp {}\n"
             " bgp router-id {}\n"
             " bgp bestpath as-path multipath-relax\n"
             " no bgp ebgp-requires-policy\n"
             " timers bgp 1 3\n",
             as, address_text(plan.loopback(s)));
  for (const Channel c : cables) {
    fmt::print(out, " neighbor {} interface remote-as external\n", port_word(fabric, c));
  }
  fmt::print(out,
             " address-family ipv4 unicast\n"
             "  network {}/32\n",
             address_text(plan.loopback(s)));
  if (plan.prefix(s)) fmt::print(out, "  network {}/24\n", address_text(*plan.prefix(s)));
  const auto ports = static_cast<std::uint32_t>(cables.size());
  fmt::print(out,
             "  maximum-paths {}\n"
             " exit-address-family\n"
             "exit\n",
             std::max(kMostPaths, ports));
}

// The ports by which a switch sends to a destination, each with its neighbour.
void write_route(std::ostream& out, const Fabric& fabric, const AddressPlan& plan,
                 std::string_view prefix, Switch s, std::span<const Port> ports) {
  std::string hops;
  for (const Port port : ports) {
    const Channel c = fabric.channel(fabric.node(s), port);
    if (port == kOwnPort || !fabric.to_switch(c)) continue;
    hops += fmt::format(" nexthop via {} dev {} onlink",
                        address_text(plan.loopback(fabric.next_switch(c))), port_word(fabric, c));
  }
  if (!hops.empty()) fmt::print(out, "ip route replace {} proto static{}\n", prefix, hops);
}

void write_routes(std::ostream& out, const Fabric& fabric, const AddressPlan& plan,
                  const Routing& routing, std::span<const Destination> of_prefix, Switch s) {
  fmt::print(out, "# Run on {}, as root, after interfaces: written by fatwood.\n", plan.name(s));
  const ForwardingTables& tables = routing.tables;
  for (const Switch d : ids<Switch>(fabric.num_switches())) {
    if (d == s) continue;
    const Destination to_switch = tables.destination(d);
    write_route(out, fabric, plan, address_text(plan.loopback(d)) + "/32", s,
                routing.ports(s, to_switch));
    if (!plan.prefix(d)) continue;
    write_route(out, fabric, plan, address_text(*plan.prefix(d)) + "/24", s,
                routing.ports(s, of_prefix[index(d)]));
  }
}

// By switch: a destination for all its terminals.
std::vector<Destination> prefix_destinations(const Fabric& fabric, const Routing& routing) {
  const ForwardingTables& tables = routing.tables;
  std::vector<Destination> found(fabric.num_switches(), kNone<Destination>);
  if (tables.num_destinations() == 0) {
    throw PromiseError(routing.engine + " routes by pair: there are no routes to write");
  }
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const Switch leaf = fabric.leaf(t);
    if (leaf == kNone<Switch>) continue;
    const Destination destination = tables.destination(t);
    Destination& first = found[index(leaf)];
    if (first == kNone<Destination>) first = destination;
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      if (s == leaf || std::ranges::equal(routing.ports(s, first), routing.ports(s, destination))) {
        continue;
      }
      throw InputError(fmt::format(
          "{} sends to hosts of {} in different ways, and they share one prefix: take ecmp, "
          "ar_updn or ar_ftree",
          unique_name(fabric, s), unique_name(fabric, leaf)));
    }
  }
  return found;
}

// Adds the files that both kinds have.
AddressPlan start_folder(OutputFolder& files, const Model& model) {
  const Fabric& fabric = model.fabric();
  AddressPlan plan(fabric);
  files.write("addresses.csv", [&](std::ostream& out) { write_addresses_csv(out, model, plan); });
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    files.write(plan.name(s) + "/interfaces",
                [&](std::ostream& out) { write_interfaces(out, fabric, plan, s); });
  }
  return plan;
}

}  // namespace

void add_switch_outputs(Outputs& outputs, const std::string& option, const std::string& folder) {
  const std::pair<const char*, OutputForm> files[] = {{"addresses.csv", kAddressList}};
  outputs.add_folder(option, folder, files);
}

std::vector<std::string> write_frr(const std::string& folder, const Model& model) {
  const Fabric& fabric = model.fabric();
  OutputFolder files(folder);
  const AddressPlan plan = start_folder(files, model);
  const Table<Switch, std::uint32_t> as = as_numbers(model);
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    files.write(plan.name(s) + "/frr.conf",
                [&](std::ostream& out) { write_frr_conf(out, fabric, plan, s, as[s]); });
  }
  return files.finish();
}

std::vector<std::string> write_static_routes(const std::string& folder, const Model& model,
                                             const Routing& routing) {
  const Fabric& fabric = model.fabric();
  const std::vector<Destination> of_prefix = prefix_destinations(fabric, routing);
  OutputFolder files(folder);
  const AddressPlan plan = start_folder(files, model);
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    files.write(plan.name(s) + "/routes",
                [&](std::ostream& out) { write_routes(out, fabric, plan, routing, of_prefix, s); });
  }
  return files.finish();
}

}  // namespace fatwood
