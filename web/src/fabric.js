// SPDX-License-Identifier: BSD-3-Clause
// The fabric: nodes (adapters, then switches), slots (a port each: the channel that leaves it),
// terminals (connected adapter ports). Ends of routes are terminals t >= 0 and switches -1-s.
import { inflate, inflate32, inflateLines } from "./inflate.js";

export const kNone = 0xffffffff;
const kAggregation = 1; // TerminalRole

// populations: who takes part in figures (page_population in report/page/page_json.hpp)
export async function readFabric(raw, populations) {
  const [names, guids, ports, peer, rates, terminals, counts, roles, levels, lids] = await Promise.all([
    inflateLines(raw.names),
    inflateLines(raw.guids),
    inflate(raw.ports),
    inflate32(raw.peer),
    inflate(raw.rates),
    inflate32(raw.terminals),
    inflate(raw.counts),
    inflate(raw.roles),
    inflate(raw.levels),
    inflate32(raw.lids),
  ]);
  const nodes = names.length;
  const adapters = raw.adapters;
  const first = new Uint32Array(nodes + 1);
  for (let n = 0; n < nodes; ++n) first[n + 1] = first[n] + ports[n] + 1;
  const slots = first[nodes];
  const owner = new Uint32Array(slots);
  for (let n = 0; n < nodes; ++n) owner.fill(n, first[n], first[n + 1]);
  // The switch at the far end of a channel; -1: an adapter, or no cable.
  const nextSwitch = new Int32Array(slots).fill(-1);
  for (let c = 0; c < slots; ++c) {
    if (peer[c] !== kNone && owner[peer[c]] >= adapters) nextSwitch[c] = owner[peer[c]] - adapters;
  }
  const terminalAt = new Int32Array(slots).fill(-1);
  const leaf = new Int32Array(terminals.length);
  terminals.forEach((c, t) => {
    terminalAt[c] = t;
    leaf[t] = nextSwitch[c];
  });
  const fabric = {
    names,
    guids,
    ports,
    peer,
    rates,
    rateNames: raw.rate_names,
    terminals,
    roles,
    levels,
    lids,
    nodes,
    adapters,
    switches: nodes - adapters,
    first,
    slots,
    owner,
    nextSwitch,
    terminalAt,
    leaf,
    levelNames: raw.level_names,
    blocks: raw.blocks,
    missing: raw.missing,
    odd: raw.odd,
    height: raw.level_names.length,
  };
  // What a flow weighs on a channel: more where it is slower than the usual one of an adapter.
  fabric.gigabits = (c) => raw.rate_gigabits?.[rates[c]] ?? 0;
  fabric.usualGigabits = raw.usual_gigabits ?? 0;
  const weights = raw.rate_names.map((_, i) =>
    fabric.usualGigabits > 0 && raw.rate_gigabits?.[i] > 0 ? fabric.usualGigabits / raw.rate_gigabits[i] : 1,
  );
  fabric.weight = (c) => weights[rates[c]];
  fabric.speedsDiffer = weights.some((weight, i) => weight !== 1 && rates.includes(i));
  nameAggregation(fabric);
  // Of each population: 1 for terminals that take part; the least load of each channel's cut (0: in no cut).
  fabric.takesPart = await Promise.all(populations.map((one) => inflate(one.terminals)));
  fabric.least = await Promise.all(
    populations.map(async (one) => Float64Array.from(await inflate32(one.least), (v) => v / 1000)),
  );
  fabric.isHost = (t) => counts[t] === 1;
  fabric.node = (s) => adapters + s;
  fabric.port = (c) => c - first[owner[c]];
  fabric.slot = (s, port) => first[adapters + s] + port;
  fabric.portName = (c) => `${names[owner[c]]}[${c - first[owner[c]]}]`;
  fabric.switchName = (s) => names[adapters + s];
  fabric.endName = (end) => (end < 0 ? names[adapters - 1 - end] : terminalName(fabric, end));
  fabric.endSwitch = (end) => (end < 0 ? -1 - end : leaf[end]);
  fabric.upBlock = blockOf(fabric, ["below", "beside"]);
  fabric.downBlock = blockOf(fabric, ["above"]);
  fabric.parallelTerminals = countTerminals(fabric);
  return fabric;
}

// Files give all aggregation nodes the same name; their switch says which one it is.
function nameAggregation({ names, owner, roles, terminals, leaf, adapters }) {
  terminals.forEach((c, t) => {
    if (roles[t] === kAggregation && leaf[t] >= 0) names[owner[c]] = `${names[adapters + leaf[t]]} aggregation`;
  });
}

function countTerminals(fabric) {
  const count = new Uint32Array(fabric.nodes);
  for (const c of fabric.terminals) ++count[fabric.owner[c]];
  return count;
}

// "H3", or "H3[2]" where the adapter has several ports in use.
function terminalName(fabric, t) {
  const c = fabric.terminals[t];
  return fabric.parallelTerminals[fabric.owner[c]] > 1 ? fabric.portName(c) : fabric.names[fabric.owner[c]];
}

function blockOf(fabric, keys) {
  const of = new Int32Array(fabric.switches).fill(-1);
  fabric.blocks.forEach((block, i) => keys.forEach((key) => block[key].forEach((s) => (of[s] = i))));
  return of;
}

// "spine switch", or "switch" where there is one level.
export const levelOf = (fabric, s) =>
  fabric.height === 1 ? "switch" : `${fabric.levelNames[fabric.levels[s] - 1]} switch`;

// "up", "down", "across", "host" (into a host), "inside" (aggregation), "free" (no cable).
export function kindOf(fabric, c) {
  if (fabric.peer[c] === kNone) return "free";
  const s = fabric.owner[c] - fabric.adapters;
  if (s < 0) return "from";
  const next = fabric.nextSwitch[c];
  if (next < 0) return fabric.isHost(fabric.terminalAt[fabric.peer[c]]) ? "host" : "inside";
  const step = fabric.levels[next] - fabric.levels[s];
  return step > 0 ? "up" : step < 0 ? "down" : "across";
}

const collator = new Intl.Collator("en", { numeric: true });

// The switches of each level, the top first, neighbours in the tree side by side.
export function bands(fabric) {
  const of = [];
  for (let level = fabric.height; level >= 1; --level) {
    const switches = [];
    for (let s = 0; s < fabric.switches; ++s) if (fabric.levels[s] === level) switches.push(s);
    if (switches.length === 0) continue;
    const pod = (s) => (fabric.downBlock[s] >= 0 && level > 1 ? fabric.downBlock[s] : fabric.upBlock[s]) >>> 0;
    switches.sort((a, b) => pod(a) - pod(b) || collator.compare(fabric.switchName(a), fabric.switchName(b)));
    let ports = 0;
    for (const s of switches) ports = Math.max(ports, fabric.ports[fabric.node(s)]);
    of.push({ level, name: fabric.levelNames[level - 1], switches, ports, pod });
  }
  return of;
}

// The kind of a channel as charts have it: "leaf up", "to hosts", ..; `level` gives its colour and
// `way` its dash; `rank` goes from the sender up and down again.
export function rowOf(fabric, c) {
  const kind = kindOf(fabric, c);
  if (kind === "from") return { name: "from hosts", level: 0, way: "up", rank: -1 };
  if (kind === "host" || kind === "inside") return { name: "to hosts", level: 0, way: "down", rank: 1000 };
  const level = fabric.levels[fabric.owner[c] - fabric.adapters];
  const name = fabric.height ? `${fabric.levelNames[level - 1]} ${kind}` : kind;
  return { name, level, way: kind, rank: kind === "up" ? level : kind === "across" ? 300 : 600 - level };
}

// Who sends and receives: the terminals of each adapter of a population, in order of ports.
export function hostsOf(fabric, among) {
  const { terminals, owner } = fabric;
  const hosts = new Map();
  for (let t = 0; t < terminals.length; ++t) {
    if (!fabric.takesPart[among][t] || !fabric.isHost(t)) continue;
    if (!hosts.has(owner[terminals[t]])) hosts.set(owner[terminals[t]], []);
    hosts.get(owner[terminals[t]]).push(t);
  }
  return [...hosts.values()];
}

// Terminals on each switch, in order of its ports.
export function hostsBySwitch(fabric) {
  const of = Array.from({ length: fabric.switches }, () => []);
  fabric.terminals.forEach((c, t) => fabric.leaf[t] >= 0 && fabric.isHost(t) && of[fabric.leaf[t]].push(t));
  for (const list of of) list.sort((a, b) => fabric.peer[fabric.terminals[a]] - fabric.peer[fabric.terminals[b]]);
  return of;
}
