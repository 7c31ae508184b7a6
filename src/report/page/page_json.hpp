// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parts of a page's data. Only page*.cpp include this.

#include "report/json.hpp"
#include "report/page/page.hpp"

namespace fatwood {

// {"adapters", "names" (packed, a line each, adapters first), "guids" (the same), "ports" (packed
//  bytes, a node each), "peer" (packed, a slot each), "rate_names", "rate_gigabits" (of each name;
//  0: not known), "usual_gigabits" (what a load of 1 is a flow on; 0: no rate is known), "rates"
//  (packed bytes, a slot each), "terminals" (packed: their slots), "counts" (packed bytes: 1 when
//  it is a host's), "roles", "levels" (packed bytes), "level_names", "lids" (packed: terminals,
//  then switches; 0: none), "blocks": [{"level", "below", "above", "beside", "cables", "regular"}],
//  "missing": [[below, above, there, usual]], "odd": [{"ports", "nodes"}] as in show}
Json page_fabric(const Model& model, const ShowReport& show);

// Of one engine: {"name", "given" (a file of tables), "lmc", "lanes", "tables" (packed; the number
//  of an earlier engine that has the same; null: left out), "by" ("target" or "switch": what rows
//  are), "like" and "base" (packed_tables.hpp), "groups" (of adaptive tables: page_groups),
//  "left_out", "lane_of" (packed: row of a destination; absent: one lane), "lane_bytes", "orders":
//  [packed: the slots of each lane in order], "dependencies": [a lane each], "cycle": {"lane",
//  "steps": [{"channel", "source", "destination", "offset"}]} or null, "hops": [...], "among":
//  [page_figures of each population]}
// Ends are terminals t as t and switches s as -1-s. `earlier`: tables of the engines before it;
// null where the page has none of their own.
Json page_routes(const Model& model, const EvaluatedEngine& engine,
                 std::span<const ForwardingTables* const> earlier, std::size_t table_bytes_left);

// Who takes part in figures, first PageContent::who, then all hosts if these are others: as in
//  fatwood-check(1), with "text" ("2280 compute adapters"), "terminals" (packed bytes: 1 takes
//  part) and "least" (packed: in thousandths, what the most loaded link of a channel's cut carries
//  at least, all to all; 0: in no cut)
Json page_population(const Model& model, const Measured& measured);

// All-to-all of one population: {"largest" (load of the most loaded channel between switches),
//  "curve": flows of channels between switches, weighed by their speed, most first, at even steps,
//  "worst_gbps", "p1_gbps", "median_gbps" and "_share" of each, "flows" (packed: of each channel,
//  if the browser can't count them), "pairs": page_pairs}
Json page_figures(const Measured& measured, const EvaluatedEngine& engine, bool has_tables);

// The same for the map alone: {"flows", "pairs": null}
Json page_flows(const Measured& measured, const Routing& routing);

// What pairs of hosts get in all-to-all: {"among", "rates", "cuts", "bottlenecks"} as in
//  fatwood-load(1), "slots" (the channels of each bottleneck), and "levels": [{"level",
//  "crossing", "cuts", "above" (1.02), "mean", "worst"}], evenness of the cuts of each level; null
//  for adaptive tables and where hosts have no route
Json page_pairs(const Measured& measured, const EvaluatedEngine& engine);

// Missing cables that would improve the bound of their cut, the worst cut first: [{"below",
//  "above" (switches), "cables", "cut" (its name), "now", "then" (what its pairs can get at best,
//  as shares of a host port), "ports_below", "ports_above" (slots, where they are known)}]. Exact
//  for any routing (tree_cuts.hpp); fatwood whatif computes the effect on tables.
Json page_put_back(const Measured& measured, const Recognition& known);

// check_object() with "command", and "lines": what the command line prints, [{"word", "health",
//  "text", "rows": [[word, text]]}]; null if there is none
Json page_check(const std::optional<CheckReport>& check);

// Groups of ports. {"row_of" (packed: a destination's row), "rows" (packed bytes [row][switch]: the
//  kind of entry), "rows_high" (their high bytes, if a switch has more than 256 kinds), "kinds"
//  (packed: for each switch the number of kinds without the static one, which is 0, and for each
//  of them state, group, number of ports, ports)}
Json page_groups(const Fabric& fabric, const Routing& routing);

// {"engine", "rows": [{"level" (0: all), "way" (0 up, 1 down, 2 across), "entries", "one_port"}],
//  "pairs", "exposed", "exposed_notified", "first": {"source", "destination", "cable"} or null,
//  "risky", "first_risky": {"switch", "destination", "port", "group"} or null, "seeds",
//  "why_no_hashed", "hashed": as load_json has its rows}
Json page_adaptive(const PageAdaptive& adaptive, const Routing& routing);

// What ports have sent, by slot: {"name" (of the column), "unit_bytes", "most" (the value at which
//  a counter may be stuck; 0: none), "sent" (packed, 8 bytes each; all bits set: no count),
//  "waits" (the same, in ticks, or null)}; null if the run has none
Json page_counters(const PortCounters& counters);

// What a run measured at each port, by slot: {"sent", "received" (in words of 4 bytes), "waits" (in
//  ticks), "downs", "errors": [{"name", "counts"}] (all packed, 8 bytes each; all bits set: no
//  count), "raw_ber", "effective_ber", "symbol_ber" (of what the port receives), "celsius" (of its
//  module; the same as bits of doubles; NaN: not known), "fec" (packed bytes, numbers of
//  "fec_names"), "node_celsius" (by node)}; keys that the run lacks are absent or null; null if it
//  has none of them
Json page_ports(const RunData* run);

// {"engine", "mload_now", "gigabits_now", "cables" (packed: a slot of each), "switches" (packed:
//  numbers), "costs" (packed: pairs lost of each cable, then each switch; so too 1000 mload, Mb/s
//  per host, entries, blocks)}; null if not requested. Of the first population.
Json page_losses(const std::optional<PageLosses>& losses);

// worst_json's object, with "engine", "why_bounds", "at" (slot of the channel), "load" of it, and
// "traffic" in numbers of the hosts' first terminals
Json page_worst(const Model& model, const WorstReport& worst);

}  // namespace fatwood
