// SPDX-License-Identifier: BSD-3-Clause
// What the reader has chosen, in the page's address: #loads?engine=sftree&traffic=shift:5&pick=S1_0[3].
// Only what differs from how the page opens is there; a link shows the same as it did to its sender.
import { data } from "./data.js";
import { goTo } from "./dom.js";
import { onChange, state, update } from "./store.js";

const kKeys = ["engine", "other", "traffic", "among", "countFlows", "ports", "pick"];
let first = {};
let section = "";
let listening = null; // ends the listeners of the data before

// Nodes are called by name; by GUID where several have the name.
function nodeNamer(fabric) {
  const count = new Map();
  for (const name of fabric.names) count.set(name, (count.get(name) ?? 0) + 1);
  const numbers = new Map();
  for (let node = fabric.nodes - 1; node >= 0; --node) {
    numbers.set(fabric.guids[node], node);
    if (count.get(fabric.names[node]) === 1) numbers.set(fabric.names[node], node);
  }
  return {
    name: (node) => (count.get(fabric.names[node]) === 1 ? fabric.names[node] : fabric.guids[node]),
    node: (name) => numbers.get(name),
  };
}

export function addressOf(fabric) {
  const namer = nodeNamer(fabric);
  const portName = (c) => `${namer.name(fabric.owner[c])}[${fabric.port(c)}]`;
  const channel = (text) => {
    const [, name, port] = /^([^]*)\[(\d+)\]$/.exec(text) ?? [];
    const node = namer.node(name);
    return node !== undefined && Number(port) <= fabric.ports[node] ? fabric.first[node] + Number(port) : undefined;
  };
  const endName = (end) => (end < 0 ? namer.name(fabric.node(-1 - end)) : portName(fabric.terminals[end]));
  const end = (text) => {
    const node = namer.node(text);
    if (node >= fabric.adapters) return fabric.adapters - 1 - node;
    const t = fabric.terminalAt[channel(text)];
    return t >= 0 ? t : undefined;
  };
  const engine = (name) => data.routes.findIndex((routes) => routes.name === name);

  const write = {
    engine: (i) => data.routes[i]?.name,
    other: (i) => data.routes[i]?.name ?? "none",
    among: (i) => data.populations[i].hosts,
    countFlows: String,
    ports: String,
    traffic: (t) =>
      [t.kind, t.by ?? t.seed ?? t.of ?? (t.host === undefined ? undefined : endName(t.host))]
        .filter((x) => x !== undefined)
        .join(":"),
    pick: (p) => {
      switch (p?.kind) {
        case "channel":
          return `channel:${portName(p.c)}`;
        case "switch":
          return `switch:${namer.name(fabric.node(p.s))}`;
        case "host":
          return `host:${endName(p.t)}`;
        case "pair":
          return `pair:${endName(p.a)}>${endName(p.b)}`;
        case "pod":
          return `pod:${p.index}`;
        default:
          return undefined;
      }
    },
  };
  const number = (text, most) => (/^\d+$/.test(text) && Number(text) <= most ? Number(text) : undefined);
  const read = {
    engine: (name) => (engine(name) >= 0 ? engine(name) : undefined),
    other: (name) => engine(name),
    among: (name) => {
      const i = data.populations.findIndex((one) => one.hosts === name);
      return i < 0 ? undefined : i;
    },
    countFlows: (text) => text === "true",
    ports: (text) => (text === "kind" ? "kind" : "number"),
    traffic: (text) => {
      const [, kind, rest] = /^([a-z]+):?([^]*)$/.exec(text) ?? [];
      if (kind === "all") return { kind };
      if (kind === "shift") return number(rest, fabric.terminals.length) && { kind, by: Number(rest) };
      if (kind === "permutation") return number(rest, 2 ** 31) && { kind, seed: Number(rest) };
      if (kind === "job") return data.jobs[rest] && { kind, of: Number(rest) };
      if (kind === "worst") return data.worst.some((w) => w.engine === rest) ? { kind, of: rest } : undefined;
      if (kind === "hotspot" || kind === "from") return end(rest) >= 0 ? { kind, host: end(rest) } : undefined;
      return undefined;
    },
    pick: (text) => {
      const [, kind, rest] = /^([a-z]+):([^]*)$/.exec(text) ?? [];
      if (kind === "pod")
        return number(rest, fabric.blocks.length - 1) === undefined ? undefined : { kind, index: Number(rest) };
      if (kind === "channel") return fabric.peer[channel(rest)] !== undefined ? { kind, c: channel(rest) } : undefined;
      if (kind === "switch") return end(rest) < 0 ? { kind, s: -1 - end(rest) } : undefined;
      if (kind === "host") return end(rest) >= 0 ? { kind, t: end(rest) } : undefined;
      if (kind === "pair") {
        for (let at = rest.indexOf(">"); at >= 0; at = rest.indexOf(">", at + 1)) {
          const [a, b] = [end(rest.slice(0, at)), end(rest.slice(at + 1))];
          if (a !== undefined && b !== undefined && a !== b) return { kind, a, b };
        }
      }
      return undefined;
    },
  };
  return { write, read };
}

// What an address says; what it says wrongly is as if it were not there.
function parse(codes, shown) {
  const [place, query = ""] = decodeHash().split("?", 2);
  /** @type {any} */
  const wanted = { ...first };
  for (const part of query.split("&")) {
    const [key, value] = part.split("=", 2);
    if (!kKeys.includes(key) || value === undefined) continue;
    let found;
    try {
      found = codes.read[key](decodeURIComponent(value));
    } catch {
      continue;
    }
    if (found !== undefined) wanted[key] = found;
  }
  if (!shown.includes(wanted.engine)) wanted.engine = first.engine;
  if (!shown.includes(wanted.other) || wanted.other === wanted.engine) wanted.other = -1;
  return { place, wanted };
}
const decodeHash = () => location.hash.slice(1);

const readable = (text) =>
  encodeURIComponent(text).replaceAll("%3A", ":").replaceAll("%5B", "[").replaceAll("%5D", "]");

// Call when `state` is as the page opens, before anything is drawn: takes what the address says.
export function followAddress(fabric, shown) {
  const codes = addressOf(fabric);
  first = Object.fromEntries(kKeys.map((key) => [key, state[key]]));
  const { place, wanted } = parse(codes, shown);
  section = place;
  Object.assign(state, wanted);
  const text = (key, of) => (of[key] === undefined || of[key] === null ? undefined : codes.write[key](of[key]));
  // What is chosen is a step of its own for Back; what slides is not.
  const show = (changed) => {
    const parts = kKeys
      .filter((key) => text(key, state) !== text(key, first) && text(key, state) !== undefined)
      .map((key) => `${key}=${readable(text(key, state))}`);
    const hash = section + (parts.length ? `?${parts.join("&")}` : "");
    if (hash === decodeHash()) return;
    const slides = changed?.size > 0 && [...changed].every((key) => key === "traffic" || !kKeys.includes(key));
    history[slides ? "replaceState" : "pushState"](
      history.state,
      "",
      hash ? `#${hash}` : location.pathname + location.search,
    );
  };
  onChange(kKeys, show);
  listening?.abort();
  listening = new AbortController();
  const { signal } = listening;
  addEventListener(
    "hashchange",
    () => {
      const next = parse(codes, shown);
      section = next.place;
      update(next.wanted);
      goTo(section);
    },
    { signal },
  );
  // A link to a section keeps the choices.
  document.addEventListener(
    "click",
    (event) => {
      const link = /** @type {any} */ (event.target).closest?.('a[href^="#"]');
      if (!link) return;
      event.preventDefault();
      section = link.getAttribute("href").slice(1);
      show();
      goTo(section);
      document.getElementById(section)?.focus({ preventScroll: true });
    },
    { signal },
  );
  return () => section && goTo(section);
}
