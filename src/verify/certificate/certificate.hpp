// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The proof of deadlock freedom as a file. For each lane it lists all channels in an order that
// every route follows. A channel is one direction of a cable, named by the port that it leaves.
//
// Format: text, one item per line.
//
//   fatwood certificate 1
//   fabric 0x0123456789abcdef       fingerprint of GUIDs and cables
//   tables 0x0123456789abcdef       fingerprint of tables and lanes
//   sources all                     or "terminals": whose packets the proof covers
//   lanes 2
//   lane 0 140544                   number of the lane, number of channels that follow
//   0x0020000000000000 3            node GUID and port; routes take channels in this order
//   ...
//   lane 1 140544
//   ...
//   end
//
// If packets change lanes on their path, one order covers all lanes:
//
//   ...
//   tables 0x0123456789abcdef       fingerprint of tables and service levels
//   lane-map 0x0123456789abcdef     fingerprint of the SL-to-VL tables
//   sources all
//   lanes 2
//   order 281088                    number of (channel, lane) that follow
//   0x0020000000000000 3 1          node GUID, port, lane
//   ...
//   end
//
// Adaptive tables, whose entries can have several ports, add two lines:
//
//   ...
//   tables 0x0123456789abcdef
//   sets 0x0123456789abcdef         fingerprint of the entries with several ports
//   choice every                    or "some"
//   sources all
//   ...
//
// "every": each channel that a packet may hold comes before every channel that it may take next.
// "some": it comes before at least one of them (some_choice.hpp); only for a single lane.
//
// fatwood-check (check/) and tests/oracle/certificate_check.hpp check a certificate. Neither shares
// code with this folder.

#include <ostream>

#include "verify/adaptive/some_choice.hpp"
#include "verify/deadlock/deadlock.hpp"

namespace fatwood {

// `some`: for adaptive tables, the proof to write instead of `deadlock`; otherwise nullptr.
// REQUIRES that the proof written is free() and was made for this routing and these sources, which
// are kTerminals or kAll: the format has no word for kHosts.
void write_certificate(std::ostream& out, const Fabric& fabric, const Routing& routing,
                       Sources sources, const Deadlock& deadlock, const SomeChoice* some = nullptr);

}  // namespace fatwood
