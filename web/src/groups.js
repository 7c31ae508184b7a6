// SPDX-License-Identifier: BSD-3-Clause
// Adaptive tables in the browser: what a switch chooses from, every way from one end to another,
// and loads when what comes to a switch is split evenly over the ports of its entry.
import { inflate, inflate32 } from "./inflate.js";
import { kNone } from "./fabric.js";

const kNoRoute = 255;
export const stateNames = ["static", "free", "bounded", "hashed"];

// Adds to `routes` (routes.js): kind(target, s), 0 when static; kinds[s][kind]: {state, group, ports};
// ports(target, s).
export async function addGroups(fabric, routes, raw) {
  const [rowOf, low, high, numbers] = await Promise.all([
    inflate32(raw.row_of),
    inflate(raw.rows),
    raw.rows_high ? inflate(raw.rows_high) : null,
    inflate32(raw.kinds),
  ]);
  const S = fabric.switches;
  let at = 0;
  routes.kinds = Array.from({ length: S }, () => {
    const kinds = [null];
    for (let left = numbers[at++]; left > 0; --left) {
      const [state, group, count] = numbers.subarray(at, at + 3);
      kinds.push({
        state,
        group: group === 0xffff ? null : group,
        ports: [...numbers.subarray(at + 3, at + 3 + count)],
      });
      at += 3 + count;
    }
    return kinds;
  });
  const single = Array.from({ length: 256 }, (_, port) => (port === kNoRoute ? [] : [port]));
  routes.kind = (target, s) => low[rowOf[target] * S + s] + (high ? high[rowOf[target] * S + s] * 256 : 0);
  routes.ports = (target, s) => {
    const kind = routes.kind(target, s);
    return kind === 0 ? single[routes.next[target * S + s]] : routes.kinds[s][kind].ports;
  };
}

// Follows every choice towards one target. `from(s)` visits what can be reached from a switch and
// says why some choice fails ("": none does); `order` has the switches visited, each after all that
// it can lead to.
export class Choices {
  fabric;
  failure;
  mark;
  order;
  routes;
  turn;

  constructor(fabric, routes) {
    Object.assign(this, {
      fabric,
      routes,
      mark: new Int32Array(fabric.switches),
      turn: 0,
      order: [],
      failure: new Map(),
    });
  }
  begin(destination, offset = 0) {
    this.destination = destination;
    this.target = this.routes.target(destination, offset);
    this.turn += 2; // mark: turn while a switch is open, turn + 1 when it is done
    this.order.length = 0;
    this.failure.clear();
  }
  // Channels that the entry can take; none where packets have arrived.
  channels(s) {
    const { fabric } = this;
    if (this.destination < 0 && s === -1 - this.destination) return [];
    return this.routes.ports(this.target, s).map((port) => fabric.slot(s, port));
  }
  from(start) {
    const { fabric, mark, turn, failure } = this;
    const stack = [];
    const enter = (s) => {
      mark[s] = turn;
      const next = this.channels(s);
      stack.push({ s, next, at: 0 });
      if (next.length === 0 && !(this.destination < 0 && s === -1 - this.destination))
        failure.set(s, `${fabric.switchName(s)} has no entry`);
    };
    const fail = (s, why) => failure.has(s) || failure.set(s, why);
    if (mark[start] < turn) enter(start);
    while (stack.length) {
      const top = stack.at(-1);
      if (top.at === top.next.length) {
        mark[top.s] = turn + 1;
        this.order.push(top.s);
        stack.pop();
        if (stack.length && failure.has(top.s)) fail(stack.at(-1).s, failure.get(top.s));
        continue;
      }
      const c = top.next[top.at++];
      const port = fabric.port(c);
      const to = fabric.nextSwitch[c];
      if (port > fabric.ports[fabric.node(top.s)] || fabric.peer[c] === kNone)
        fail(top.s, `${fabric.switchName(top.s)} can send to port ${port}, which has no cable`);
      else if (to < 0) {
        const end = fabric.terminalAt[fabric.peer[c]];
        if (end !== this.destination) fail(top.s, `it can end at ${fabric.endName(end)}`);
      } else if (mark[to] < turn) enter(to);
      else if (mark[to] === turn) fail(top.s, "it can go round in a loop");
      else if (failure.has(to)) fail(top.s, failure.get(to));
    }
    return failure.get(start) ?? "";
  }
}

// Every way of a pair: {target, failure, start, nodes: [{s, depth, share}], edges: [{c, share, kind}]}; shares are of
// packets that are split evenly.
export function everyWay(fabric, routes, source, destination, offset = 0) {
  const walk = new Choices(fabric, routes);
  walk.begin(destination, offset);
  const start = fabric.endSwitch(source);
  const found = { target: walk.target, start, nodes: [], edges: [], failure: "" };
  if (start < 0) return { ...found, failure: "the source is on no switch" };
  found.failure = walk.from(start);
  const share = new Map([[start, 1]]);
  const depth = new Map([[start, 0]]);
  for (const s of [...walk.order].reverse()) {
    const next = walk.channels(s);
    const here = share.get(s) ?? 0;
    found.nodes.push({ s, depth: depth.get(s) ?? 0, share: here });
    for (const c of next) {
      found.edges.push({
        c,
        s,
        share: here / next.length,
        several: next.length,
        kind: routes.kinds[s][routes.kind(walk.target, s)],
      });
      const to = fabric.nextSwitch[c];
      if (to < 0) continue;
      share.set(to, (share.get(to) ?? 0) + here / next.length);
      depth.set(to, Math.max(depth.get(to) ?? 0, (depth.get(s) ?? 0) + 1));
    }
  }
  return found;
}

// Loads of flows [source, destination, amount, part] split evenly; a flow that some choice loses is lost.
export function splitLoads(fabric, routes, flows) {
  const loads = new Float64Array(fabric.slots);
  const amount = new Float64Array(fabric.switches);
  const byEnd = new Map();
  for (const flow of flows) {
    if (!byEnd.has(flow[1])) byEnd.set(flow[1], []);
    byEnd.get(flow[1]).push(flow);
  }
  const walk = new Choices(fabric, routes);
  const addresses = 1 << routes.lmc;
  const ends = [...byEnd].flatMap(([end, list]) =>
    Array.from({ length: addresses }, (_, offset) => ({ end, list, offset })),
  );
  let lost = 0;
  for (const { end, list, offset } of ends) {
    walk.begin(end, offset);
    for (const [source, , units, part] of list) {
      const s = fabric.endSwitch(source);
      if (s < 0 || walk.from(s)) {
        lost += part / addresses;
        continue;
      }
      amount[s] += units / addresses;
      if (source >= 0) loads[fabric.terminals[source]] += units / addresses;
    }
    for (let i = walk.order.length - 1; i >= 0; --i) {
      const s = walk.order[i];
      if (amount[s] === 0) continue;
      const next = walk.channels(s);
      for (const c of next) {
        loads[c] += amount[s] / next.length;
        if (fabric.nextSwitch[c] >= 0) amount[fabric.nextSwitch[c]] += amount[s] / next.length;
      }
      amount[s] = 0;
    }
  }
  return { loads, lost };
}

// What a switch chooses from: [{state, group, ports, terminals}], kinds of entries by how many
// addresses of terminals use them; those with one port are one row, the last.
export function groupsOf(fabric, routes, s) {
  const counts = new Map();
  let single = 0;
  for (let target = 0; target < fabric.terminals.length << routes.lmc; ++target) {
    const kind = routes.kind(target, s);
    if (kind === 0 || routes.kinds[s][kind].ports.length < 2) single += 1;
    else counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const rows = [...counts]
    .map(([kind, terminals]) => ({ ...routes.kinds[s][kind], terminals }))
    .sort((a, b) => b.terminals - a.terminals || a.group - b.group);
  return { rows, single };
}

// "1-4, 9"
export function ranges(ports) {
  const parts = [];
  for (let i = 0; i < ports.length;) {
    let j = i;
    while (j + 1 < ports.length && ports[j + 1] === ports[j] + 1) ++j;
    parts.push(i === j ? `${ports[i]}` : `${ports[i]}-${ports[j]}`);
    i = j + 1;
  }
  return parts.join(", ");
}
