// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Checks a certificate (format: certificate.hpp) against a fabric and its routes, knowing nothing
// of how it was found: every packet of every source to every address is walked, hop by hop over
// the fabric's own ports, and must take channels of ever higher places in its lane's order. A
// route that circles can't ascend. Where routes change lanes, places are of channels in lanes; the
// cables of hosts are then left out: nothing waits for one that leaves a host, and one that
// reaches a host waits for nothing.
//
// Adaptive tables: from each source on, every port that a packet may take is followed. At each
// switch it comes to, the channels that it may have come by must be before every channel that it
// may take next, or before at least one where the certificate says "choice some".
//
// What it shares with the prover: the fabric and the tables in memory, what read or made them, and
// fingerprints. A mistake there could deceive both. What it does not share: the search for the
// order, and every walk. The program in check/ shares nothing at all and reads the files itself;
// this one also checks source routes, which are in no file.
//
// Cost: O(sources' switches * destinations * hops), in parallel over destinations.

#include <cstdint>
#include <istream>
#include <string>

#include "routing/tables/routing.hpp"

namespace fatwood::oracle {

struct CertificateCheck {
  std::string why_not;   // empty when the proof holds; else names the route and channels
  std::size_t line = 0;  // of the certificate, where that is the reason
  unsigned lanes = 0;
  bool some_choice = false;     // the proof is for adaptive packets that choose while they wait
  bool terminals_only = false;  // the proof is about packets between terminals
  std::uint64_t routes = 0;     // (source, address) walked

  bool holds() const { return why_not.empty(); }
};

// InputError with file and line when the text is not a certificate: a wrong word, number, node or
// port, a channel twice, too few or too many lines.
CertificateCheck check_certificate(std::istream& text, const std::string& name,
                                   const Fabric& fabric, const Routing& routing, int threads = 0);

}  // namespace fatwood::oracle
