// SPDX-License-Identifier: BSD-3-Clause
// Everything that is counted from tables, once for each choice: routes of an engine, loads, paths. It
// runs in a worker (worker.js), so that the page never waits for it; model.js asks.

import { hostsOf, kNone } from "./fabric.js";
import { everyWay, groupsOf, splitLoads } from "./groups.js";
import { inflate32 } from "./inflate.js";
import {
  allToAll,
  byPorts,
  checkOrder,
  difference,
  flowLoads,
  permutationFlows,
  readRoutes,
  shiftCurve,
  shiftFlows,
  walk,
} from "./routes.js";

export class Counting {
  cache;
  data;
  fabric;

  // data: {routes, worst, jobs} of the page
  constructor(fabric, data) {
    Object.assign(this, { fabric, data, cache: new Map() });
  }
  // Keeps the last few results of each kind.
  async once(kind, key, make) {
    const kept = this.cache.get(kind) ?? new Map();
    this.cache.set(kind, kept);
    if (!kept.has(key)) {
      if (kept.size >= 6) kept.delete(kept.keys().next().value);
      kept.set(key, make());
    }
    return kept.get(key);
  }
  routes(engine) {
    return this.once("routes", engine, () => readRoutes(this.fabric, this.data.routes[engine], this.data.routes));
  }
  // Flows between terminals; null for all to all.
  flows(traffic, among) {
    const { data } = this;
    const counted = hostsOf(this.fabric, among);
    const hostOf = (t) => counted.find((host) => host.includes(t)) ?? [t];
    const others = (host) => counted.filter((other) => other !== host);
    switch (traffic.kind) {
      case "shift":
        return byPorts(shiftFlows(counted, traffic.by % counted.length || 1));
      case "permutation":
        return byPorts(permutationFlows(counted, traffic.seed));
      case "hotspot":
        return byPorts(others(hostOf(traffic.host)).map((host) => [host, hostOf(traffic.host), 1]));
      case "from":
        return byPorts(others(hostOf(traffic.host)).map((host) => [hostOf(traffic.host), host, 1]));
      case "worst":
        return this.listed((data.worst.find((w) => w.engine === traffic.of) ?? data.worst[0]).traffic, counted);
      case "job":
        return this.listed((data.jobs[traffic.of] ?? data.jobs[0]).traffic, counted);
      default:
        return null;
    }
  }
  // A list names the first terminals of hosts.
  listed(traffic, counted) {
    const of = new Map(counted.flatMap((host) => host.map((t) => [t, host])));
    return byPorts(traffic.map(([a, b, amount]) => [of.get(a) ?? [a], of.get(b) ?? [b], amount]));
  }
  // {loads, lost}: by channel, and how many flows have no route
  loads(engine, traffic, among) {
    const key = JSON.stringify([engine, traffic, among]);
    return this.once("loads", key, async () => {
      const flows = this.flows(traffic, among);
      const { tables, groups } = this.data.routes[engine];
      if (tables === null || tables === undefined || (groups && !flows)) return this.flowsOf(engine, among);
      const routes = await this.routes(engine);
      if (groups) return splitLoads(this.fabric, routes, flows);
      if (flows) return flowLoads(this.fabric, routes, flows);
      return { loads: allToAll(this.fabric, routes, hostsOf(this.fabric, among)), lost: 0 };
    });
  }
  // All to all as the program counted it.
  async flowsOf(engine, among) {
    const loads = Float64Array.from(await inflate32(this.data.routes[engine].among[among].flows));
    const { terminals, peer } = this.fabric;
    const hosts = hostsOf(this.fabric, among);
    for (const host of hosts) {
      for (const t of host) loads[terminals[t]] = loads[peer[terminals[t]]] = (hosts.length - 1) / host.length;
    }
    return { loads, lost: 0 };
  }
  shifts(engine, among, weigh) {
    return this.once("shifts", `${engine} ${among} ${weigh}`, async () => {
      const routes = await this.routes(engine);
      const counted = hostsOf(this.fabric, among);
      const points = Math.min(counted.length - 1, 240);
      const by = [
        ...new Set(
          Array.from(
            { length: points },
            (_, i) => 1 + Math.round((i * (counted.length - 2)) / Math.max(1, points - 1)),
          ),
        ),
      ];
      return { by, most: shiftCurve(this.fabric, routes, counted, by, weigh) };
    });
  }
  // The place of each channel in the order of each lane.
  places(engine) {
    return this.once("places", engine, () =>
      Promise.all(
        this.data.routes[engine].orders.map(async (packed) => {
          const places = new Uint32Array(this.fabric.slots).fill(kNone);
          (await inflate32(packed)).forEach((c, i) => (places[c] = i));
          return places;
        }),
      ),
    );
  }
  async check(engine) {
    return checkOrder(this.fabric, await this.routes(engine), await this.places(engine));
  }
  difference(a, b) {
    return this.once("difference", `${a} ${b}`, async () =>
      difference(this.fabric, await this.routes(a), await this.routes(b)),
    );
  }
  // From one end to another: {ways} by tables, one for each address; {every} through groups of ports.
  async paths(engine, a, b) {
    const { fabric } = this;
    const routes = await this.routes(engine);
    const { lmc, laneCount } = routes;
    if (routes.kinds) return { lmc, laneCount, every: everyWay(fabric, routes, a, b) };
    const places = routes.orders.length ? await this.places(engine) : null;
    const from = fabric.endSwitch(a);
    const ways = Array.from({ length: b < 0 ? 1 : Math.min(4, 1 << lmc) }, (_, offset) => {
      const way = walk(fabric, routes, a, b, offset);
      const lane = from >= 0 ? routes.lane(way.target, from) : 0;
      return { ...way, lane, places: places && way.channels.map((c) => places[lane][c]) };
    });
    return { lmc, laneCount, ways };
  }
  async groups(engine, s) {
    return groupsOf(this.fabric, await this.routes(engine), s);
  }
}
