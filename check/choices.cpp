// SPDX-License-Identifier: BSD-3-Clause
#include "choices.hpp"

#include <algorithm>
#include <unordered_set>

namespace check {
namespace {

class Choices {
 public:
  Choices(const Inputs& in, const std::vector<std::vector<Owner>>& hosts, std::uint32_t lid)
      : in_(in), fabric_(in.fabric), hosts_(hosts), lid_(lid) {}

  ChoiceFinding run() {
    if (in_.proof.changing) {
      walk_changing();
      return found_;
    }
    require_orders();
    for (unsigned lane = 0; lane < in_.proof.place.size() && found_.why_not.empty(); ++lane) {
      walk(lane);
    }
    return found_;
  }

 private:
  // Each lane is walked from its own sources, so a source in a lane without an order is refused
  // here.
  void require_orders() {
    const Owner owner = in_.tables.owner[lid_];
    for (std::uint32_t s = 0; s < fabric_.switches.size(); ++s) {
      for (const Owner& host : hosts_[s]) {
        if (host.node != owner.node || host.port != owner.port) require_order(s, host.node);
      }
      if (!in_.proof.terminals_only) require_order(s, fabric_.switches[s]);
    }
  }

  void require_order(std::uint32_t s, std::uint32_t source) {
    const unsigned lane = lane_from(s, source);
    if (lane < in_.proof.place.size() || !found_.why_not.empty()) return;
    found_.why_not = in_.proof_path + ": packets from " + fabric_.nodes[source].name + " to LID " +
                     std::to_string(lid_) + ": lane " + std::to_string(lane) + " has no order";
  }

  unsigned lane_from(std::uint32_t s, std::uint32_t node) const {
    return in_.lanes.everywhere[in_.levels.at(lid_, node, s)];
  }

  void start(std::uint32_t s, unsigned lane) {
    const Owner owner = in_.tables.owner[lid_];
    bool any = false;
    for (const Owner& host : hosts_[s]) {
      if (host.node == owner.node && host.port == owner.port) continue;
      if (lane_from(s, host.node) != lane) continue;
      came_[s].push_back(&fabric_.nodes[host.node].ports[host.port]);
      ++found_.routes;
      any = true;
    }
    if (!in_.proof.terminals_only && lane_from(s, fabric_.switches[s]) == lane) {
      ++found_.routes;
      any = true;
    }
    if (any) queue_.push_back(s);
    seen_[s] = any;
  }

  void walk(unsigned lane) {
    const std::size_t switches = fabric_.switches.size();
    came_.assign(switches, {});
    seen_.assign(switches, false);
    queue_.clear();
    for (std::uint32_t s = 0; s < switches; ++s) start(s, lane);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      for (const Port* port : out(queue_[i])) {
        if (!fabric_.nodes[port->peer].is_switch) continue;
        const std::uint32_t next = fabric_.nodes[port->peer].number;
        came_[next].push_back(port);
        if (!seen_[next]) queue_.push_back(next);
        seen_[next] = true;
      }
    }
    for (const std::uint32_t s : queue_) {
      compare(s, in_.proof.place[lane]);
      if (!found_.why_not.empty()) return;
    }
  }

  // If packets change lanes: each step is in the lane of its ports and the SL of the path; cables
  // of hosts are in no cycle.
  void walk_changing() {
    const Owner owner = in_.tables.owner[lid_];
    for (std::uint32_t s = 0; s < fabric_.switches.size() && found_.why_not.empty(); ++s) {
      for (const Owner& host : hosts_[s]) {
        if (host.node == owner.node && host.port == owner.port) continue;
        follow(s, fabric_.nodes[host.node].ports[host.port].peer_port, host.node);
      }
      if (in_.proof.terminals_only) continue;
      if (owner.node == fabric_.switches[s]) {
        ++found_.routes;  // to itself, by no channel
      } else {
        follow(s, 0, fabric_.switches[s]);
      }
    }
  }

  struct Arrived {
    std::uint32_t s;
    unsigned in_port;
    const Port* held;
    Place place;
  };

  void follow(std::uint32_t s, unsigned in_port, std::uint32_t source) {
    if (!found_.why_not.empty()) return;
    ++found_.routes;
    const unsigned level = in_.levels.at(lid_, source, s);
    std::vector<Arrived> open{{s, in_port, nullptr, {}}};
    while (!open.empty() && found_.why_not.empty()) {
      const Arrived here = open.back();
      open.pop_back();
      const bool several = entry_size(here.s) > 1;
      for (const Port* next : out(here.s)) {
        if (several && port_of(*next) == here.in_port) continue;
        if (!fabric_.nodes[next->peer].is_switch) continue;
        const int lane = lane_of(here, *next, level);
        if (lane < 0) return;
        const Place& place = in_.proof.place[static_cast<unsigned>(lane)][next->channel];
        if (place.at == kNobody || (here.held != nullptr && here.place.at >= place.at)) {
          return refuse(here, *next, place, static_cast<unsigned>(lane));
        }
        const std::uint64_t key =
            (std::uint64_t{next->channel} * 256 + static_cast<unsigned>(lane)) * 256 + level;
        if (!walked_.insert(key).second) continue;
        open.push_back({fabric_.nodes[next->peer].number, next->peer_port, next, place});
      }
    }
  }

  // -1, with the reason, if the proof or the file of lanes lacks an item.
  int lane_of(const Arrived& here, const Port& next, unsigned level) {
    const auto& rows = in_.lanes.rows;
    const auto key = here.in_port * 256 + port_of(next);
    if (rows.empty() || rows[here.s].find(key) == rows[here.s].end()) {
      found_.why_not = in_.proof_path + ": packets to LID " + std::to_string(lid_) +
                       ": no row says what lane they take to channel " + name(next);
      return -1;
    }
    const unsigned lane = rows[here.s].find(key)->second[level];
    if (lane < in_.proof.place.size()) return static_cast<int>(lane);
    found_.why_not = in_.proof_path + ": packets to LID " + std::to_string(lid_) + ": lane " +
                     std::to_string(lane) + " has no order";
    return -1;
  }

  void refuse(const Arrived& here, const Port& next, const Place& place, unsigned lane) {
    std::string where = in_.proof_path;
    if (here.place.line != 0) where.append(1, ':').append(std::to_string(here.place.line));
    where += ": packets to LID " + std::to_string(lid_) + ": channel ";
    found_.why_not = place.at == kNobody
                         ? where + name(next) + " has no place in lane " + std::to_string(lane)
                         : where + name(*here.held) + " waits for " + name(next) +
                               ", which comes earlier, in line " + std::to_string(place.line);
  }

  // The cables over which a switch may send.
  std::vector<const Port*> out(std::uint32_t s) const {
    const Node& node = fabric_.nodes[fabric_.switches[s]];
    std::vector<const Port*> ports;
    const auto add = [&](std::uint8_t port) {
      if (port == 0 || port >= node.ports.size() || node.ports[port].peer == kNobody) return;
      ports.push_back(&node.ports[port]);
    };
    const std::uint32_t list = in_.tables.list_at(lid_, s);
    if (list == 0) {
      add(in_.tables.row[lid_][s]);
    } else {
      for (const std::uint8_t port : in_.tables.lists[list]) add(port);
    }
    return ports;
  }

  void compare(std::uint32_t s, const std::vector<Place>& place) {
    const std::vector<const Port*> wanted = out(s);
    if (wanted.empty()) return;
    const bool several = entry_size(s) > 1;
    std::uint64_t lowest = kNobody;
    for (const Port* port : wanted) {
      lowest = std::min<std::uint64_t>(lowest, place[port->channel].at);
    }
    for (const Port* held : came_[s]) {
      const Place& a = place[held->channel];
      if (!in_.proof.some_choice && a.at < lowest && lowest != kNobody &&
          all_placed(wanted, place)) {
        continue;
      }
      bool some = false;
      const Port* bad = nullptr;
      for (const Port* next : wanted) {
        if (several && next->peer == node_of(*held) && next->peer_port == port_of(*held)) continue;
        const Place& b = place[next->channel];
        const bool ascends = a.at < b.at && b.at != kNobody;
        some = some || ascends;
        if (!ascends && bad == nullptr) bad = next;
      }
      if (bad == nullptr || (in_.proof.some_choice && some)) continue;
      std::string where = in_.proof_path;
      if (a.line != 0) where.append(1, ':').append(std::to_string(a.line));
      found_.why_not = where + ": packets to LID " + std::to_string(lid_) + ": channel " +
                       name(*held) + " waits for " + name(*bad) + ", which comes no later";
      return;
    }
  }

  static bool all_placed(const std::vector<const Port*>& wanted, const std::vector<Place>& place) {
    return std::none_of(wanted.begin(), wanted.end(),
                        [&](const Port* port) { return place[port->channel].at == kNobody; });
  }
  std::size_t entry_size(std::uint32_t s) const {
    const std::uint32_t list = in_.tables.list_at(lid_, s);
    return list == 0 ? 1 : in_.tables.lists[list].size();
  }
  // The channel leaves from the other end of its peer.
  std::uint32_t node_of(const Port& port) const {
    return fabric_.nodes[port.peer].ports[port.peer_port].peer;
  }
  unsigned port_of(const Port& port) const {
    return fabric_.nodes[port.peer].ports[port.peer_port].peer_port;
  }
  std::string name(const Port& port) const {
    return fabric_.nodes[node_of(port)].name + "[" + std::to_string(port_of(port)) + "]";
  }

  const Inputs& in_;
  const Fabric& fabric_;
  const std::vector<std::vector<Owner>>& hosts_;
  std::uint32_t lid_;
  ChoiceFinding found_;
  std::vector<std::vector<const Port*>> came_;  // by switch: cables by which packets may come
  std::vector<bool> seen_;
  std::vector<std::uint32_t> queue_;
  std::unordered_set<std::uint64_t> walked_;  // channel, lane and level that packets were in
};

}  // namespace

ChoiceFinding walk_choices(const Inputs& inputs, const std::vector<std::vector<Owner>>& hosts,
                           std::uint32_t lid) {
  return Choices(inputs, hosts, lid).run();
}

}  // namespace check
