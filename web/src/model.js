// SPDX-License-Identifier: BSD-3-Clause
// What the page asks of the tables. A worker counts (counting.js); the last few answers are kept.
import { Counting } from "./counting.js";
import { hostsOf } from "./fabric.js";

const kKept = 6; // answers of each kind
const kAsked = ["loads", "shifts", "places", "check", "difference", "paths", "groups"];

export class Model {
  cache;
  data;
  fabric;
  last;
  waiting;

  constructor(fabric, data) {
    Object.assign(this, { fabric, data, cache: new Map(), waiting: new Map(), last: 0, worker: null });
    const engines = data.routes.map((_, i) => i);
    // Routes that can be followed; by one port an entry, or through groups of ports.
    this.canRoute = (i) => data.routes[i].tables !== null && data.routes[i].tables !== undefined;
    this.hasGroups = (i) => this.canRoute(i) && data.routes[i].groups !== undefined;
    this.hasTables = (i) => this.canRoute(i) && !this.hasGroups(i);
    this.pickable = engines.filter(this.hasTables);
    // Those too whose loads of all to all are all that the page has.
    this.shown = engines.filter((i) => this.hasTables(i) || data.routes[i].among?.[0].flows);
    for (const name of kAsked) this[name] = (...args) => this.once(name, args);
  }
  counted(among) {
    return hostsOf(this.fabric, among);
  }
  // A Counting of its own on this thread, for tests and the curious.
  counting() {
    return new Counting(this.fabric, this.data);
  }
  // When all that was asked is answered.
  async idle() {
    while (this.waiting.size) await Promise.race([...this.waiting.values()].map(({ answered }) => answered));
  }
  close() {
    this.worker?.terminate();
  }

  once(name, args) {
    const kept = this.cache.get(name) ?? new Map();
    this.cache.set(name, kept);
    const key = JSON.stringify(args);
    if (!kept.has(key)) {
      if (kept.size >= kKept) kept.delete(kept.keys().next().value);
      kept.set(key, this.ask(name, args));
    }
    return kept.get(key);
  }
  ask(name, args) {
    // What the program counted is there.
    if (name === "loads" && !this.canRoute(args[0])) return this.counting().loads(...args);
    if (!this.worker) this.start();
    const id = ++this.last;
    const answered = new Promise((done, failed) => this.waiting.set(id, { done, failed, answered: null }));
    this.waiting.get(id).answered = answered;
    this.worker.postMessage({ id, name, args });
    return answered;
  }
  start() {
    const url = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" })); // build.mjs has the text
    this.worker = new Worker(url);
    this.worker.addEventListener("message", ({ data: { id, result, error } }) => {
      const { done, failed } = this.waiting.get(id);
      this.waiting.delete(id);
      if (error === undefined) done(result);
      else failed(new Error(error));
    });
    const { fabric, populations, routes, worst, jobs } = this.data;
    this.ask("open", [{ fabric, populations, routes, worst, jobs }]);
  }
}
