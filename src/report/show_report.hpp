#pragma once
// What `fatwood show` prints.
//
// {"switches", "adapters", "terminals", "links", "hosts", "format", "summary", "shape" (null when
//  there is none), "whole", "tree", "levels": [{"level", "name", "switches", "hosts", "ports_down",
//  "ports_up", "ports_side", "ports_free", "ports_internal", "gigabits_down", "gigabits_up",
//  "oversubscription"}], "bisection": {"cables", "gigabits", "share"} or null,
//  "oddities": [{"kind", "text", "ports": ["name[port]"], "nodes": ["name"]}]}
// Levels go from the leaves up. "oversubscription" is a fraction, null at the top.

#include <string>
#include <vector>

#include "topology/capacity.hpp"
#include "topology/recognition.hpp"

namespace fatwood {

struct ShowReport {
  std::string format;  // "spec", "ibnetdiscover", ...
  std::vector<std::string> warnings;
  Recognition known;
  Capacity capacity;
};

enum class Detail { kSome, kAll };  // of the oddities

std::string show_text(const Fabric& fabric, const ShowReport& report, Detail detail);
std::string show_json(const Fabric& fabric, const ShowReport& report);

}  // namespace fatwood
