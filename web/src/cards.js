// SPDX-License-Identifier: BSD-3-Clause
// The card of what is picked: a switch, a port with its cable, a host, a pod, a path.
import { data } from "./data.js";
import { drawPod, drawSwitch } from "./draw.js";
import { drawChoices, drawPath } from "./drawpath.js";
import { counted, el, number } from "./dom.js";
import { kNone, levelOf } from "./fabric.js";
import { ranges, stateNames } from "./groups.js";
import { unitName } from "./layout.js";
import { lossLine } from "./losses.js";
import { measured, measuredTable } from "./measured.js";
import { hopList, pathFromHere, pickOf, routeBoxes } from "./paths.js";
import { savePicture } from "./save.js";
import { state, update } from "./store.js";
import { dataTable, tableRow } from "./tables.js";

const kArrow = "\u2192";

// The channels that are marked.
export async function focusOf(fabric, model) {
  const { pick } = state;
  if (pick?.kind === "channel") return [pick.c];
  if (pick?.kind === "pair" && model.canRoute(state.engine)) {
    const { every, ways } = await model.paths(state.engine, pick.a, pick.b);
    if (every) return every.edges.map((edge) => edge.c);
    return ways[0].channels.filter((c) => fabric.owner[c] >= fabric.adapters);
  }
  if (pick?.kind === "host" && fabric.leaf[pick.t] >= 0) return [fabric.peer[fabric.terminals[pick.t]]];
  return [];
}

export async function picked(fabric, model, view) {
  const pick = state.pick;
  const go = (next) => update(pickOf(next));
  const route = routeBoxes(fabric, pick);
  if (!pick)
    return [
      el("p", { class: "note" }, "Pick a switch, a cable or a host on the map: its card " + "comes here."),
      route,
    ];
  if (pick.kind === "channel") {
    const s = fabric.owner[pick.c] - fabric.adapters;
    if (s < 0)
      return [
        ...hostCard(fabric, view, fabric.terminalAt[pick.c], go),
        await measurements(fabric, pick.c),
        route,
      ].filter(Boolean);
    return [
      ...portCard(fabric, view, pick.c, go),
      await lossLine(fabric, s, pick.c),
      await measurements(fabric, pick.c),
      ...switchPicture(fabric, view, s, go),
      await groupTable(fabric, model, s),
      route,
    ].filter(Boolean);
  }
  if (pick.kind === "switch")
    return [
      ...switchCard(fabric, view, pick.s, go, {
        celsius: (await measured(fabric))?.celsius(fabric.node(pick.s)),
        loss: await lossLine(fabric, pick.s),
      }),
      await groupTable(fabric, model, pick.s),
      route,
    ].filter(Boolean);
  if (pick.kind === "pod") {
    const block = fabric.blocks[pick.index];
    const drawing = drawPod(fabric, view, pick.index, go);
    return [
      el(
        "h3",
        {},
        `Pod of ${fabric.switchName(block.below[0])}: ${block.below.length} x ${block.above.length} switches`,
        savePicture("pod", drawing, view),
      ),
      drawing,
      route,
    ];
  }
  if (pick.kind === "host")
    return [
      ...hostCard(fabric, view, pick.t, go),
      await measurements(fabric, fabric.terminals[pick.t]),
      pathFromHere(fabric, pick.t),
      route,
    ].filter(Boolean);
  return [...(await pathCard(fabric, model, view, pick, go)), route];
}

// Rows of a name and a value; those without a value are left out.
const facts = (rows) =>
  el(
    "dl",
    { class: "about" },
    rows.filter(([, value]) => value).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
  );
const lidOf = (fabric, i) => (fabric.lids[i] ? String(fabric.lids[i]) : "");
const findings = (view, nodes) => {
  const found = new Map(nodes.flatMap((node) => view.findings?.get(node) ?? []).map((one) => [one.text, one.severity]));
  return (
    found.size > 0 &&
    el(
      "ul",
      { class: "findings" },
      [...found].map(([text, severity]) => el("li", { class: severity }, text)),
    )
  );
};

function switchPicture(fabric, view, s, go) {
  const pods = [
    ["pod above", fabric.upBlock[s]],
    ["pod below", fabric.downBlock[s]],
  ].filter(([, i]) => i >= 0);
  return [
    drawSwitch(fabric, view, s, go),
    el(
      "p",
      { class: "screen" },
      pods.map(([text, index]) => el("button", { onclick: () => go({ kind: "pod", index }) }, `Draw the ${text}`)),
    ),
  ];
}

function switchCard(fabric, view, s, go, { celsius, loss }) {
  const node = fabric.node(s);
  const { unit, rail } = view.rails ?? {};
  let free = 0;
  for (let port = 1; port <= fabric.ports[node]; ++port) if (fabric.peer[fabric.slot(s, port)] === kNone) ++free;
  const picture = switchPicture(fabric, view, s, go);
  return [
    el(
      "h3",
      {},
      `${fabric.switchName(s)} `,
      el("small", {}, levelOf(fabric, s)),
      savePicture("switch", picture[0], view),
    ),
    facts([
      ["ports", `${number(fabric.ports[node])}, ${number(free)} free`],
      ["unit", unit?.[s] >= 0 && unitName(view.rails, unit[s])],
      ["rail", rail?.[s] >= 0 && String(rail[s] + 1)],
      ["GUID", fabric.guids[node]],
      ["LID", lidOf(fabric, fabric.terminals.length + s)],
      ["temperature", celsius],
    ]),
    loss,
    findings(view, [node]),
    ...picture,
  ].filter(Boolean);
}

async function measurements(fabric, c) {
  const found = await measured(fabric);
  return found && fabric.peer[c] !== kNone ? measuredTable(fabric, found, c) : null;
}

// A port and its cable, with what each direction carries.
function portCard(fabric, view, c, go) {
  const peer = fabric.peer[c];
  const s = fabric.owner[c] - fabric.adapters;
  const owner = el("button", { class: "link", onclick: () => go({ kind: "switch", s }) }, fabric.switchName(s));
  if (peer === kNone)
    return [
      el("h3", {}, `${fabric.portName(c)} `, el("small", {}, "no cable")),
      facts([["switch", owner]]),
      findings(view, [fabric.owner[c]]),
    ].filter(Boolean);
  const other = fabric.owner[peer];
  const end =
    other >= fabric.adapters
      ? { kind: "switch", s: other - fabric.adapters }
      : { kind: "host", t: fabric.terminalAt[peer] };
  return [
    el("h3", {}, `${fabric.portName(c)} \u2013 ${fabric.portName(peer)} `, el("small", {}, "cable")),
    facts([
      ["from", owner],
      ["to", el("button", { class: "link", onclick: () => go(end) }, fabric.names[other])],
      ["speed", fabric.rateNames[fabric.rates[c]]],
    ]),
    el("p", { class: "facts" }, view.describe(c).join("; ")),
    other >= fabric.adapters && el("p", { class: "facts" }, view.describe(peer).join("; ")),
    findings(view, [fabric.owner[c], other]),
  ].filter(Boolean);
}

function hostCard(fabric, view, t, go) {
  const leaf = fabric.leaf[t];
  const { unit, rail } = view.rails ?? {};
  const node = fabric.owner[fabric.terminals[t]];
  return [
    el(
      "h3",
      {},
      `${fabric.endName(t)} `,
      el("small", {}, leaf >= 0 ? `on ${fabric.portName(fabric.peer[fabric.terminals[t]])}` : "on no switch"),
    ),
    facts([
      ["speed", fabric.rateNames[fabric.rates[fabric.terminals[t]]]],
      ["unit", unit?.[leaf] >= 0 && unitName(view.rails, unit[leaf])],
      ["rail", rail?.[leaf] >= 0 && String(rail[leaf] + 1)],
      ["GUID", fabric.guids[node]],
      ["LID", lidOf(fabric, t)],
    ]),
    findings(view, [node]),
    leaf >= 0 && drawSwitch(fabric, view, leaf, go),
  ].filter(Boolean);
}

const kGroups = 8;
// What a switch of adaptive tables chooses from; a row marks its cables in the drawing.
async function groupTable(fabric, model, s) {
  if (s < 0 || !model.hasGroups(state.engine)) return null;
  const { rows, single } = await model.groups(state.engine, s);
  const mark = (ports) =>
    document.querySelectorAll("#picked line[data-channel]").forEach((line) => {
      const on = ports?.includes(fabric.port(Number(line.getAttribute("data-channel"))));
      line.classList.toggle("member", on === true);
      line.classList.toggle("other", on === false);
    });
  const rest = rows.length - kGroups;
  return el(
    "div",
    { id: "groups" },
    el("h4", {}, `Groups that ${data.routes[state.engine].name} chooses from here`),
    dataTable(
      ["group", "chosen", "ports", "destinations"],
      [
        ...rows.slice(0, kGroups).map((row) =>
          tableRow(
            [
              el(
                "button",
                {
                  class: "link",
                  onfocus: () => mark(row.ports),
                  onblur: () => mark(null),
                  title: "Mark its cables",
                },
                row.group === null ? "none" : String(row.group),
              ),
              stateNames[row.state],
              el("td", { class: "wrap" }, ranges(row.ports)),
              number(row.terminals),
            ],
            { onmouseenter: () => mark(row.ports), onmouseleave: () => mark(null) },
          ),
        ),
        ["one port", "static", "\u2013", number(single)],
      ],
    ),
    rest > 0 && el("p", { class: "note" }, `and ${counted(rest, "group")} more.`),
  );
}

async function pathCard(fabric, model, view, pick, go) {
  const engines = [state.engine, state.other].filter((i) => i >= 0 && model.canRoute(i));
  if (engines.length === 0)
    return [
      el("h3", {}, `${fabric.endName(pick.a)} ${kArrow} ${fabric.endName(pick.b)}`),
      el("p", {}, `Not drawn: ${data.routes[state.engine].left_out}.`),
    ];
  const walks = [];
  const choices = [];
  for (const engine of engines) {
    const { name } = data.routes[engine];
    const { every, ways, lmc, laneCount } = await model.paths(engine, pick.a, pick.b);
    if (every) {
      const title = el("h4", {}, `${name}: every way that its switches can choose`);
      choices.push(title, drawChoices(fabric, pick, every, go));
      continue;
    }
    ways.forEach((way, offset) => {
      // Between switches, as "How long the routes are" counts; a list of hops has the hosts' cables too.
      const cables = way.channels.filter((c) => fabric.owner[c] >= fabric.adapters && fabric.nextSwitch[c] >= 0).length;
      const which = `${laneCount > 1 ? `, lane ${way.lane}` : ""}${lmc ? `, address ${offset}` : ""}`;
      walks.push({
        ...way,
        name: `${name}${which}`,
        title: `${name}${which}: ${counted(cables, "cable")} ` + `between switches`,
      });
    });
  }
  return [
    el("h3", {}, `${fabric.endName(pick.a)} ${kArrow} ${fabric.endName(pick.b)}`),
    walks.length > 0 && drawPath(fabric, view, walks, go),
    ...walks.map((one) =>
      el(
        "details",
        { class: "path", open: walks.length === 1 },
        el("summary", {}, `Hop by hop: ${one.name}`),
        hopList(fabric, one),
      ),
    ),
    ...choices,
    choices.length > 0 &&
      el("p", { class: "note" }, "Thicker lines carry more when packets are split evenly over each group."),
    walks.some((w) => w.places) &&
      el(
        "p",
        { class: "note" },
        "Places are positions in the order of channels that proves freedom of deadlock. They ascend along every route.",
      ),
    el(
      "p",
      { class: "screen" },
      el("button", { onclick: () => go({ kind: "pair", a: pick.b, b: pick.a }) }, "The way back"),
    ),
  ].filter(Boolean);
}
