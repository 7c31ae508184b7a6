// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The proof of deadlock freedom as a file: an order of the channels for each lane.
//
// Text, one item a line:
//
//   fatwood certificate 1
//   fabric 0x0123456789abcdef       fingerprint of GUIDs and cables
//   tables 0x0123456789abcdef       fingerprint of tables and lanes
//   sources all                     or "terminals": whose packets the proof is about
//   lanes 2
//   lane 0 140544                   number, and how many channels follow
//   0x0020000000000000 3            node GUID and port of the channel that ascends next
//   ...
//   lane 1 140544
//   ...
//   end
//
// If routes change lanes on their way there is one order, of channels in lanes:
//
//   ...
//   tables 0x0123456789abcdef       fingerprint of tables and service levels
//   lane-map 0x0123456789abcdef     fingerprint of what lane each level takes where
//   sources all
//   lanes 2
//   order 281088                    how many follow
//   0x0020000000000000 3 1          node GUID, port, lane
//   ...
//   end
//
// Adaptive tables, whose entries can take several ports, have two more lines:
//
//   ...
//   tables 0x0123456789abcdef
//   sets 0x0123456789abcdef         fingerprint of the entries with several ports
//   choice every                    or "some"
//   sources all
//   ...
//
// With "every", each channel that a packet may hold is before every channel it may take next. With
// "some" (some_choice.hpp), it is before at least one of them; lanes are 1 then.
//
// A channel is the direction of a cable that leaves the port. fatwood-check (check/) checks it and
// shares no code with Fatwood; so does tests/oracle/certificate_check.hpp, in memory.

#include <ostream>

#include "verify/adaptive/some_choice.hpp"
#include "verify/deadlock/deadlock.hpp"

namespace fatwood {

// `some`: what is proved instead of `deadlock`, for adaptive tables, else null. REQUIRES free() of
// it, of this routing and sources.
void write_certificate(std::ostream& out, const Fabric& fabric, const Routing& routing,
                       Sources sources, const Deadlock& deadlock, const SomeChoice* some = nullptr);

}  // namespace fatwood
