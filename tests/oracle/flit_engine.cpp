// SPDX-License-Identifier: BSD-3-Clause
#include "oracle/flit_engine.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <stdexcept>

namespace fatwood::oracle {

namespace {

using namespace sim;

struct Pkt {
  std::uint32_t source, dest, message, number;
  std::uint32_t flits;
  unsigned level;
  bool last;
  Time created, started = -1;
  Itinerary route;
  std::uint32_t* left_of_message;
  int wants = -1;  // output lane it asks for
  // At the place where it is now:
  std::vector<Time> in;   // when flit i came into the input buffer, or will
  std::vector<Time> out;  // when flit i is in the output buffer, or will be
};

struct InBuffer {
  std::deque<Pkt*> packets;
  Time reading_until = 0;  // of a FIFO
};
struct OutBuffer {
  std::deque<Pkt*> packets;  // not started
  std::uint32_t used = 0;
  std::uint32_t credits = 0;
  Time writing_until = 0;
  std::size_t turn = 0;
};
struct Link {
  Pkt* packet = nullptr;
  unsigned lane = 0;
  std::uint32_t flit = 0;  // being sent
  Time flit_done = 0;
  std::vector<Time> present;  // when its flits are in the buffer it leaves
  std::vector<Time> arrive;   // when they are to be at the other end
  // weighted round robin
  unsigned at[2] = {0, 0};
  long left[2] = {0, 0};
  std::uint64_t high_run = 0;
};
struct Sink {
  std::deque<std::pair<Pkt*, std::uint32_t>> flits;  // arrived, with their time in Pkt::in
  Time busy_until = 0;
};
// A packet on the link of its own that a receiver without limit gives it.
struct OwnLink {
  Pkt* packet;
  std::size_t port;
  std::uint32_t flit = 0;  // being sent
  Time flit_done = -1;     // -1: not started
};
struct Adapter {
  std::size_t message = 0;
  std::uint64_t flits_left = 0;
  std::uint32_t packet = 0;
  std::uint32_t turn = 0;
  std::uint32_t* left = nullptr;
  bool open = false;  // a message is being cut
  bool chosen = false;
  bool wait_sent = false;
  Itinerary route;
  Time busy_until = 0;
};
struct Credit {
  std::size_t lane;
  std::uint32_t flits;
};

constexpr int kDiscarded = -2;  // wants no output lane any more

class Flits {
 public:
  Flits(const Network& network, const sim::Model& model, const Routes& routes,
        PathChoice path_choice, const std::vector<SourceList>& sources)
      : net(network), m(model), r(routes), choice(path_choice), src(sources) {
    L = m.lanes;
    in.resize(net.ports.size() * L);
    out.resize(net.ports.size() * L);
    for (OutBuffer& o : out) o.credits = m.input_flits;
    link.resize(net.ports.size());
    sink.resize(net.endpoints());
    adapter.resize(net.endpoints());
  }

  std::vector<Delivery> run(Time until) {
    for (Time t = 0; t <= until; ++t) {
      links_move(t);
      own_links_move(t);
      sinks_move(t);
      for (const Credit& c : credit_at[t]) out[c.lane].credits += c.flits;
      credit_at.erase(t);
      place_requests(t);
      for (std::size_t e = 0; e < adapter.size(); ++e) fill_adapter(e, t);
      for (std::size_t o = out.size(); o-- > 0;) grant(o, t);
      for (std::size_t p = link.size(); p-- > 0;) start_link(p, t);
      for (OwnLink& own : own_links) start_own_link(own, t);
      if (t % 256 == 0 && done.size() + discarded == all.size() && nothing_left()) break;
    }
    std::sort(done.begin(), done.end(), [](const Delivery& a, const Delivery& b) {
      return std::tuple(a.delivered, a.source, a.message, a.packet) <
             std::tuple(b.delivered, b.source, b.message, b.packet);
    });
    return done;
  }

 private:
  bool nothing_left() const {
    for (std::size_t e = 0; e < adapter.size(); ++e) {
      if (adapter[e].open || adapter[e].message < src[e].messages.size()) return false;
    }
    return true;
  }
  unsigned vl(std::size_t port, unsigned level) const {
    if (m.sl_to_vl.empty()) return level % m.lanes;
    return m.sl_to_vl[net.ports[port].sl_to_vl][level];
  }

  void links_move(Time t) {
    for (std::size_t p = 0; p < link.size(); ++p) {
      Link& l = link[p];
      if (l.packet == nullptr || l.flit_done != t) continue;
      const NetPort& port = net.ports[p];
      if (l.arrive[l.flit] != t + port.latency) throw std::logic_error("flit off schedule");
      if (net.ports[port.peer].endpoint != kNil) {
        sink[net.ports[port.peer].endpoint].flits.emplace_back(l.packet, l.flit);
      }
      if (++l.flit < l.packet->flits) {
        send_flit(l, p, t);
        continue;
      }
      OutBuffer& o = out[p * L + l.lane];
      o.used -= l.packet->flits;
      if (port.endpoint != kNil && l.packet->last) adapter[port.endpoint].wait_sent = false;
      l.packet = nullptr;
    }
  }

  // Whether the output at this port leads to a receiver that takes in all at once.
  bool without_limit(std::size_t p) const {
    return m.receivers == Receivers::kUnlimited && net.ports[p].owner != kNil &&
           net.ports[p].peer != kNil && net.ports[net.ports[p].peer].endpoint != kNil;
  }
  void start_own_link(OwnLink& own, Time t) {
    if (own.flit_done >= 0) return;
    for (std::uint32_t i = 0; i < own.packet->flits; ++i) {
      if (own.packet->out[i] > t + Time{i} * net.ports[own.port].flit_ticks) return;
    }
    own.flit_done = t + net.ports[own.port].flit_ticks;
  }
  void own_links_move(Time t) {
    for (OwnLink& own : own_links) {
      const NetPort& port = net.ports[own.port];
      Pkt& packet = *own.packet;
      if (own.flit < packet.flits) {
        if (own.flit_done != t) continue;
        if (packet.out[own.flit] > t - port.flit_ticks) throw std::logic_error("a flit is missing");
        ++own.flit;
        own.flit_done = t + (own.flit < packet.flits ? port.flit_ticks : port.latency);
      }
      if (own.flit == packet.flits && own.flit_done == t) deliver(packet, t);
    }
    std::erase_if(own_links, [&](const OwnLink& own) {
      return own.flit == own.packet->flits && own.flit_done == t;
    });
  }
  void deliver(Pkt& packet, Time t) {
    done.push_back({static_cast<Endpoint>(packet.source), static_cast<Endpoint>(packet.dest),
                    packet.message, packet.number, packet.flits, packet.created, packet.started, t,
                    --*packet.left_of_message == 0});
  }

  void send_flit(Link& l, std::size_t p, Time t) {
    if (l.present[l.flit] > t) throw std::logic_error("a flit is missing");
    l.flit_done = t + net.ports[p].flit_ticks;
  }

  void sinks_move(Time t) {
    for (std::size_t e = 0; e < sink.size(); ++e) {
      Sink& s = sink[e];
      const NetPort& port = net.ports[net.endpoint_port[e]];
      while (!s.flits.empty()) {
        const auto [packet, flit] = s.flits.front();
        const Time arrived = packet->in[flit];
        const Time taking = m.receivers == Receivers::kUnlimited ? 0 : port.adapter_ticks;
        const Time end = std::max(s.busy_until, arrived) + taking;
        if (end > t) break;
        s.busy_until = end;
        s.flits.pop_front();
        if (flit + 1 < packet->flits) continue;
        deliver(*packet, t);
        const unsigned lane = vl(port.peer, packet->level);
        credit_at[t + net.ports[port.peer].latency].push_back(
            {port.peer * L + lane, packet->flits});
      }
    }
  }

  void place_requests(Time t) {
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (m.queueing == Queueing::kFifo) {
        if (!in[i].packets.empty() && in[i].reading_until <= t) ask(*in[i].packets.front(), i, t);
      } else {
        for (Pkt* packet : in[i].packets) ask(*packet, i, t);
      }
      discard_from(i, t);
    }
  }
  void ask(Pkt& packet, std::size_t in_lane, Time t) {
    if (packet.wants >= 0 || packet.in[0] + net.switch_latency > t) return;
    const NetPort& port = net.ports[in_lane / L];
    const std::uint32_t to = r.output(packet.route, port.owner, port.first, packet.dest, t);
    if (to == kNil) {
      packet.wants = kDiscarded;
      return;
    }
    packet.wants = static_cast<int>(to * L + vl(to, packet.level));
  }
  // What has no way on leaves when its last flit is there.
  void discard_from(std::size_t in_lane, Time t) {
    InBuffer& from = in[in_lane];
    for (std::size_t i = 0; i < from.packets.size();) {
      const Pkt& packet = *from.packets[i];
      if (packet.wants != kDiscarded) {
        ++i;
        continue;
      }
      from.reading_until = std::max(packet.in.back() + net.switch_latency, t + 1);
      const NetPort& port = net.ports[in_lane / L];
      credit_at[from.reading_until + net.ports[port.peer].latency].push_back(
          {port.peer * L + in_lane % L, packet.flits});
      ++discarded;
      from.packets.erase(from.packets.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  // The first packet of an input lane that asks for output lane o.
  Pkt* asking(std::size_t in_lane, std::size_t o) {
    for (Pkt* packet : in[in_lane].packets) {
      if (packet->wants == static_cast<int>(o)) return packet;
    }
    return nullptr;
  }

  void fill_adapter(std::size_t e, Time t) {
    Adapter& a = adapter[e];
    const std::size_t p = net.endpoint_port[e];
    const auto& list = src[e].messages;
    for (;;) {
      if (!a.open) {
        if (a.message == list.size() || list[a.message].created > t) return;
        if (src[e].after_sent && a.wait_sent) return;
        a.open = true;
        a.wait_sent = true;
        a.flits_left = list[a.message].flits;
        a.packet = 0;
        a.chosen = false;
        counts.push_back(std::make_unique<std::uint32_t>(
            static_cast<std::uint32_t>((a.flits_left + m.packet_flits - 1) / m.packet_flits)));
        a.left = counts.back().get();
      }
      if (a.busy_until > t) return;
      const MessageSpec& spec = list[a.message];
      if (!a.chosen) {
        const std::uint32_t n = r.paths(static_cast<Endpoint>(e), spec.dest);
        const std::uint32_t path = choice == PathChoice::kInOrderPerPacket ? a.packet % n
                                   : n > 1                                 ? a.turn++ % n
                                                                           : 0;
        a.route = r.itinerary(static_cast<Endpoint>(e), spec.dest, path);
        a.chosen = true;
      }
      const unsigned level = spec.service_level + a.route.lane;
      OutBuffer& o = out[p * L + vl(p, level)];
      const auto flits =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(a.flits_left, m.packet_flits));
      if (o.used + flits > m.output_flits) return;
      auto packet = std::make_unique<Pkt>();
      packet->source = static_cast<std::uint32_t>(e);
      packet->dest = index(spec.dest);
      packet->message = static_cast<std::uint32_t>(a.message);
      packet->number = a.packet++;
      packet->flits = flits;
      packet->level = level;
      packet->created = spec.created;
      packet->route = a.route;
      packet->left_of_message = a.left;
      a.flits_left -= flits;
      packet->last = a.flits_left == 0;
      const Time y = net.ports[p].adapter_ticks;
      for (Time i = 0; i < flits; ++i) packet->out.push_back(t + (y == 0 ? 0 : (i + 1) * y));
      a.busy_until = t + flits * y;
      a.chosen = false;
      if (a.flits_left == 0) {
        a.open = false;
        ++a.message;
      }
      o.used += flits;
      o.packets.push_back(packet.get());
      all.push_back(std::move(packet));
    }
  }

  // Whose turn it is among the input lanes that ask for this output lane.
  void grant(std::size_t o, Time t) {
    const NetPort& port = net.ports[o / L];
    if (port.owner == kNil) return;
    const std::size_t first = std::size_t{port.first} * L;
    const std::size_t count = std::size_t{net.switch_ports[port.owner]} * L;
    OutBuffer& buffer = out[o];
    const Time x = net.crossbar_ticks;
    const bool any = without_limit(o / L);
    for (;;) {
      if (!any && x != 0 && buffer.writing_until > t) return;
      std::size_t winner = count;
      for (std::size_t i = 0; i < count && winner == count; ++i) {
        const std::size_t k = (buffer.turn + i) % count;
        if (asking(first + k, o) != nullptr) winner = k;
      }
      if (winner == count) return;
      InBuffer& from = in[first + winner];
      Pkt& packet = *asking(first + winner, o);
      if (!any && buffer.used + packet.flits > m.output_flits) return;
      buffer.turn = winner + 1;
      Time free = t;
      packet.out.resize(packet.flits);
      for (std::uint32_t i = 0; i < packet.flits; ++i) {
        free = std::max(free, packet.in[i] + net.switch_latency) + x;
        packet.out[i] = free;
      }
      from.packets.erase(std::find(from.packets.begin(), from.packets.end(), &packet));
      packet.wants = -1;
      from.reading_until = std::max(free, t + 1);
      buffer.writing_until = free;
      if (any) {
        own_links.push_back({&packet, o / L});
      } else {
        buffer.used += packet.flits;
        buffer.packets.push_back(&packet);
      }
      const NetPort& in_port = net.ports[(first + winner) / L];
      credit_at[from.reading_until + net.ports[in_port.peer].latency].push_back(
          {in_port.peer * L + winner % L, packet.flits});
    }
  }

  bool can_start(std::size_t p, unsigned lane, Time t) const {
    const OutBuffer& o = out[p * L + lane];
    if (o.packets.empty() || o.credits < o.packets.front()->flits) return false;
    const Pkt& packet = *o.packets.front();
    for (std::uint32_t i = 0; i < packet.flits; ++i) {
      if (packet.out[i] > t + Time{i} * net.ports[p].flit_ticks) return false;
    }
    return true;
  }

  int choose_lane(std::size_t p, Time t) {
    std::vector<unsigned> ready[2];
    for (unsigned lane = 0; lane < L; ++lane) {
      if (!can_start(p, lane, t)) continue;
      const bool high = !m.shares.empty() && m.shares[lane].priority == Priority::kHigh;
      ready[high ? 1 : 0].push_back(lane);
    }
    Link& l = link[p];
    if (ready[0].empty() && ready[1].empty()) return -1;
    int prio = 1;
    if (ready[1].empty()) prio = 0;
    if (!ready[0].empty() && m.high_limit != 0 && l.high_run >= m.high_limit) prio = 0;
    const auto& lanes = ready[prio];
    const bool keeps =
        l.left[prio] > 0 && std::find(lanes.begin(), lanes.end(), l.at[prio]) != lanes.end();
    if (!keeps) {
      unsigned next = lanes.front();
      for (const unsigned lane : lanes) {
        if (lane > l.at[prio]) {
          next = lane;
          break;
        }
      }
      l.at[prio] = next;
      l.left[prio] = m.shares.empty() ? LaneShare{}.weight : m.shares[next].weight;
    }
    const std::uint32_t flits = out[p * L + l.at[prio]].packets.front()->flits;
    l.left[prio] -= flits;
    l.high_run = prio == 1 ? l.high_run + flits : 0;
    return static_cast<int>(l.at[prio]);
  }

  void start_link(std::size_t p, Time t) {
    if (net.ports[p].peer == kNil || link[p].packet != nullptr) return;
    const int lane = choose_lane(p, t);
    if (lane < 0) return;
    const NetPort& port = net.ports[p];
    OutBuffer& o = out[p * L + static_cast<unsigned>(lane)];
    Pkt* packet = o.packets.front();
    o.packets.pop_front();
    o.credits -= packet->flits;
    Link& l = link[p];
    l.packet = packet;
    l.lane = static_cast<unsigned>(lane);
    l.flit = 0;
    l.present = packet->out;
    packet->in.resize(packet->flits);
    for (std::uint32_t i = 0; i < packet->flits; ++i) {
      packet->in[i] = t + Time{i + 1} * port.flit_ticks + port.latency;
    }
    l.arrive = packet->in;
    if (port.endpoint != kNil) packet->started = t;
    send_flit(l, p, t);
    if (net.ports[port.peer].endpoint == kNil) {
      InBuffer& next = in[port.peer * L + static_cast<unsigned>(lane)];
      next.packets.push_back(packet);
      std::uint32_t held = 0;
      for (const Pkt* q : next.packets) held += q->flits;
      if (held > m.input_flits) throw std::logic_error("input buffer overflows");
    }
  }

  const Network& net;
  const sim::Model& m;
  const Routes& r;
  const PathChoice choice;
  const std::vector<SourceList>& src;
  std::size_t L;
  std::vector<InBuffer> in;
  std::vector<OutBuffer> out;
  std::vector<Link> link;
  std::vector<OwnLink> own_links;
  std::vector<Sink> sink;
  std::vector<Adapter> adapter;
  std::map<Time, std::vector<Credit>> credit_at;
  std::vector<std::unique_ptr<Pkt>> all;
  std::vector<std::unique_ptr<std::uint32_t>> counts;
  std::vector<Delivery> done;
  std::size_t discarded = 0;
};

}  // namespace

std::vector<Delivery> run_flits(const Network& network, const sim::Model& model,
                                const Routes& routes, PathChoice choice,
                                const std::vector<SourceList>& sources, Time until) {
  return Flits(network, model, routes, choice, sources).run(until);
}

}  // namespace fatwood::oracle
