// SPDX-License-Identifier: BSD-3-Clause
#include "choices.hpp"

#include <algorithm>

namespace check {
namespace {

class Choices {
 public:
  Choices(const Inputs& in, const std::vector<std::vector<Owner>>& hosts, std::uint32_t lid)
      : in_(in), fabric_(in.fabric), hosts_(hosts), lid_(lid) {}

  ChoiceFinding run() {
    for (unsigned lane = 0; lane < in_.proof.place.size() && found_.why_not.empty(); ++lane) {
      walk(lane);
    }
    return found_;
  }

 private:
  unsigned lane_from(std::uint32_t node) const {
    return in_.lanes.everywhere[in_.levels.at(lid_, node)];
  }

  void start(std::uint32_t s, unsigned lane) {
    const Owner owner = in_.tables.owner[lid_];
    bool any = false;
    for (const Owner& host : hosts_[s]) {
      if (host.node == owner.node && host.port == owner.port) continue;
      if (lane_from(host.node) != lane) continue;
      came_[s].push_back(&fabric_.nodes[host.node].ports[host.port]);
      ++found_.routes;
      any = true;
    }
    if (!in_.proof.terminals_only && lane_from(fabric_.switches[s]) == lane) {
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

  // The cables that a switch may send by.
  std::vector<const Port*> out(std::uint32_t s) const {
    const Node& node = fabric_.nodes[fabric_.switches[s]];
    std::vector<const Port*> ports;
    const auto add = [&](std::uint8_t port) {
      if (port == 0 || port >= node.ports.size() || node.ports[port].peer == kNobody) return;
      ports.push_back(&node.ports[port]);
    };
    const std::uint32_t list = in_.tables.list[lid_][s];
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
    const std::uint32_t list = in_.tables.list[lid_][s];
    return list == 0 ? 1 : in_.tables.lists[list].size();
  }
  // The end that a channel leaves is the other end of its peer.
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
};

}  // namespace

ChoiceFinding walk_choices(const Inputs& inputs, const std::vector<std::vector<Owner>>& hosts,
                           std::uint32_t lid) {
  return Choices(inputs, hosts, lid).run();
}

}  // namespace check
