// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The severity of a finding.
//
//   bad    it breaks the fabric, or costs a switch half of its bandwidth, or a cable or host more
//          than half: disconnected components, duplicate or missing addresses, half of the uplinks
//          missing, a cable or host at a small part of its speed
//   warn   somebody should look at it: a missing or slower cable, a crossed rail, a wrong port
//   note   most likely intended: hosts on spines, aggregation nodes, groups of slower hosts
//
// A slow host is intended if several hosts (kIntended) have its rate, and more than one lane:
// storage and service hosts often have older cards. One lane of four is always a fault.

#include <cstdint>
#include <string_view>
#include <vector>

#include "topology/recognise/recognition.hpp"

namespace fatwood {

enum class Severity : std::uint8_t { kBad, kWarn, kNote };  // the worst first

std::string_view to_string(Severity severity);  // "bad", "warn", "note"

// For kinds whose severity depends on nothing else; also kinds of report/fabric/rails_report.hpp.
Severity severity_of_kind(std::string_view kind);

// By finding, in the order of Recognition::findings.
std::vector<Severity> severities(const Recognition& known);

}  // namespace fatwood
