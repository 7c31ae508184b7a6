// SPDX-License-Identifier: BSD-3-Clause
// The page of `fatwood report`.
import "./page.css";
import { followAddress } from "./address.js";
import { data, replaceData } from "./data.js";
import { el, goTo, hideTip } from "./dom.js";
import { adaptive } from "./adaptive.js";
import { compareCounts, counters } from "./counters.js";
import { diff } from "./diff.js";
import { engines } from "./engines.js";
import { readFabric } from "./fabric.js";
import { everyWay } from "./groups.js";
import { isServed, live } from "./live.js";
import { limits } from "./limits.js";
import { loads, newView } from "./loads.js";
import { FabricMap } from "./map.js";
import { findingsByNode, handOver, mapSection } from "./mapsection.js";
import { Model } from "./model.js";
import { oddityTitles, overview } from "./overview.js";
import { pickOf } from "./paths.js";
import { forgetPlots, redrawPlots } from "./plots.js";
import { proof } from "./proof.js";
import { searchBox } from "./search.js";
import { forgetListeners, onChange, state, update } from "./store.js";
import { walk } from "./routes.js";
import { worst } from "./worst.js";

// Tables that somebody gave; else the recommended engine.
function firstEngine(model) {
  const first = (of) => model.shown.find((i) => of(data.routes[i]));
  return (
    first((routes) => routes.given) ?? first((routes) => routes.name === data.recommendation?.engine) ?? model.shown[0]
  );
}

// The pod that lacks most, else the first.
function firstPick(fabric) {
  if (!fabric.blocks.length) return { kind: "switch", s: 0 };
  const lacks = new Array(fabric.blocks.length).fill(0);
  for (const [below] of fabric.missing) if (fabric.upBlock[below] >= 0) ++lacks[fabric.upBlock[below]];
  return { kind: "pod", index: lacks.indexOf(Math.max(...lacks)) };
}

function theme() {
  const wide = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : wide.matches);
  const button = el("button", { id: "theme", title: "Light or dark", "aria-label": "Light or dark" });
  const show = () => (button.textContent = dark() ? "\u2600 light" : "\u263e dark");
  button.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    show();
    redrawAll();
  });
  wide.addEventListener("change", () => {
    show();
    redrawAll();
  });
  // Paper is white.
  addEventListener("beforeprint", () => {
    root.dataset.before = root.dataset.theme ?? "";
    root.dataset.theme = "light";
    redrawAll();
    document.querySelectorAll("details.odd").forEach((d) => (d.open = true));
  });
  addEventListener("afterprint", () => {
    if (root.dataset.before) root.dataset.theme = root.dataset.before;
    else delete root.dataset.theme;
    redrawAll();
  });
  show();
  return button;
}

let parts = [];
let liveView = null; // outlasts the data that it is shown with
let themeButton = null;
function redrawAll() {
  redrawPlots();
  parts.forEach((part) => part.redraw?.());
}

function header(fabric, onFound) {
  const links = [
    ["live", "What if"],
    ["map", "Map"],
    ["fabric", "Fabric"],
    ["engines", "Engines"],
    ["loads", "Loads"],
    ["adaptive", "Adaptive"],
    ["counters", "Counters"],
    ["proof", "Deadlock"],
    ["worst", "Worst"],
    ["difference", "Difference"],
  ];
  const shown = links.filter(([id]) => document.getElementById(id));
  document.getElementById("top").replaceChildren(
    el(
      "div",
      { class: "brand" },
      el("h1", {}, data.title),
      el("span", {}, isServed() ? "live, by Fatwood" : "a Fatwood report"),
    ),
    el(
      "nav",
      { "aria-label": "Parts of this page" },
      shown.map(([id, text]) => el("a", { href: `#${id}` }, text)),
    ),
    searchBox(fabric, { id: "search", placeholder: "Find a host, switch or port", found: onFound }),
    (themeButton ??= theme()),
    el("button", { id: "print", onclick: () => print() }, "Print"),
  );
}

async function start() {
  const began = performance.now();
  const fabric = await readFabric(data.fabric);
  const model = new Model(fabric);
  const main = document.getElementById("main");
  const routed = fabric.switches > 0; // adapters cabled to each other have no tables to look at
  const hasTables = routed && model.shown.length > 0;
  Object.assign(state, {
    engine: hasTables ? firstEngine(model) : -1,
    other: -1,
    traffic: { kind: "all" },
    hostsOnly: true,
    countFlows: false,
    ports: "number",
    pathFrom: null,
    marked: null,
    pick: hasTables ? firstPick(fabric) : null,
  });
  onChange(["engine", "other", "traffic", "hostsOnly", "countFlows", "ports", "pick"], hideTip);
  const goToSection = followAddress(fabric, hasTables ? model.shown : []);
  const sections = [overview(fabric)];
  let [matrix, map] = [null, null];
  if (hasTables) {
    const view = newView(fabric);
    map = new FabricMap(fabric, {
      shown: data.show,
      pick: (pick, joined) => update(pickOf(pick, joined)),
      describe: view.describe,
      findings: findingsByNode(fabric),
    });
    Object.assign(view, { rails: map.rails, findings: map.findings }); // for cards
    const shown = loads(fabric, model, view, map);
    matrix = shown.matrix;
    const proved = proof(fabric, model, view);
    sections.unshift(mapSection(fabric, model, map, shown.panel, limits(fabric)));
    sections.push(
      ...[
        engines(model),
        shown.section,
        data.adaptive?.length > 0 && adaptive(fabric, model),
        data.counters && counters(fabric, view),
        proved,
        worst(fabric, model),
        diff(fabric, model),
      ].filter(Boolean),
    );
    parts = [shown, proved];
  } else if (routed && data.engines.some((e) => !e.refused)) {
    state.engine = data.routes.findIndex((r) => r.curve);
    sections.push(engines(model));
  }
  if (isServed()) {
    liveView ??= live(showAgain);
    liveView.follow(fabric, map);
  }
  // The section of the live view stays where it is: somebody may type in it.
  for (const child of [...main.children]) if (child !== liveView?.section) child.remove();
  if (liveView && !liveView.section.isConnected) main.prepend(liveView.section);
  main.append(...sections);
  header(fabric, (end, channel) => {
    if (!matrix) return;
    update({
      pick:
        channel !== undefined
          ? { kind: "channel", c: channel }
          : end >= 0
            ? { kind: "host", t: end }
            : { kind: "switch", s: -1 - end },
    });
    const s = fabric.endSwitch(end);
    if (s >= 0 && fabric.switches > 40) matrix.showSwitch(s);
    if (s >= 0) map.showSwitch(s, end >= 0 || channel !== undefined ? "ports" : "near");
    goTo("map");
  });
  document
    .getElementById("foot")
    .replaceChildren(
      el(
        "p",
        {},
        "Made by ",
        el("code", {}, data.command),
        ` with fatwood ${data.version}. Fabric ${data.fingerprint}. Loads, paths and differences are counted in this browser, from the forwarding tables inside this file.`,
      ),
    );
  if (matrix) {
    await matrix.refreshed;
    matrix.resize();
    matrix.drawNow();
    map.resize();
    map.drawNow();
  }
  if (!document.documentElement.dataset.ready) goToSection();
  document.documentElement.dataset.ready = String(Math.round(performance.now() - began));
  window.fatwood = { fabric, model, matrix, map, state, update, walk, everyWay, compareCounts, oddityTitles }; // for tests, and the curious
}

// The same page with other data: what is chosen stays (the address has it), and so do zoom and place.
async function showAgain(other) {
  const before = window.fatwood;
  const place = scrollY;
  forgetListeners();
  forgetPlots();
  replaceData(other);
  await start();
  handOver(before?.map, window.fatwood.map);
  scrollTo({ top: place, behavior: "instant" });
}

start().catch((error) => {
  document
    .getElementById("main")
    .replaceChildren(el("p", { class: "poor" }, `This page can't be shown: ${error.message}`));
  throw error;
});
