// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parts of a page's data. Only page*.cpp include this.

#include "report/json.hpp"
#include "report/page.hpp"

namespace fatwood {

// {"adapters", "names" (packed, a line each, adapters first), "guids" (the same), "ports" (packed
//  bytes, a node each), "peer" (packed, a slot each), "rate_names", "rates" (packed bytes, a slot
//  each), "terminals" (packed: their slots), "counts" (packed bytes: 1 when it is a host's),
//  "roles", "levels" (packed bytes), "level_names", "lids" (packed: terminals, then switches; 0:
//  none), "blocks": [{"level", "below", "above", "beside", "cables", "regular"}], "missing":
//  [[below, above, there, usual]], "odd": [{"ports", "nodes"}] as show has them}
Json page_fabric(const Model& model, const ShowReport& show);

// Of one engine: {"name", "lmc", "lanes", "tables" (packed; null: left out), "by" ("target" or
//  "switch": what rows are), "left_out", "lane_of" (packed: row of a target; absent: one lane),
//  "lane_bytes", "orders": [packed: the place of each slot in the lane's order], "dependencies": [a
//  lane each], "cycle": {"lane", "steps": [{"channel", "source", "destination", "offset"}]} or
//  null, "curve": flows of channels between switches, most first, at even steps, "hops": [...]}
// Ends are terminals t as t and switches s as -1-s.
Json page_routes(const Fabric& fabric, const JudgedEngine& engine, std::size_t table_bytes_left);

// {"engine", "mload_now", "gigabits_now", "cables" (packed: a slot of each), "switches" (packed:
//  numbers), "costs" (packed: for each cable, then each switch, pairs lost, flows on the fullest
//  channel, Mb/s a host, entries, blocks)}; null where it was not asked
Json page_losses(const std::optional<PageLosses>& losses);

// worst_json's object, with "engine", "why_bounds", "at" (slot of the channel), "load" of it, and
// "traffic" in numbers of the hosts' first terminals
Json page_worst(const Model& model, const WorstReport& worst);

}  // namespace fatwood
