// SPDX-License-Identifier: BSD-3-Clause
// The matrix with its choices, and the drawing of what was picked.
import { css, levelHue } from "./colours.js";
import { data } from "./data.js";
import { drawChoices, drawPath, drawPod, drawSwitch } from "./draw.js";
import { counted, el, number, short } from "./dom.js";
import { kindOf, levelOf, rowOf } from "./fabric.js";
import { everyWay, groupsOf, ranges, stateNames } from "./groups.js";
import { lossLine } from "./losses.js";
import { Matrix } from "./matrix.js";
import { axis, plot } from "./plots.js";
import { walk } from "./routes.js";
import { searchBox } from "./search.js";
import { onChange, state, turns, update } from "./store.js";

const kArrow = "\u2192";

export function loads(fabric, model) {
  // loads: flows weighed by the speed of channels, unless they are to be counted
  const view = { loads: new Float64Array(fabric.slots), flows: null, most: 1, other: null };
  view.describe = (c) => describe(fabric, view, c);
  const matrix = new Matrix(fabric, { pick: (c) => update({ pick: { kind: "channel", c } }), describe: view.describe });
  const facts = el("p", { class: "facts", id: "load-facts" });
  const legend = el("div");
  const panel = el("div", { class: "card", id: "picked", role: "region", "aria-label": "What was picked", "aria-live": "polite", tabindex: "-1" });

  const [beginLoads, beginPick] = [turns(), turns()];
  const refresh = async () => {
    const current = beginLoads();
    // Of routes without tables there is all to all alone, and it is compared with the same.
    const flowsOnly = [state.engine, state.other].some((i) => i >= 0 && !model.canRoute(i));
    const [traffic, hostsOnly] = flowsOnly ? [{ kind: "all" }, false] : [state.traffic, state.hostsOnly];
    const mine = await model.loads(state.engine, traffic, hostsOnly);
    const other = state.other >= 0 ? await model.loads(state.other, traffic, hostsOnly) : null;
    if (!current()) return;
    const weighed = (flows) => (state.countFlows || !fabric.speedsDiffer ? flows : flows.map((value, c) => value * fabric.weight(c)));
    view.flows = mine;
    view.loads = weighed(mine);
    view.other = other && weighed(other);
    view.otherName = data.routes[state.other]?.name;
    view.between = betweenSwitches(fabric, view.loads);
    // Of one switch alone, hosts are all there is to see.
    view.most = Math.max(1e-9, view.between.all ? view.between.most : view.loads.reduce((most, value) => Math.max(most, value), 0));
    if (other) {
      const delta = view.loads.map((value, c) => value - view.other[c]);
      let most = 0;
      for (let c = 0; c < delta.length; ++c) if (fabric.owner[c] >= fabric.adapters) most = Math.max(most, Math.abs(delta[c]));
      matrix.show(delta, "difference", most);
    } else {
      matrix.show(view.loads, "load", view.most);
    }
    legend.replaceChildren(matrix.legend());
    facts.replaceChildren(...factsOf(fabric, view, mine, model, traffic));
    distribution.redraw();
    drawPick();
    update({ loaded: mine });
    document.documentElement.dataset.loads = `${state.engine} ${JSON.stringify(state.traffic)}`;
  };
  const drawPick = async () => {
    const current = beginPick();
    const [parts, focus] = [await picked(fabric, model, view), await focusOf(fabric, model)];
    if (!current()) return;
    panel.replaceChildren(...parts);
    matrix.setFocus(focus);
  };
  const distribution = loadPlot(fabric, view);
  onChange(["engine", "other", "traffic", "hostsOnly", "countFlows"], refresh);
  onChange(["pick"], drawPick);
  onChange(["ports"], () => matrix.setOrder(state.ports === "kind"));
  matrix.setOrder(state.ports === "kind");
  matrix.refreshed = refresh();
  const section = el("section", { id: "loads", tabindex: "-1" },
    el("h2", {}, "Channel loads"),
    controls(fabric, model, matrix),
    el("div", { class: "card" }, facts, matrix.canvas, legend,
      el("p", { class: "note screen", id: "matrix-help" }, "Columns are switches, neighbours side by side; rows are ports, each the channel that leaves it. Hover names the port, a click draws its switch. ",
        "Zoom with the wheel after a click (or with Ctrl), drag to move, 0 to reset. With the keyboard: arrows go from port to port, Enter draws the switch, + and - zoom.")),
    el("div", { class: "columns pick" }, panel, el("div", { class: "card" }, el("h3", {}, "Loads by level"), distribution,
      el("p", { class: "note" }, "Channels of each kind in falling order of load."))));
  return { section, matrix, view, redraw: () => {
    matrix.drawNow(); // at once: printing does not wait
    legend.replaceChildren(matrix.legend());
    drawPick();
  } };
}

function betweenSwitches(fabric, loads) {
  let [most, at, sum, used, all] = [0, -1, 0, 0, 0];
  for (let c = 0; c < fabric.slots; ++c) {
    if (fabric.owner[c] < fabric.adapters || fabric.nextSwitch[c] < 0) continue;
    ++all;
    sum += loads[c];
    if (loads[c] > 0) ++used;
    if (loads[c] > most) [most, at] = [loads[c], c];
  }
  return { most, at, mean: all ? sum / all : 0, used, all };
}

const unit = (fabric, count = 2) => {
  const flows = count === 1 ? "flow" : "flows";
  return fabric.speedsDiffer && !state.countFlows ? `${flows} at ${number(fabric.usualGigabits)} Gb/s` : flows;
};
// "17.5 Mb/s", "2.5 Gb/s"
const speedText = (gigabits) => (gigabits >= 1 ? `${short(gigabits)} Gb/s` : `${short(gigabits * 1000)} Mb/s`);

// The bottleneck rate of the worst pair of hosts, all to all, host links included (analysis/load/all_to_all.hpp).
function worstRate(fabric, flows, hosts) {
  let least = Infinity;
  for (let c = 0; c < fabric.slots; ++c) if (flows[c] > 0 && fabric.gigabits(c) > 0) least = Math.min(least, fabric.gigabits(c) / flows[c]);
  return least * (hosts - 1);
}

// What the most loaded channel between switches leaves to each flow on it and, all to all, what a host gets.
function rateOf(fabric, view, model, traffic) {
  const at = view.between.at;
  const gigabits = at >= 0 ? fabric.gigabits(at) : 0;
  if (!(gigabits > 0)) return null;
  const each = gigabits / view.flows[at];
  const hosts = model.counted(true).length;
  const slow = gigabits < fabric.usualGigabits;
  return el("span", { id: "load-rate" }, `, ${number(gigabits)} Gb/s`, slow && el("b", { class: "poor" }, ` (slow: ${number(fabric.usualGigabits)} is usual)`),
    `: ${speedText(each)} a flow`, traffic.kind === "all" && hosts > 1 && `, ${speedText(worstRate(fabric, view.flows, hosts))} per host`);
}

function factsOf(fabric, view, loads, model, traffic) {
  const b = view.between;
  if (b.all === 0) return ["No cable joins two switches: each flow meets those of its own hosts alone."];
  const parts = [
    "Fullest channel between switches: ", el("b", {}, number(b.most)), ` ${unit(fabric, b.most)}`,
    b.at >= 0 && el("span", {}, " on ", el("button", { class: "link", onclick: () => update({ pick: { kind: "channel", c: b.at } }) },
      `${fabric.portName(b.at)} ${kArrow} ${fabric.portName(fabric.peer[b.at])}`)),
    rateOf(fabric, view, model, traffic),
    `; mean ${b.mean > 0 && b.mean < 0.01 ? "below 0.01" : short(b.mean)}; ${number(b.used)} of ${number(b.all)} in use.`,
    loads.lost > 0 && el("span", { class: "poor" }, ` ${counted(Math.round(100 * loads.lost) / 100, "flow")} without a route.`),
  ];
  return parts.filter(Boolean);
}

function describe(fabric, view, c) {
  const kind = kindOf(fabric, c);
  const name = fabric.portName(c);
  if (kind === "free") return [name, "no cable"];
  const peer = fabric.peer[c];
  const rate = fabric.rateNames[fabric.rates[c]];
  const words = { up: "up", down: "down", across: "within the level", host: "to a host", inside: "to the switch's aggregation node", from: "from a host" };
  const lines = [`${name} ${kArrow} ${fabric.portName(peer)}`, [words[kind], rate].filter(Boolean).join(", ")];
  const flows = view.flows?.[c] ?? 0;
  const times = view.between?.mean ? `, ${short(view.loads[c] / view.between.mean)} x the mean` : "";
  lines.push(view.loads[c] === flows ? `${number(flows)} ${flows === 1 ? "flow" : "flows"}${times}` : `${number(flows)} ${flows === 1 ? "flow" : "flows"}, as ${number(view.loads[c])} at ${number(fabric.usualGigabits)} Gb/s${times}`);
  if (flows > 0 && fabric.gigabits(c) > 0) lines.push(`${speedText(fabric.gigabits(c) / flows)} for each`);
  if (view.sent?.(c)) lines.push(view.sent(c));
  if (view.other) lines.push(`${view.otherName}: ${number(view.other[c])} ${unit(fabric)}`);
  return lines;
}

function choice(label, options, value, change, id) {
  const select = el("select", { id, onchange: (event) => change(event.target.value) },
    options.map(([key, text]) => el("option", { value: key, selected: String(key) === String(value) }, text)));
  return el("label", {}, el("span", {}, label), select);
}

function controls(fabric, model, matrix) {
  const bar = el("div", { class: "controls screen" });
  const render = () => {
    const names = model.shown.map((i) => [i, data.routes[i].name]);
    const flowsOnly = [state.engine, state.other].some((i) => i >= 0 && !model.canRoute(i));
    const kinds = flowsOnly || model.counted(state.hostsOnly).length < 2 ? [["all", "all to all"]] : [["all", "all to all"], ["shift", "shift"], ["permutation", "random permutation"], ["hotspot", "all to one host"], ["from", "one host to all"]];
    for (const w of flowsOnly ? [] : data.worst.filter((one) => one.traffic.length > 0)) kinds.push([`worst ${w.engine}`, `worst traffic of ${w.engine}`]);
    for (const [i, job] of flowsOnly ? [] : data.jobs.entries()) kinds.push([`job ${i}`, `job ${job.name}: ${job.what}, ${job.hosts} hosts`]);
    const kind = flowsOnly ? "all" : ["worst", "job"].includes(state.traffic.kind) ? `${state.traffic.kind} ${state.traffic.of}` : state.traffic.kind;
    bar.replaceChildren(...[
      choice("Engine", names, state.engine, (v) => update({ engine: Number(v), other: Number(v) === state.other ? -1 : state.other }), "engine"),
      choice("Traffic", kinds, kind, (v) => update({ traffic: trafficOf(v, model) }), "traffic"),
      !flowsOnly && parameter(fabric, model),
      choice("Less", [[-1, "nothing"], ...names.filter(([i]) => i !== state.engine).map(([i, name]) => [i, name])], state.other, (v) => update({ other: Number(v) }), "other"),
      choice("Ports", [["number", "as numbered"], ["kind", "hosts, down, up"]], state.ports, (v) => update({ ports: v }), "ports"),
      fabric.hasAggregation && !flowsOnly && el("label", { class: "check" }, el("input", { type: "checkbox", id: "hosts-only", checked: state.hostsOnly,
        onchange: (event) => update({ hostsOnly: event.target.checked }) }), el("span", {}, "hosts only")),
      fabric.speedsDiffer && el("label", { class: "check" }, el("input", { type: "checkbox", id: "count-flows", checked: state.countFlows,
        onchange: (event) => update({ countFlows: event.target.checked }) }), el("span", {}, "count flows, whatever the speed")),
      el("div", { class: "zoom" }, [["+", 1.6], ["\u2212", 1 / 1.6]].map(([text, factor]) =>
        el("button", { title: factor > 1 ? "Zoom in" : "Zoom out", "aria-label": factor > 1 ? "Zoom in" : "Zoom out", onclick: () => matrix.zoomBy(factor) }, text)), el("button", { "aria-label": "Zoom out all the way", onclick: () => matrix.reset() }, "reset")),
    ].filter(Boolean));
  };
  onChange(["engine", "other", "hostsOnly", "countFlows", "ports"], render);
  onChange(["traffic"], () => {
    if (document.activeElement?.id !== "shift") render();
  });
  render();
  return bar;
}

export function trafficOf(key, model) {
  if (key.startsWith("worst ")) return { kind: "worst", of: key.slice(6) };
  if (key.startsWith("job ")) return { kind: "job", of: Number(key.slice(4)) };
  if (key === "shift") return { kind: "shift", by: Math.max(1, Math.floor(model.counted(state.hostsOnly).length / 2)) };
  if (key === "permutation") return { kind: "permutation", seed: 1 };
  if (key === "hotspot" || key === "from") return { kind: key, host: 0 };
  return { kind: "all" };
}

function parameter(fabric, model) {
  const { traffic } = state;
  if (traffic.kind === "shift") {
    const output = el("output", {}, number(traffic.by));
    return el("label", { class: "wide" }, el("span", {}, "by "), output, el("input", { type: "range", id: "shift", "aria-label": "How far hosts shift", min: 1, max: Math.max(1, model.counted(state.hostsOnly).length - 1), value: traffic.by,
      oninput: (event) => {
        output.textContent = number(Number(event.target.value));
        update({ traffic: { kind: "shift", by: Number(event.target.value) } });
      } }));
  }
  if (traffic.kind === "permutation") {
    return el("button", { onclick: () => update({ traffic: { kind: "permutation", seed: traffic.seed + 1 } }) }, `draw another (${traffic.seed})`);
  }
  if (traffic.kind === "hotspot" || traffic.kind === "from") {
    const box = searchBox(fabric, { id: "hot", placeholder: "host", found: (end) => end >= 0 && update({ traffic: { ...traffic, host: end } }) });
    box.setEnd(traffic.host);
    return box;
  }
  return null;
}

// The channels that are marked in the matrix.
async function focusOf(fabric, model) {
  const { pick } = state;
  if (pick?.kind === "channel") return [pick.c];
  if (pick?.kind === "pair" && model.hasGroups(state.engine)) return everyWay(fabric, await model.routes(state.engine), pick.a, pick.b).edges.map((edge) => edge.c);
  if (pick?.kind === "pair" && model.hasTables(state.engine)) return walk(fabric, await model.routes(state.engine), pick.a, pick.b).channels.filter((c) => fabric.owner[c] >= fabric.adapters);
  if (pick?.kind === "host" && fabric.leaf[pick.t] >= 0) return [fabric.peer[fabric.terminals[pick.t]]];
  return [];
}

async function picked(fabric, model, view) {
  const pick = state.pick;
  const go = (next) => update({ pick: next });
  const route = routeBoxes(fabric, pick);
  if (pick.kind === "channel") {
    const s = fabric.owner[pick.c] - fabric.adapters;
    return [...switchCard(fabric, view, s, go, pick.c), await lossLine(fabric, s, pick.c), await groupTable(fabric, model, s), route].filter(Boolean);
  }
  if (pick.kind === "switch") return [...switchCard(fabric, view, pick.s, go), await lossLine(fabric, pick.s), await groupTable(fabric, model, pick.s), route].filter(Boolean);
  if (pick.kind === "pod") {
    const block = fabric.blocks[pick.index];
    return [el("h3", {}, `Pod of ${fabric.switchName(block.below[0])}: ${block.below.length} x ${block.above.length} switches`), drawPod(fabric, view, pick.index, go), route];
  }
  if (pick.kind === "host") return [...hostCard(fabric, view, pick.t, go), route];
  return [...(await pathCard(fabric, model, view, pick, go)), route];
}

function switchCard(fabric, view, s, go, c) {
  if (s < 0) return hostCard(fabric, view, fabric.terminalAt[c], go);
  const pods = [["pod above", fabric.upBlock[s]], ["pod below", fabric.downBlock[s]]].filter(([, i]) => i >= 0);
  return [
    el("h3", {}, `${fabric.switchName(s)} `, el("small", {}, `${levelOf(fabric, s)}, GUID ${fabric.guids[fabric.node(s)]}`)),
    c !== undefined && el("p", { class: "facts" }, view.describe(c).join("; ")),
    drawSwitch(fabric, view, s, go),
    el("p", { class: "screen" }, pods.map(([text, index]) => el("button", { onclick: () => go({ kind: "pod", index }) }, `Draw the ${text}`))),
  ].filter(Boolean);
}

function hostCard(fabric, view, t, go) {
  const leaf = fabric.leaf[t];
  return [
    el("h3", {}, `${fabric.endName(t)} `, el("small", {}, leaf >= 0 ? `on ${fabric.portName(fabric.peer[fabric.terminals[t]])}` : "on no switch")),
    leaf >= 0 && drawSwitch(fabric, view, leaf, go),
  ].filter(Boolean);
}

const kGroups = 8;
// What a switch of adaptive tables chooses from; a row marks its cables in the drawing.
async function groupTable(fabric, model, s) {
  if (s < 0 || !model.hasGroups(state.engine)) return null;
  const { rows, single } = groupsOf(fabric, await model.routes(state.engine), s);
  const mark = (ports) => document.querySelectorAll("#picked line[data-channel]").forEach((line) => {
    line.classList.toggle("member", ports !== null && ports.includes(fabric.port(Number(line.dataset.channel))));
    line.classList.toggle("other", ports !== null && !ports.includes(fabric.port(Number(line.dataset.channel))));
  });
  const rest = rows.length - kGroups;
  return el("div", { id: "groups" }, el("h4", {}, `Groups that ${data.routes[state.engine].name} chooses from here`),
    el("div", { class: "scroll" }, el("table", { class: "data" }, el("thead", {}, el("tr", {}, ["group", "chosen", "ports", "destinations"].map((h) => el("th", { scope: "col" }, h)))),
      el("tbody", {}, rows.slice(0, kGroups).map((row) => el("tr", { onmouseenter: () => mark(row.ports), onmouseleave: () => mark(null) },
        el("th", { scope: "row" }, el("button", { class: "link", onfocus: () => mark(row.ports), onblur: () => mark(null), title: "Mark its cables" }, row.group === null ? "none" : String(row.group))),
        el("td", {}, stateNames[row.state]), el("td", { class: "wrap" }, ranges(row.ports)), el("td", {}, number(row.terminals)))),
        el("tr", {}, el("th", { scope: "row" }, "one port"), el("td", {}, "static"), el("td", {}, "\u2013"), el("td", {}, number(single)))))),
    rest > 0 && el("p", { class: "note" }, `and ${counted(rest, "group")} more.`));
}

async function pathCard(fabric, model, view, pick, go) {
  const engines = [state.engine, state.other].filter((i) => i >= 0 && model.canRoute(i));
  if (engines.length === 0) return [el("h3", {}, `${fabric.endName(pick.a)} ${kArrow} ${fabric.endName(pick.b)}`), el("p", {}, `Not drawn: ${data.routes[state.engine].left_out}.`)];
  const walks = [];
  const choices = [];
  for (const engine of engines) {
    const routes = await model.routes(engine);
    if (model.hasGroups(engine)) {
      choices.push(el("h4", {}, `${routes.name}: every way that its switches can choose`), drawChoices(fabric, pick, everyWay(fabric, routes, pick.a, pick.b), go));
      continue;
    }
    for (let offset = 0; offset < (pick.b < 0 ? 1 : Math.min(4, 1 << routes.lmc)); ++offset) {
      const way = walk(fabric, routes, pick.a, pick.b, offset);
      const from = fabric.endSwitch(pick.a);
      const lane = from >= 0 ? routes.lane(way.target, from) : 0;
      const places = routes.orders.length ? (await model.places(engine))[lane] : null;
      walks.push({ ...way, places: places && way.channels.map((c) => places[c]),
        name: `${routes.name}${routes.laneCount > 1 ? `, lane ${lane}` : ""}${routes.lmc ? `, address ${offset}` : ""}: ${counted(Math.max(0, way.channels.length - (pick.a >= 0) - (pick.b >= 0)), "hop")}` });
    }
  }
  return [
    el("h3", {}, `${fabric.endName(pick.a)} ${kArrow} ${fabric.endName(pick.b)}`),
    walks.length > 0 && drawPath(fabric, view, walks, go),
    ...choices,
    choices.length > 0 && el("p", { class: "note" }, "Thicker lines carry more when packets are split evenly over each group."),
    walks.some((w) => w.places) && el("p", { class: "note" }, "Places are positions in the order of channels that proves freedom of deadlock. They ascend along every route."),
    el("p", { class: "screen" }, el("button", { onclick: () => go({ kind: "pair", a: pick.b, b: pick.a }) }, "The way back")),
  ].filter(Boolean);
}

function routeBoxes(fabric, pick) {
  const ends = { a: pick.kind === "pair" ? pick.a : pick.kind === "host" ? pick.t : undefined, b: pick.kind === "pair" ? pick.b : undefined };
  const found = (key) => (end) => {
    ends[key] = end;
    if (ends.a !== undefined && ends.b !== undefined && ends.a !== ends.b) update({ pick: { kind: "pair", a: ends.a, b: ends.b } });
  };
  const from = searchBox(fabric, { id: "path-from", placeholder: "from a host", found: found("a") });
  const to = searchBox(fabric, { id: "path-to", placeholder: "to a host", found: found("b") });
  if (ends.a !== undefined) from.setEnd(ends.a);
  if (ends.b !== undefined) to.setEnd(ends.b);
  return el("div", { class: "route screen" }, el("span", {}, "Draw the path "), from, el("span", {}, kArrow), to);
}

// Sorted loads of each kind of channel. A level has its colour; a dashed line leads down.
function loadPlot(fabric, view) {
  const groups = new Map();
  for (let c = 0; c < fabric.slots; ++c) {
    const kind = kindOf(fabric, c);
    if (kind === "free" || kind === "from" || kind === "inside") continue;
    const row = rowOf(fabric, c);
    if (!groups.has(row.name)) groups.set(row.name, { ...row, channels: [] });
    groups.get(row.name).channels.push(c);
  }
  const dash = { up: undefined, down: [7, 4], across: [2, 3] };
  const list = [...groups.values()].sort((a, b) => a.rank - b.rank).slice(0, 12);
  const kPoints = 161;
  return plot(() => {
    const x = Array.from({ length: kPoints }, (_, k) => (100 * k) / (kPoints - 1));
    return {
      options: {
        scales: { x: { time: false }, y: { range: (_, low, high) => [0, Math.max(1, high * 1.05)] } }, cursor: { y: false },
        legend: { markers: { width: 2, dash: (_, i) => (list[i - 1]?.way === "up" ? "solid" : "dashed") } },
        series: [{ label: "channels", value: (_, v) => (v === null ? "" : `${short(v)}%`) }, ...list.map((row) => ({ label: row.name, stroke: css(levelHue(row.level)), width: 2,
          dash: dash[row.way], value: (_, v) => (v === null ? "" : number(v)) }))],
        axes: [axis("channels of the kind (%)"), axis(unit(fabric), undefined, 62)],
      },
      data: [x, ...list.map(({ channels }) => {
        const sorted = Float64Array.from(channels, (c) => view.loads[c]).sort().reverse();
        return x.map((_, k) => sorted[Math.round((k * (sorted.length - 1)) / (kPoints - 1))]);
      })],
    };
  }, 300, "Loads of channels of each kind in falling order");
}
