// SPDX-License-Identifier: BSD-3-Clause
// The page of `fatwood report`, and of `fatwood serve`.
import "./page.css";
import { adaptive } from "./adaptive.js";
import { followAddress } from "./address.js";
import { compareCounts, counters } from "./counters.js";
import { data, replaceData } from "./data.js";
import { diff } from "./diff.js";
import { el, goTo, hideTip } from "./dom.js";
import { engines } from "./engines.js";
import { readFabric } from "./fabric.js";
import { findingsByNode } from "./findings.js";
import { everyWay } from "./groups.js";
import { limits } from "./limits.js";
import { live } from "./live.js";
import { isServed } from "./liveask.js";
import { loads } from "./loads.js";
import { losses, rankedLosses } from "./losses.js";
import { freeShape } from "./layoutfree.js";
import { FabricMap } from "./map.js";
import { MatrixMap } from "./mapmatrix.js";
import { handOver, mapSection } from "./mapsection.js";
import { Model } from "./model.js";
import { overview } from "./overview.js";
import { pickOf } from "./paths.js";
import { forgetPlots, redrawPlots } from "./plots.js";
import { populationChoice } from "./population.js";
import { ports } from "./ports.js";
import { proof } from "./proof.js";
import { walk } from "./routes.js";
import { searchBox } from "./search.js";
import { forgetSections, lazySection, makeSections, waitingSections } from "./sections.js";
import { forgetListeners, onChange, state, update } from "./store.js";
import { themeButton } from "./theme.js";
import { verdict } from "./verdict.js";
import { newView } from "./view.js";
import { worst } from "./worst.js";

// Tables that somebody gave; else the recommended engine.
function firstEngine(model) {
  const first = (of) => model.shown.find((i) => of(data.routes[i]));
  return (
    first((routes) => routes.given) ?? first((routes) => routes.name === data.recommendation?.engine) ?? model.shown[0]
  );
}

let parts = []; // {redraw} of what is drawn
let liveView = null; // outlasts the data that it is shown with
let theme = null; // the button
function redrawAll() {
  redrawPlots();
  parts.forEach((part) => part.redraw?.());
}

const kLinks = [
  ["map", "Map"],
  ["fabric", "Findings"],
  ["limits", "Rates"],
  ["losses", "Losses"],
  ["engines", "Engines"],
  ["loads", "Loads"],
  ["adaptive", "Adaptive"],
  ["all-ports", "Ports"],
  ["counters", "Counters"],
  ["proof", "Deadlock"],
  ["worst", "Worst"],
  ["difference", "Difference"],
  ["server", "Server"],
];

function header(fabric, map, found) {
  const shown = kLinks.filter(([id]) => document.getElementById(id));
  theme ??= themeButton(redrawAll, makeSections);
  document.getElementById("top").replaceChildren(
    el(
      "div",
      { class: "brand" },
      el("h1", { title: data.title }, data.title),
      liveView ? liveView.status : el("span", {}, "a Fatwood report"),
    ),
    el(
      "nav",
      { "aria-label": "Parts of this page" },
      shown.map(([id, text]) => el("a", { href: `#${id}` }, text)),
    ),
    populationChoice(),
    searchBox(fabric, { id: "search", placeholder: "Find a switch, host, port or unit", found, rails: map?.rails }),
    theme,
    el("button", { id: "print", onclick: printAll }, "Print"),
  );
}
// All sections, with what they count.
async function printAll() {
  makeSections();
  await window.fatwood?.model.idle();
  print();
}

// Sections below the map; the lower ones are made when they come near.
function lowerSections(fabric, model, view) {
  const list = [
    ["engines", "Engines compared", () => engines(model)],
    ["loads", "Channel loads", () => drawn(loads(fabric, model, view))],
    data.adaptive?.length > 0 && ["adaptive", "Adaptive tables", () => adaptive(fabric, model)],
    ["all-ports", "Ports", () => ports(fabric, view)],
    data.counters && ["counters", "Counters of the run", () => counters(fabric, view)],
    ["proof", "Can it deadlock?", () => drawn({ section: proof(fabric, model, view) })],
    ["worst", "Worst traffic", () => worst(fabric, model)],
    ["difference", "Difference of two tables", () => diff(fabric, model)],
  ];
  return list.filter(Boolean).map(([id, title, make]) => lazySection(id, title, make));
}
// Notes what has to be drawn again in other colours.
function drawn({ section, matrix = null, redraw = null }) {
  if (matrix) window.fatwood.matrix = matrix;
  parts.push({ redraw: redraw ?? section.redraw });
  return section;
}

function mapParts(fabric, model) {
  const view = newView(fabric, model);
  const order = freeShape(fabric)?.order;
  const map = new (order ? MatrixMap : FabricMap)(fabric, {
    order,
    shown: data.show,
    pick: (pick, joined) => update({ ...pickOf(pick, joined), byMap: true }),
    describe: view.describe,
    findings: findingsByNode(fabric),
    missing: data.put_back[0],
  });
  Object.assign(view, { rails: map.rails, findings: map.findings }); // for cards
  liveView?.follow(fabric, map);
  const section = mapSection(fabric, model, view, map, liveView?.card);
  parts.push(section);
  return { view, map, section };
}
const ratesSection = (fabric) =>
  el("section", { id: "rates" }, el("div", { class: "columns even" }, limits(fabric), data.losses && losses(fabric)));

// Nothing is chosen, but for what the address says.
function forgetChoices(engine) {
  Object.assign(state, {
    engine,
    other: -1,
    traffic: { kind: "all" },
    among: 0,
    countFlows: false,
    ports: "number",
    pathFrom: null,
    marked: null,
    focus: [],
    byMap: false,
    pick: null,
  });
  onChange(["engine", "other", "traffic", "among", "countFlows", "ports", "pick"], hideTip);
}

async function start() {
  const began = performance.now();
  const fabric = await readFabric(data.fabric, data.populations);
  const model = new Model(fabric, data);
  const main = document.getElementById("main");
  const routed = fabric.switches > 0; // adapters cabled to each other have no tables to look at
  const hasTables = routed && model.shown.length > 0;
  forgetChoices(hasTables ? firstEngine(model) : -1);
  const goToSection = followAddress(fabric, hasTables ? model.shown : []);
  if (isServed()) liveView ??= live(showAgain, showMap);
  parts = [];
  const sections = data.check ? [verdict(fabric, liveView?.run)] : [];
  let [view, map] = [null, null];
  if (hasTables) {
    const made = mapParts(fabric, model);
    [view, map] = [made.view, made.map];
    sections.push(made.section, ratesSection(fabric));
  } else if (isServed()) {
    liveView.follow(fabric, null);
    sections.push(liveView.card);
  }
  sections.push(overview(fabric));
  // For tests, and the curious.
  window.fatwood = {
    fabric,
    model,
    map,
    view,
    state,
    update,
    walk,
    everyWay,
    compareCounts,
    rankedLosses,
    makeSections,
  };
  if (hasTables) sections.push(...lowerSections(fabric, model, view));
  else if (routed && data.engines.some((e) => !e.refused)) {
    state.engine = data.routes.findIndex((r) => r.among);
    sections.push(engines(model));
  }
  if (liveView) sections.push(liveView.section);
  main.replaceChildren(...sections);
  header(fabric, map, (end, channel, group) => {
    if (!map) return;
    if (group) map.showUnit(group);
    else if (channel !== undefined) update({ pick: { kind: "channel", c: channel } });
    else update({ pick: end >= 0 ? { kind: "host", t: end } : { kind: "switch", s: -1 - end } });
    const s = group ? -1 : fabric.endSwitch(end);
    if (s >= 0 && fabric.switches > 40) window.fatwood.matrix?.showSwitch(s);
    goTo("map");
  });
  const foot = "Loads, paths and differences are counted in this browser, from the forwarding tables inside this file.";
  document
    .getElementById("foot")
    .replaceChildren(
      el(
        "p",
        {},
        data.command ? "Made by " : "",
        data.command ? el("code", {}, data.command) : "A preview,",
        ` with fatwood ${data.version}. Fabric ${data.fingerprint}. ${foot}`,
      ),
    );
  if (map) {
    map.resize();
    await view.refreshed;
    map.drawNow();
  }
  if (!document.documentElement.dataset.ready) goToSection();
  document.documentElement.dataset.ready = String(Math.round(performance.now() - began));
}

// The same page with other data: what is chosen stays (the address has it), and so do zoom and place.
async function showAgain(other) {
  const before = window.fatwood;
  const open = new Set(waitingSections());
  await inPlace(before, async () => {
    forgetPlots();
    forgetSections();
    replaceData(other);
    await start();
    makeSections(waitingSections().filter((id) => !open.has(id)));
  });
}

// The map of other data; the rest of the page waits for its own (livedraw.js).
async function showMap(other) {
  const before = window.fatwood;
  if (!before?.map) return;
  await inPlace(before, async () => {
    Object.assign(data, other);
    const fabric = await readFabric(data.fabric, data.populations);
    const model = new Model(fabric, data);
    forgetChoices(0);
    followAddress(fabric, model.shown);
    parts = parts.filter((part) => part.id !== "map");
    const { view, map, section: drawing } = mapParts(fabric, model);
    document.getElementById("map").replaceWith(drawing);
    for (const section of document.querySelectorAll("#main > section:not(#map, #server)"))
      section.toggleAttribute("inert", true);
    Object.assign(window.fatwood, { fabric, model, map, view });
    map.resize();
    await view.refreshed;
    map.drawNow();
  });
}

async function inPlace(before, make) {
  const place = scrollY;
  const typed = /** @type {HTMLElement} */ (document.activeElement);
  forgetListeners();
  before?.model.close();
  await make();
  handOver(before?.map, window.fatwood.map);
  if (typed?.isConnected) typed.focus({ preventScroll: true });
  scrollTo({ top: place, behavior: "instant" });
}

start().catch((error) => {
  const why = `This page can't be shown: ${error.message}`;
  document.getElementById("main").replaceChildren(el("p", { class: "poor" }, why));
  throw error;
});
