// SPDX-License-Identifier: BSD-3-Clause
// Forwarding tables in the browser: paths, loads of any traffic, the check of a proof, differences.
import { inflate, inflate32 } from "./inflate.js";
import { kNone } from "./fabric.js";
import { addGroups } from "./groups.js";

const kNoRoute = 255;

// Tables of an engine, rows by switch: each may be the difference from another row, or from the same
// row of another engine (report/page/packed_tables.hpp).
async function switchRows(raw, all, switches, targets) {
  const rows = await inflate(raw.tables);
  if (raw.by === "target") return transposed(rows, targets, switches);
  const like = await inflate32(raw.like);
  const base = raw.base === undefined ? null : await switchRows(all[raw.base], all, switches, targets);
  for (let s = 0; s < switches; ++s) {
    if (like[s] === 0) continue;
    const [from, at] = like[s] === 1 + switches ? [base, s] : [rows, like[s] - 1];
    for (let k = 0; k < targets; ++k) rows[s * targets + k] ^= from[at * targets + k];
  }
  return rows;
}

// Tables [target][switch]: terminals * 2^lmc, then switches.
export async function readRoutes(fabric, raw, all) {
  const holder = typeof raw.tables === "number" ? all[raw.tables] : raw;
  const targets = (fabric.terminals.length << raw.lmc) + fabric.switches;
  const next =
    holder.by === "target"
      ? await inflate(holder.tables)
      : transposed(await switchRows(holder, all, fabric.switches, targets), fabric.switches, targets);
  const routes = { name: raw.name, next, lmc: raw.lmc, targets, laneCount: raw.lanes, orders: raw.orders, raw };
  if (raw.lane_of) {
    routes.laneOf = await inflate32(raw.lane_of);
    routes.lanes = await inflate(raw.lane_bytes);
  }
  routes.target = (end, offset = 0) =>
    end < 0 ? (fabric.terminals.length << raw.lmc) - 1 - end : (end << raw.lmc) + offset;
  routes.lane = (target, s) => (routes.laneOf ? routes.lanes[routes.laneOf[target] * fabric.switches + s] : 0);
  if (raw.groups) await addGroups(fabric, routes, raw.groups);
  return routes;
}

function transposed(bytes, rows, columns) {
  const out = new Uint8Array(bytes.length);
  for (let r = 0; r < rows; ++r) {
    for (let c = 0, at = r * columns; c < columns; ++c) out[c * rows + r] = bytes[at + c];
  }
  return out;
}

// The channels from one end to another, and why it ends early ("" when it arrives).
export function walk(fabric, routes, source, destination, offset = 0) {
  const target = routes.target(destination, offset);
  const channels = [];
  let s = fabric.endSwitch(source);
  if (source >= 0) channels.push(fabric.terminals[source]);
  if (s < 0) return { channels, target, failure: "the source is on no switch" };
  for (let hops = 0; hops <= fabric.switches; ++hops) {
    if (destination < 0 && s === -1 - destination) return { channels, target, failure: "" };
    const port = routes.next[target * fabric.switches + s];
    if (port === kNoRoute) return { channels, target, failure: `${fabric.switchName(s)} has no entry` };
    const c = fabric.slot(s, port);
    if (port > fabric.ports[fabric.node(s)] || fabric.peer[c] === kNone) {
      return { channels, target, failure: `${fabric.switchName(s)} sends to port ${port}, which has no cable` };
    }
    channels.push(c);
    s = fabric.nextSwitch[c];
    if (s < 0) {
      const at = fabric.terminalAt[fabric.peer[c]];
      return { channels, target, failure: at === destination ? "" : `it ends at ${fabric.endName(at)}` };
    }
  }
  return { channels, target, failure: "it goes round in a loop" };
}

// Flows of hosts [from, to, amount], each by its ports in equal shares: the i-th to the i-th where
// both have as many, else each to each. [source, destination, amount, part of the flow]
export function byPorts(flows) {
  return flows.flatMap(([from, to, amount]) => {
    const pairs =
      from.length === to.length ? from.map((t, i) => [t, to[i]]) : from.flatMap((t) => to.map((u) => [t, u]));
    return pairs.map(([t, u]) => [t, u, amount / pairs.length, 1 / pairs.length]);
  });
}

// Flows on each channel when every host sends to every other, shared by its ports and addresses. A
// source whose route does not arrive counts nowhere; what hosts send themselves is left at 0.
export function allToAll(fabric, routes, counted) {
  const S = fabric.switches;
  const loads = new Float64Array(fabric.slots);
  const weights = new Map(); // what leaves send to the j-th port of a host with so many
  const weightOf = (ports, j) => {
    const key = `${ports} ${j}`;
    if (!weights.has(key)) {
      const weight = new Float64Array(S);
      for (const host of counted) {
        const senders = host.length === ports ? [host[j]] : host;
        for (const t of senders) if (fabric.leaf[t] >= 0) weight[fabric.leaf[t]] += 1 / (ports * senders.length);
      }
      weights.set(key, weight);
    }
    return weights.get(key);
  };
  const state = {
    order: new Int32Array(S),
    waiting: new Int32Array(S),
    to: new Int32Array(S),
    arrives: new Uint8Array(S),
    behind: new Float64Array(S),
  };
  for (const host of counted) {
    host.forEach((t, j) => {
      const home = fabric.leaf[t];
      if (home < 0) return;
      for (let offset = 0; offset < 1 << routes.lmc; ++offset) {
        addTree(
          fabric,
          routes,
          routes.target(t, offset),
          t,
          home,
          weightOf(host.length, j),
          1 / host.length,
          state,
          loads,
        );
      }
    });
  }
  return routes.lmc ? loads.map((value) => value / (1 << routes.lmc)) : loads;
}

// `own`: what of the weight at home is the host itself.
function addTree(fabric, routes, target, t, home, weight, own, state, loads) {
  const S = fabric.switches;
  const { order, waiting, to, arrives, behind } = state;
  const row = target * S;
  const first = fabric.first;
  const adapters = fabric.adapters;
  waiting.fill(0);
  arrives.fill(0);
  for (let s = 0; s < S; ++s) {
    const port = routes.next[row + s];
    to[s] = port === kNoRoute || s === home ? -1 : fabric.nextSwitch[first[adapters + s] + port];
    if (to[s] >= 0) ++waiting[to[s]];
  }
  let size = 0;
  for (let s = 0; s < S; ++s) if (waiting[s] === 0) order[size++] = s;
  for (let i = 0; i < size; ++i) {
    const n = to[order[i]];
    if (n >= 0 && --waiting[n] === 0) order[size++] = n;
  }
  const last = first[adapters + home] + routes.next[row + home];
  arrives[home] = fabric.terminalAt[fabric.peer[last]] === t ? 1 : 0;
  for (let i = size - 1; i >= 0; --i) {
    const s = order[i];
    if (to[s] >= 0) arrives[s] = arrives[to[s]];
  }
  if (!arrives[home]) return;
  behind.set(weight);
  behind[home] -= own;
  for (let i = 0; i < size; ++i) {
    const s = order[i];
    if (!arrives[s] || behind[s] < 1e-12) continue;
    loads[first[adapters + s] + routes.next[row + s]] += behind[s];
    if (to[s] >= 0) behind[to[s]] += behind[s];
  }
}

// Loads of flows [source, destination, amount, part], shared by addresses; those without a route are
// counted as lost.
export function flowLoads(fabric, routes, flows) {
  const loads = new Float64Array(fabric.slots);
  const addresses = 1 << routes.lmc;
  let lost = 0;
  for (const [source, destination, amount, part] of flows) {
    for (let offset = 0; offset < addresses; ++offset) {
      const { channels, failure } = walk(fabric, routes, source, destination, offset);
      if (failure) lost += part / addresses;
      else for (const c of channels) loads[c] += amount / addresses;
    }
  }
  return { loads, lost };
}

export const shiftFlows = (counted, by) =>
  counted.map((t, i) => [t, counted[(i + by) % counted.length], 1]).filter(([a, b]) => a !== b);

// Fisher-Yates with splitmix32.
export function permutationFlows(counted, seed) {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 4294967296;
  };
  const to = [...counted];
  for (let i = to.length - 1; i > 0; --i) {
    const j = Math.floor(random() * (i + 1));
    [to[i], to[j]] = [to[j], to[i]];
  }
  return counted.map((t, i) => [t, to[i], 1]).filter(([a, b]) => a !== b);
}

// The most flows on a channel between switches, in each of the shifts; weighed by speed if asked.
export function shiftCurve(fabric, routes, counted, shifts, weigh) {
  const load = new Float64Array(fabric.slots);
  const weight = Float64Array.from(load, (_, c) => (weigh ? fabric.weight(c) : 1));
  const addresses = 1 << routes.lmc;
  return shifts.map((by) => {
    load.fill(0);
    let most = 0;
    for (const [source, t, amount] of byPorts(shiftFlows(counted, by))) {
      for (let offset = 0; offset < addresses; ++offset) {
        const row = routes.target(t, offset) * fabric.switches;
        let s = fabric.leaf[source];
        for (let hops = 0; s >= 0 && hops < 64; ++hops) {
          const port = routes.next[row + s];
          if (port === kNoRoute) break;
          const c = fabric.first[fabric.adapters + s] + port;
          s = fabric.nextSwitch[c];
          if (s >= 0 && (load[c] += (weight[c] * amount) / addresses) > most) most = load[c];
        }
      }
    }
    return most;
  });
}

// Walks every route from every switch to every address and sees that places in its lane's order
// ascend. {routes, hops, bad: null or {s, target, from, to}}
export function checkOrder(fabric, routes, places) {
  const S = fabric.switches;
  let count = 0;
  let hops = 0;
  for (let target = 0; target < routes.targets; ++target) {
    for (let source = 0; source < S; ++source) {
      const place = places[routes.lane(target, source)];
      let last = -1;
      let s = source;
      let from = kNone;
      ++count;
      for (;;) {
        const port = routes.next[target * S + s];
        if (port === kNoRoute || port === 0) break;
        const c = fabric.first[fabric.adapters + s] + port;
        if (!(place[c] > last)) return { routes: count, hops, bad: { source, target, from, to: c } };
        last = place[c];
        from = c;
        ++hops;
        s = fabric.nextSwitch[c];
        if (s < 0) break;
      }
    }
  }
  return { routes: count, hops, bad: null };
}

// Entries in which two tables differ, by switch, and host pairs that take another way.
export function difference(fabric, a, b) {
  const S = fabric.switches;
  const T = fabric.terminals.length;
  const bySwitch = new Uint32Array(S);
  let entries = 0;
  let pairs = 0;
  const sources = new Uint32Array(S);
  for (let t = 0; t < T; ++t) if (fabric.leaf[t] >= 0) ++sources[fabric.leaf[t]];
  const changed = new Int8Array(S);
  const stack = [];
  // By terminal: the pairs that take another route to it, and a switch that one of them starts at.
  const [pairsTo, from] = [new Uint32Array(T), new Int32Array(T).fill(-1)];
  for (let target = 0; target < a.targets; ++target) {
    changed.fill(-1);
    const row = target * S;
    const mate = matching(fabric, a, b, target);
    for (let s = 0; s < S; ++s) {
      if (a.next[row + s] !== b.next[mate * S + s]) {
        ++bySwitch[s];
        ++entries;
      }
    }
    if (target >= T << a.lmc) continue;
    for (let s = 0; s < S; ++s) {
      if (sources[s] === 0) continue;
      let at = s;
      stack.length = 0;
      while (at >= 0 && changed[at] < 0) {
        if (a.next[row + at] !== b.next[mate * S + at]) {
          changed[at] = 1;
          break;
        }
        changed[at] = 0; // until known; cuts circles
        stack.push(at);
        const port = a.next[row + at];
        at = port === kNoRoute ? -1 : fabric.nextSwitch[fabric.first[fabric.adapters + at] + port];
      }
      const verdict = at >= 0 ? changed[at] : 0;
      for (const s2 of stack) changed[s2] = verdict;
      const t = target >> a.lmc;
      const here = changed[s] ? sources[s] - (fabric.leaf[t] === s ? 1 : 0) : 0;
      if (here === 0) continue;
      pairs += here;
      pairsTo[t] += here;
      if (fabric.leaf[t] !== s) from[t] = s;
    }
  }
  return { bySwitch, pairsTo, from, entries, pairs, allEntries: a.targets * S, allPairs: (T << a.lmc) * (T - 1) };
}

// The same address in tables of another lmc: the first of the terminal.
function matching(fabric, a, b, target) {
  if (a.lmc === b.lmc) return target;
  const terminals = fabric.terminals.length;
  if (target >= terminals << a.lmc) return target - (terminals << a.lmc) + (terminals << b.lmc);
  return (target >> a.lmc) << b.lmc;
}
