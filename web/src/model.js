// SPDX-License-Identifier: BSD-3-Clause
// Everything that is counted from tables, once for each choice: the routes of an engine, its loads.
import { data, inflate32 } from "./data.js";
import { kNone } from "./fabric.js";
import { splitLoads } from "./groups.js";
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
} from "./routes.js";

export class Model {
  constructor(fabric) {
    this.fabric = fabric;
    this.cache = new Map();
    const engines = data.routes.map((routes, i) => i);
    // Routes that can be followed; by one port an entry, or through groups of ports.
    this.canRoute = (i) => data.routes[i].tables !== null && data.routes[i].tables !== undefined;
    this.hasGroups = (i) => this.canRoute(i) && data.routes[i].groups !== undefined;
    this.hasTables = (i) => this.canRoute(i) && !this.hasGroups(i);
    this.pickable = engines.filter(this.hasTables);
    // Those too whose loads of all to all are all that the page has.
    this.shown = engines.filter((i) => this.hasTables(i) || data.routes[i].flows);
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
    return this.once("routes", engine, () => readRoutes(this.fabric, data.routes[engine], data.routes));
  }
  // Who sends and receives: the terminals of each adapter, in order of ports.
  counted(hostsOnly) {
    const { terminals, owner, isHost } = this.fabric;
    const hosts = new Map();
    for (let t = 0; t < terminals.length; ++t) {
      if (hostsOnly && !isHost(t)) continue;
      if (!hosts.has(owner[terminals[t]])) hosts.set(owner[terminals[t]], []);
      hosts.get(owner[terminals[t]]).push(t);
    }
    return [...hosts.values()];
  }
  // Flows between terminals; null for all to all.
  flows(traffic, hostsOnly) {
    const counted = this.counted(hostsOnly);
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
  loads(engine, traffic, hostsOnly) {
    const key = JSON.stringify([engine, traffic, hostsOnly]);
    return this.once("loads", key, async () => {
      const flows = this.flows(traffic, hostsOnly);
      if (!this.canRoute(engine) || (this.hasGroups(engine) && !flows)) return this.flowsOf(engine);
      const routes = await this.routes(engine);
      if (this.hasGroups(engine)) return splitLoads(this.fabric, routes, flows);
      return flows ? flowLoads(this.fabric, routes, flows) : allToAll(this.fabric, routes, this.counted(hostsOnly));
    });
  }
  // All to all as the program counted it between switches; a terminal sends to and hears from all others.
  async flowsOf(engine) {
    const loads = Float64Array.from(await inflate32(data.routes[engine].flows));
    const { terminals, peer } = this.fabric;
    const counted = this.counted(true);
    for (const host of counted)
      for (const t of host) loads[terminals[t]] = loads[peer[terminals[t]]] = (counted.length - 1) / host.length;
    return loads;
  }
  shifts(engine, hostsOnly, weigh) {
    return this.once("shifts", `${engine} ${hostsOnly} ${weigh}`, async () => {
      const routes = await this.routes(engine);
      const counted = this.counted(hostsOnly);
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
        data.routes[engine].orders.map(async (packed) => {
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
}
