// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The simulated switch, link and adapter, in numbers. [Mahapatra12] (section 5), [Zahavi10]
// (section III), [Bogdanski12] (section 6).
//
// Time is in ticks, chosen so that every flit time in the fabric is a whole number of them. A cycle
// is the flit time of the fastest link. Sizes are in flits.
//
// A packet of F flits crosses a switch like this (f flit time of a link, l its latency):
//   link in    flit i leaves at s + i f and is in the input buffer at s + (i+1) f + l.
//   request    R = s + f + l + switch latency: the head is routed and requests its output lane,
//              if it is the first of its input lane, or the first for this output (Queueing).
//   grant      at g >= R, when the output lane's buffer has room for the whole packet and
//              receives no other packet (a crossbar without limit: any number). Requesting input
//              lanes take turns. Flits cross at x = cycle / speed-up each, or as they arrive:
//              flit i is across at d(i) = max(g + (i+1) x, R + i f + x). At d(F-1), but not in
//              the tick of the grant, the input buffer is freed; the credit reaches the sender l
//              later.
//   link out   starts at the first tick from which the packet can be sent without a gap, in order
//              of grants within a lane, when the receiver's buffer has room for the whole packet.
//              Lanes share the link by weights in two priorities (WRR). The output buffer is
//              freed with the last flit.
//   adapter    receives flits at y each (0: as they arrive). The packet is delivered, and its
//              buffer freed, at max(max(free, H) + F y, H + (F-1) f + y), where H is its head's
//              arrival.
// Receivers without limit take everything at once. At the last switch a packet is granted at its
// request (g = R, or when the FIFO before it has been read), gets its own link to the adapter,
// started like any other, and is delivered with its last flit. So nothing waits for a receiver, and
// only the fabric is measured.
// A source sends its messages in order, split into packets; the last one may be shorter. Its
// adapter moves the next packet into the output buffer when that has room, y per flit. Port 0 of a
// switch is an adapter on a link of its own, without latency.
//
// Within a tick, the order is: buffers and credits are freed and requests are placed; grants; links
// start. Each phase sees the results of the phases before it, never its own. So the order of ports
// does not matter.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/ids.hpp"
#include "core/table.hpp"
#include "topology/fabric.hpp"

namespace fatwood::sim {

inline constexpr unsigned kMaxLanes = 15;  // data lanes of InfiniBand
inline constexpr unsigned kServiceLevels = 16;

enum class Priority : std::uint8_t { kLow, kHigh };

struct LaneShare {
  Priority priority = Priority::kLow;
  std::uint32_t weight = 64;  // flits per turn; at least 1
};

// How the packets of an input lane wait. kFifo: in order, so a blocked packet blocks all behind it.
// kByOutput: only behind packets for the same output (virtual output queues in one buffer); several
// may be read at once.
enum class Queueing : std::uint8_t { kByOutput, kFifo };

// The capacity of the last link of a path and of its adapter. kLink: one packet after the other, as
// on any link. kUnlimited: any number at once (see above), for hosts and for switches' own ports.
enum class Receivers : std::uint8_t { kLink, kUnlimited };

using SlToVl = std::array<std::uint8_t, kServiceLevels>;

struct Model {
  std::uint32_t packet_flits = 10;  // of every packet except the last of a message
  std::uint32_t flit_bytes = 64;    // to turn bytes and seconds into flits and cycles
  std::uint32_t input_flits = 40;   // buffer of an input lane
  std::uint32_t output_flits = 40;  // buffer of an output lane
  unsigned lanes = 1;               // virtual lanes of every port
  Queueing queueing = Queueing::kByOutput;
  Receivers receivers = Receivers::kLink;
  std::uint32_t crossbar_speedup = 0;  // 0: no limit
  std::uint32_t link_latency = 0;      // cycles
  std::uint32_t switch_latency = 0;    // cycles
  std::uint32_t burst_silence = 100;   // cycles after which a bounded entry chooses again
  std::vector<LaneShare> shares;       // by lane; empty: all low, 64
  std::uint32_t high_limit = 0;  // high-priority flits before a waiting low packet; 0: no limit
  // By service level. One map for all outputs, or several, and which of them each output (a
  // channel, or port 0 of a switch) uses. Empty: lane = service level mod lanes.
  std::vector<SlToVl> sl_to_vl;
  Table<Channel, std::uint16_t> sl_to_vl_of;  // empty: the first
  // Mb/s. Links have the rate of the fabric, or kDefaultRate if it is unknown, unless given here.
  std::uint32_t link_speed = 0;             // for all links; 0: the fabric's
  Table<Channel, std::uint32_t> speeds;     // by channel; empty, or 0: as above
  Table<Channel, std::uint32_t> latencies;  // cycles by channel; empty: link_latency
  std::uint32_t terminal_speed = 0;         // of an adapter (PCIe); 0: no limit
  std::uint32_t port0_speed = 0;            // of a switch's own port; 0: the fastest link's
};

}  // namespace fatwood::sim
