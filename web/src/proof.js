// SPDX-License-Identifier: BSD-3-Clause
// Freedom of deadlock: the order of channels that proves it, or the loop that refutes it.
import { css, levelHue } from "./colours.js";
import { data } from "./data.js";
import { drawLoop } from "./drawpath.js";
import { counted, el, goTo, number } from "./dom.js";
import { kindOf, kNone, rowOf } from "./fabric.js";
import { onChange, state, turns, update } from "./store.js";

export function proof(fabric, model, view) {
  const body = el("div", { class: "card", id: "proof-body" });
  const section = el("section", { id: "proof", tabindex: "-1" }, el("h2", {}, "Can it deadlock?"), body);
  const begin = turns();
  const render = async () => {
    const current = begin();
    const routes = data.routes[state.engine];
    const parts = routes.cycle ? loop(fabric, view, routes) : await order(fabric, model, routes);
    if (current()) body.replaceChildren(...parts);
  };
  onChange(["engine"], render);
  onChange(["pick"], () => {
    if (state.pick?.kind === "pair") render();
  });
  section.redraw = render;
  render();
  return section;
}

function loop(fabric, view, routes) {
  const { cycle } = routes;
  const n = cycle.steps.length;
  const pick = (next) => {
    update({ pick: next });
    goTo("picked", "center");
  };
  return [
    el(
      "p",
      { class: "verdict" },
      el("span", { class: "badge poor" }, "credit loop"),
      ` ${routes.name} can deadlock: ${counted(n, "channel")} wait for each ` +
        `other${routes.lanes > 1 ? ` in lane ${cycle.lane}` : ""}.`,
    ),
    el(
      "p",
      {},
      "Each arrow is a channel, with its ports. Next to it is the pair whose packet holds it and waits for " +
        "the next one. When all these pairs send at once and buffers fill, none of them moves again.",
    ),
    el(
      "div",
      { class: "columns" },
      drawLoop(fabric, view, cycle, pick),
      el(
        "ol",
        { class: "steps" },
        cycle.steps.map((step) =>
          el(
            "li",
            {},
            el(
              "button",
              { class: "link", onclick: () => pick({ kind: "channel", c: step.channel }) },
              `${fabric.portName(step.channel)} \u2192 ${fabric.portName(fabric.peer[step.channel])}`,
            ),
            el("br"),
            el(
              "button",
              { class: "link quiet", onclick: () => pick({ kind: "pair", a: step.source, b: step.destination }) },
              `held by ${fabric.endName(step.source)} \u2192 ${fabric.endName(step.destination)}`,
            ),
          ),
        ),
      ),
    ),
  ];
}

async function order(fabric, model, routes) {
  const places = await model.places(state.engine);
  const deps = routes.dependencies.reduce((a, b) => a + b, 0);
  const result = el("output", { id: "proof-result" });
  const check = el(
    "button",
    {
      id: "check-proof",
      class: "screen",
      onclick: () => {
        result.textContent = " walking every route\u2026";
        setTimeout(async () => {
          const start = performance.now();
          const found = await model.check(state.engine);
          const seconds = ((performance.now() - start) / 1000).toFixed(1);
          result.className = found.bad ? "poor" : "good";
          result.textContent = found.bad
            ? ` Refuted: from ${fabric.switchName(found.bad.source)}, ${fabric.portName(found.bad.to)} does ` +
              `not come after the channel before it.`
            : ` Checked here: ${number(found.routes)} routes, ${number(found.hops)} hops, every one ascends ` +
              `(${seconds} s).`;
        }, 30);
      },
    },
    "Check it in this browser",
  );
  return [
    el(
      "p",
      { class: "verdict" },
      el("span", { class: "badge good" }, "free"),
      ` ${routes.name} can't deadlock${routes.lanes > 1 ? ` in its ${routes.lanes} lanes` : ""}: there is ` +
        `an order of all channels that every route ascends.`,
    ),
    el(
      "p",
      {},
      `Each of the ${number(deps)} dependencies between channels ascends this order, so there is no cycle ` +
        `and no deadlock (Dally and Seitz, 1987). Below, all channels in that order from left to right, by kind`,
      !model.hasTables(state.engine)
        ? "."
        : state.pick?.kind === "pair"
          ? ", with the path drawn above as a line of dots."
          : "; a path that is drawn above shows as a line of dots.",
    ),
    ...places.map((place, lane) => strip(fabric, model, place, lane, places.length)),
    model.hasTables(state.engine) && el("p", {}, check, result),
  ].filter(Boolean);
}

// Rows are kinds of channels, columns places in the order; a tick is a channel.
function strip(fabric, model, place, lane, lanes) {
  const rows = new Map();
  const kinds = new Map(); // rows by kind and level: there are many channels and few rows
  let last = 0;
  for (let c = 0; c < fabric.slots; ++c) {
    if (place[c] === kNone) continue;
    last = Math.max(last, place[c]);
    const level = fabric.owner[c] < fabric.adapters ? 0 : fabric.levels[fabric.owner[c] - fabric.adapters];
    const ofKind = kinds.get(kindOf(fabric, c)) ?? [];
    if (!ofKind[level]) {
      const row = rowOf(fabric, c);
      if (!rows.has(row.name)) rows.set(row.name, { ...row, channels: [] });
      ofKind[level] = rows.get(row.name);
      kinds.set(kindOf(fabric, c), ofKind);
    }
    ofKind[level].channels.push(c);
  }
  const list = [...rows.values()].sort((a, b) => a.rank - b.rank);
  const canvas = el("canvas", { class: "strip", role: "img", "aria-label": "Channels in the order of the proof" });
  const rowHeight = lanes > 1 ? 12 : 20;
  const draw = async () => {
    const width = canvas.clientWidth;
    if (!width) return;
    const ratio = devicePixelRatio || 1;
    canvas.width = width * ratio;
    canvas.height = list.length * rowHeight * ratio;
    canvas.style.height = `${list.length * rowHeight}px`;
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    const left = 120;
    const x = (p) => left + ((width - left - 6) * p) / Math.max(1, last);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    list.forEach((row, i) => {
      context.fillStyle = css("--muted");
      context.fillText(row.name, 0, (i + 0.5) * rowHeight);
      context.fillStyle = css(levelHue(row.level));
      const tick = Math.max(1, ((width - left - 6) / Math.max(1, last)) * 0.8);
      // Several channels at one pixel are one tick, which is darker.
      const ticks = new Map();
      const at = (c) => (tick > 1 ? x(place[c]) : Math.round(x(place[c])));
      for (const c of row.channels) ticks.set(at(c), (ticks.get(at(c)) ?? 0) + 1);
      for (const [middle, count] of ticks) {
        context.globalAlpha = (tick > 1 ? 1 : 1 - 0.65 ** count) * (row.way === "down" ? 0.6 : 1);
        context.fillRect(middle - tick / 2, i * rowHeight + 2, tick, rowHeight - 4);
      }
      context.globalAlpha = 1;
    });
    await drawPath(context, x, list);
  };
  const drawPath = async (context, x, rowsShown) => {
    if (state.pick?.kind !== "pair" || !model.hasTables(state.engine)) return;
    const { a, b } = state.pick;
    const [way] = (await model.paths(state.engine, a, b)).ways;
    if (fabric.endSwitch(a) < 0 || way.lane !== lane) return;
    const points = way.channels.map((c) => ({
      x: x(place[c]),
      y: (rowsShown.findIndex((row) => row.name === rowOf(fabric, c).name) + 0.5) * rowHeight,
    }));
    context.strokeStyle = context.fillStyle = css("--text");
    context.lineWidth = 1.5;
    context.beginPath();
    points.forEach((p, i) => (i ? context.lineTo(p.x, p.y) : context.moveTo(p.x, p.y)));
    context.stroke();
    for (const p of points) {
      context.beginPath();
      context.arc(p.x, p.y, 4, 0, 7);
      context.fill();
    }
  };
  new ResizeObserver(draw).observe(canvas);
  return el("div", { class: "lane" }, lanes > 1 && el("h4", {}, `lane ${lane}`), canvas);
}
