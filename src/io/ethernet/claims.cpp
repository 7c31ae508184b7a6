// SPDX-License-Identifier: BSD-3-Clause
#include "io/ethernet/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/text/natural_order.hpp"
#include "core/text/parse_number.hpp"
#include "topology/interface_name.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kMostHostCables = 16;

class CableFinder {
 public:
  CableFinder(EthernetDevices& devices, const std::vector<DeviceReport>& reports,
              Warnings& warnings)
      : devices_(devices), reports_(reports), warnings_(warnings) {}

  Cables run() {
    collect();
    leave_out_management_switches();
    resolve_nameless_ports();
    leave_out_shared();
    settle_kinds();
    spread_shared_names();
    Cables result;
    result.meant = std::ranges::all_of(claims_, &Claim::meant);
    confirm();
    choose(result.meant);
    result.cables = std::move(chosen_);
    return result;
  }

 private:
  EthernetDevice& device(std::uint32_t d) { return devices_.all()[d]; }
  std::string text(PortId end) {
    const EthernetDevice& its = device(end.device);
    return fmt::format("{}[{}]", its.name, its.ports[end.port].name);
  }
  std::string place(const Claim& claim) const {
    return fmt::format("{}:{}", reports_[claim.report].file, claim.line);
  }
  void warn(const Claim& claim, const std::string& message) {
    Warnings one(reports_[claim.report].file);
    one.add(claim.line, message);
    warnings_.append(one);
  }
  void count(std::size_t report, std::size_t line, std::string_view kind) {
    Warnings one(reports_[report].file);
    one.count(kind, line);
    warnings_.append(one);
  }

  // --- claims ---
  void collect() {
    for (std::size_t r = 0; r < reports_.size(); ++r) {
      for (const Neighbour& seen : reports_[r].neighbours) add(r, seen);
    }
  }
  void add(std::size_t r, const Neighbour& seen) {
    const auto peer = devices_.peer(seen);
    const std::string_view far = seen.ports.empty() ? std::string_view{} : seen.ports.front();
    if (is_management(seen.port, far)) {
      if (peer && interface_use(far) != InterfaceUse::kManagement) ++managed_[*peer];
      if (interface_use(seen.port) != InterfaceUse::kManagement) ++managed_[devices_.owner(r)];
      return count(r, seen.line, "a management port, left out");
    }
    const auto own = own_port(r, seen.port);
    if (!own) return count(r, seen.line, "a VLAN, bundle or sub-interface, left out");
    if (!peer) return count(r, seen.line, "a neighbour without a name, left out");
    Claim claim{.a = {devices_.owner(r), *own},
                .b = {*peer, kNoPort},
                .meant = reports_[r].meant,
                .nameless = seen.peer.empty(),
                .listed = !reports_[r].speaks,
                .text_gbps = seen.text_gbps,
                .report = r,
                .line = seen.line};
    claim.b.port = peer_port(*peer, seen).value_or(kNoPort);
    if (claim.a == claim.b) return count(r, seen.line, "a port that sees itself, left out");
    claims_.push_back(claim);
  }
  static bool is_management(std::string_view here, std::string_view there) {
    const auto numbered_em = [](std::string_view name) {
      return name.size() > 2 && name.starts_with("em") && is_digit(name[2]);
    };
    return interface_use(here) == InterfaceUse::kManagement ||
           interface_use(there) == InterfaceUse::kManagement ||
           (numbered_em(here) && numbered_em(there));
  }
  // The socket behind a name; no value for names that are not one socket.
  std::optional<std::uint32_t> own_port(std::size_t r, std::string_view name) {
    EthernetDevice& own = device(devices_.owner(r));
    switch (interface_use(name)) {
      case InterfaceUse::kPort:
        return name.empty() ? std::nullopt : std::optional(own.port(name));
      case InterfaceUse::kBundle:
        return only_member(own, name);
      default:
        return std::nullopt;
    }
  }
  static std::optional<std::uint32_t> only_member(const EthernetDevice& device,
                                                  std::string_view bundle) {
    std::optional<std::uint32_t> member;
    for (std::uint32_t p = 0; p < device.ports.size(); ++p) {
      if (device.ports[p].bundle.empty() ||
          canonical_interface(device.ports[p].bundle) != canonical_interface(bundle)) {
        continue;
      }
      if (member) return std::nullopt;
      member = p;
    }
    return member;
  }
  std::optional<std::uint32_t> peer_port(std::uint32_t peer, const Neighbour& seen) {
    EthernetDevice& its = device(peer);
    std::vector<std::string_view> names;
    for (const std::string& name : seen.ports) {
      const InterfaceUse use = interface_use(name);
      if (use == InterfaceUse::kPort) names.emplace_back(name);
      if (use == InterfaceUse::kLogical) {
        names.push_back(std::string_view(name).substr(0, name.rfind('.')));
      }
      if (use == InterfaceUse::kBundle) {
        if (const auto member = only_member(its, name)) return member;
      }
    }
    for (const std::string_view name : names) {
      if (const auto known = its.find_port(name)) return known;
    }
    // Names of the same form as its others first: a description may be anything.
    for (const std::string_view name : names) {
      if (its.has_shape(name)) return its.port(name);
    }
    if (names.empty() || !mac_address(names.front()).empty()) return std::nullopt;
    return its.port(names.front());
  }

  // --- what is left out ---
  void leave_out_management_switches() {
    std::map<std::uint32_t, std::size_t> others;
    for (const Claim& claim : claims_) {
      ++others[claim.a.device];
      ++others[claim.b.device];
    }
    const auto managed = [&](std::uint32_t d) {
      const auto at = managed_.find(d);
      return at != managed_.end() && at->second > 1 && at->second > others[d];
    };
    std::erase_if(claims_, [&](const Claim& claim) {
      if (!managed(claim.a.device) && !managed(claim.b.device)) return false;
      count(claim.report, claim.line, "a cable of a management switch, left out");
      return true;
    });
  }

  // A neighbour that does not say at which port it is may itself see this port.
  void resolve_nameless_ports() {
    std::map<std::pair<std::uint32_t, PortId>, std::uint32_t> seen_from;  // by device and far port
    for (const Claim& claim : claims_) {
      if (claim.b.port != kNoPort)
        seen_from.emplace(std::pair(claim.a.device, claim.b), claim.a.port);
    }
    std::map<std::pair<std::uint32_t, PortId>, std::uint32_t> made;
    for (Claim& claim : claims_) {
      if (claim.b.port != kNoPort) continue;
      const auto key = std::pair(claim.b.device, claim.a);
      if (const auto at = seen_from.find(key); at != seen_from.end()) {
        claim.b.port = at->second;
        continue;
      }
      const auto [at, fresh] = made.emplace(key, 0);
      if (fresh) at->second = device(claim.b.device).port(fmt::format("to {}", text(claim.a)));
      claim.b.port = at->second;
    }
  }

  void leave_out_shared() {
    std::map<PortId, std::map<PortId, bool>> neighbours;  // by port: the others, named or not
    for (const Claim& claim : claims_) {
      if (claim.meant) continue;
      neighbours[claim.a][claim.b] |= !claim.nameless;
      if (claim.listed) neighbours[claim.b][claim.a] = true;
    }
    std::map<PortId, std::size_t> named;
    for (const auto& [port, others] : neighbours) {
      named[port] = static_cast<std::size_t>(
          std::ranges::count_if(others, [](const auto& one) { return one.second; }));
    }
    std::set<PortId> reported;
    std::erase_if(claims_, [&](const Claim& claim) {
      if (claim.meant || claim.listed) return false;
      const std::size_t all = neighbours[claim.a].size();
      if (all == 1 || (named[claim.a] == 1 && !claim.nameless)) return false;
      if (named[claim.a] != 1 && reported.insert(claim.a).second) {
        warn(claim, fmt::format("{} has {} neighbours, such as {}: a shared segment, left out",
                                text(claim.a), all, text(claim.b)));
      }
      return true;
    });
  }

  // --- kinds that cables decide ---
  void settle_kinds() {
    std::vector<std::set<PortId>> ends(devices_.all().size());
    std::vector<std::set<std::uint32_t>> others(devices_.all().size());
    for (const Claim& claim : claims_) {
      ends[claim.a.device].insert(claim.a);
      ends[claim.b.device].insert(claim.b);
      others[claim.a.device].insert(claim.b.device);
      others[claim.b.device].insert(claim.a.device);
    }
    std::vector<NodeKind> kinds;
    for (std::uint32_t d = 0; d < devices_.all().size(); ++d) {
      const bool small =
          ends[d].size() <= kMostHostCables &&
          std::ranges::all_of(others[d], [&](std::uint32_t other) {
            return device(other).kind.value_or(NodeKind::kSwitch) == NodeKind::kSwitch &&
                   ends[other].size() > ends[d].size();
          });
      kinds.push_back(device(d).kind.value_or(small ? NodeKind::kAdapter : NodeKind::kSwitch));
    }
    for (std::uint32_t d = 0; d < kinds.size(); ++d) device(d).kind = kinds[d];
  }

  // Ports of a silent host that several ports name: a cable each.
  void spread_shared_names() {
    std::map<PortId, PortId> first;
    for (Claim& claim : claims_) {
      EthernetDevice& host = device(claim.b.device);
      if (host.kind == NodeKind::kSwitch || host.speaks || claim.meant || claim.listed) continue;
      const auto [at, fresh] = first.emplace(claim.b, claim.a);
      if (at->second == claim.a) continue;
      count(claim.report, claim.line, "a port of a silent host that several ports name");
      claim.b.port =
          host.port(fmt::format("{} to {}", host.ports[claim.b.port].name, text(claim.a)));
    }
  }

  // --- choice ---
  static std::pair<PortId, PortId> ends_of(const Claim& claim) {
    return std::minmax(claim.a, claim.b);
  }
  void confirm() {
    std::map<std::tuple<bool, PortId, PortId>, unsigned> said;
    const auto key = [](const Claim& claim) {
      const auto [low, high] = ends_of(claim);
      return std::tuple(claim.meant, low, high);
    };
    const auto side = [](const Claim& claim) {
      return claim.listed ? 3U : claim.a < claim.b ? 1U : 2U;
    };
    for (const Claim& claim : claims_) said[key(claim)] |= side(claim);
    for (Claim& claim : claims_) claim.confirmed = said[key(claim)] == 3;
  }

  bool is_silent(std::uint32_t d) { return !device(d).speaks && !seen_.contains(d); }

  void choose(bool all_meant) {
    for (const Claim& claim : claims_) {
      if (!claim.meant) seen_.insert({claim.a.device, claim.b.device});
    }
    const auto rank = [&](const Claim& claim) {
      return std::tuple(claim.meant && !all_meant, !claim.confirmed);
    };
    struct Candidate {
      const Claim* claim;
      std::string names;
    };
    std::vector<Candidate> order;
    for (const Claim& claim : claims_) {
      const std::string a = text(claim.a), b = text(claim.b);
      order.push_back({&claim, natural_less(a, b) ? a + b : b + a});
    }
    std::ranges::stable_sort(order, [&](const Candidate& x, const Candidate& y) {
      if (rank(*x.claim) != rank(*y.claim)) return rank(*x.claim) < rank(*y.claim);
      return natural_less(x.names, y.names);
    });
    for (const Candidate& one : order) take(*one.claim, all_meant);
  }

  void take(const Claim& claim, bool all_meant) {
    const Claim* before = nullptr;
    for (const PortId end : {claim.a, claim.b}) {
      if (const auto at = taken_.find(end); at != taken_.end()) before = &claims_[at->second];
    }
    const auto number = static_cast<std::size_t>(&claim - claims_.data());
    const bool only_meant = claim.meant && !all_meant;
    if (before != nullptr) {
      if (ends_of(*before) == ends_of(claim)) {
        add_text_speed(claim);
        return;
      }
      if (only_meant && before->meant) return;
      warn(claim,
           fmt::format("{} {} to {}, but {} {} to {} ({}); the latter is taken", text(claim.a),
                       only_meant ? "should lead" : "leads", text(claim.b), text(before->a),
                       before->meant ? "should lead" : "leads", text(before->b), place(*before)));
      return;
    }
    if (only_meant && !is_silent(claim.a.device) && !is_silent(claim.b.device)) {
      warn(claim, fmt::format("{} should lead to {}, but no end sees that; left out", text(claim.a),
                              text(claim.b)));
      return;
    }
    if (only_meant) {
      count(claim.report, claim.line,
            "a cable that is meant, to a device that reports nothing: taken as it is meant");
    } else if (!claim.confirmed &&
               (claim.meant ? device(claim.b.device).plans : device(claim.b.device).speaks)) {
      warn(claim, fmt::format("one-sided: {} to {}, which does not list it", text(claim.a),
                              text(claim.b)));
    }
    taken_.emplace(claim.a, number);
    taken_.emplace(claim.b, number);
    place_of_[ends_of(claim)] = chosen_.size();
    chosen_.push_back(claim);
  }
  void add_text_speed(const Claim& claim) {
    Claim& first = chosen_[place_of_.at(ends_of(claim))];
    if (first.text_gbps == 0) first.text_gbps = claim.text_gbps;
  }

  static constexpr std::uint32_t kNoPort = 0xffffffffU;
  EthernetDevices& devices_;
  const std::vector<DeviceReport>& reports_;
  Warnings& warnings_;
  std::vector<Claim> claims_;
  std::map<std::uint32_t, std::size_t> managed_;  // cables to management ports, by device
  std::set<std::uint32_t> seen_;                  // devices of seen cables
  std::map<PortId, std::size_t> taken_;           // by port: the claim
  std::map<std::pair<PortId, PortId>, std::size_t> place_of_;
  std::vector<Claim> chosen_;
};

}  // namespace

Cables find_cables(EthernetDevices& devices, const std::vector<DeviceReport>& reports,
                   Warnings& warnings) {
  return CableFinder(devices, reports, warnings).run();
}

}  // namespace fatwood
