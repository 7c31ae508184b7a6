// SPDX-License-Identifier: BSD-3-Clause
// The traffic that an engine serves worst, and shifts.
import { css } from "./colours.js";
import { data } from "./data.js";
import { counted, el, goTo, number } from "./dom.js";
import { axis, plot } from "./plots.js";
import { onChange, state, update } from "./store.js";

const kShown = 24;

export function worst(fabric, model) {
  const body = el("div", { class: "card", id: "worst-body" });
  const render = () => body.replaceChildren(...describe(fabric, model));
  onChange(["engine"], render);
  render();
  return el(
    "section",
    { id: "worst", tabindex: "-1" },
    el("h2", {}, "Worst traffic"),
    el("div", { class: "columns even" }, body, shifts(model)),
  );
}

function describe(fabric, model) {
  const name = data.routes[state.engine].name;
  const found = data.worst.find((w) => w.engine === name);
  if (!found && model.hasGroups(state.engine)) {
    return [
      el("h3", {}, `Of ${name}`),
      el(
        "p",
        {},
        "Worst traffic is found where an entry has one port. The switches of these tables choose, so no " +
          "traffic has its channels for sure.",
      ),
    ];
  }
  if (!found) {
    return [
      el("h3", {}, `Of ${name}`),
      el(
        "p",
        {},
        `Not looked for. `,
        el("code", {}, `fatwood report \u2026 --worst ${name}`),
        " adds it to this page; ",
        el("code", {}, `fatwood worst`),
        " finds it alone.",
        data.worst.length > 0 &&
          ` This page has the worst traffic of ${data.worst.map((w) => w.engine).join(" and ")}.`,
      ),
    ];
  }
  const exact = found.ratio !== null && found.ratio !== undefined;
  const value = exact ? found.ratio : between(Number(found.ratio_at_least), found.ratio_at_most);
  const flows = found.traffic;
  const at = found.at;
  return [
    el("h3", {}, `Of ${name}`),
    el(
      "p",
      { class: "big" },
      el("b", {}, value),
      el("span", {}, "times the load that the best routing of that traffic would have"),
    ),
    el(
      "p",
      {},
      exact ? "Exact, over all traffic that the fabric could carry." : `Bounds, because ${found.why_bounds}.`,
      ` ${counted(flows.length, "flow")} meet on `,
      at !== null &&
        el(
          "button",
          { class: "link", onclick: () => update({ pick: { kind: "channel", c: at } }) },
          `${fabric.portName(at)} \u2192 ${fabric.portName(fabric.peer[at])}`,
        ),
      `, which carries ${found.load}.`,
    ),
    el(
      "p",
      { class: "screen" },
      el(
        "button",
        {
          id: "show-worst",
          onclick: () => {
            update({
              traffic: { kind: "worst", of: name },
              pick: at === null ? state.pick : { kind: "channel", c: at },
            });
            goTo("loads");
          },
        },
        "Show it in the matrix",
      ),
    ),
    el(
      "ul",
      { class: "flows" },
      flows
        .slice(0, kShown)
        .map(([a, b, amount]) =>
          el(
            "li",
            {},
            el(
              "button",
              { class: "link quiet", onclick: () => update({ pick: { kind: "pair", a, b } }) },
              `${fabric.endName(a)} \u2192 ${fabric.endName(b)}${amount === 1 ? "" : ` x ${amount}`}`,
            ),
          ),
        ),
    ),
    flows.length > kShown && el("p", { class: "note" }, `and ${number(flows.length - kShown)} more.`),
  ].filter(Boolean);
}

// "17.41 to 18", or one number when the bounds meet. The upper one is a fraction.
function between(low, high) {
  const [above, below = 1] = String(high).split("/").map(Number);
  const most = above / below;
  return most - low < 0.005
    ? most.toFixed(2).replace(/\.?0+$/, "")
    : `${low.toFixed(2)} to ${most.toFixed(2).replace(/\.?0+$/, "")}`;
}

function shifts(model) {
  let curves = [];
  const box = plot(
    () => ({
      options: {
        scales: { x: { time: false }, y: { range: (_, low, high) => [0, Math.max(2, Math.ceil(high * 1.1))] } },
        cursor: { y: false },
        series: [
          { label: "shift", value: (_, v) => (v === null ? "" : number(v)) },
          ...curves.map((curve, k) => ({
            label: curve.name,
            stroke: css(k ? "--other" : "--accent"),
            width: 1.6,
            value: (_, v) => (v === null ? "" : number(v)),
          })),
        ],
        axes: [
          axis("shift: host i sends to host i + shift"),
          axis("flows on the most loaded link", (_, ticks) => ticks.map((v) => (Number.isInteger(v) ? v : ""))),
        ],
      },
      data: [curves[0]?.by ?? [], ...curves.map((curve) => curve.most)],
    }),
    280,
    "Flows on the most loaded link in each shift",
  );
  const refresh = async () => {
    const wanted = [state.engine, state.other].filter((i) => i >= 0 && model.hasTables(i));
    const found = await Promise.all(
      wanted.map(async (i) => ({
        name: data.routes[i].name,
        ...(await model.shifts(i, state.among, model.fabric.speedsDiffer && !state.countFlows)),
      })),
    );
    curves = found;
    box.redraw();
  };
  const why = el("p", { id: "no-shifts", hidden: true });
  const say = () => {
    const without = !model.hasTables(state.engine);
    box.hidden = without;
    why.hidden = !without;
    why.textContent = model.hasGroups(state.engine)
      ? "Not counted: its switches choose. One shift at a time is among the traffic above, split evenly."
      : "Not counted: this page has no tables of it.";
  };
  say();
  onChange(["engine"], say);
  onChange(["engine", "other", "among", "countFlows"], () => later(refresh));
  later(refresh);
  return el(
    "div",
    { class: "card" },
    el("h3", {}, "Shifts"),
    box,
    why,
    el(
      "p",
      { class: "note" },
      "The steps of an all-to-all. 1: no two flows share a channel between switches. Up to 240 shifts, evenly spread.",
    ),
  );
}

const later = (work) =>
  "requestIdleCallback" in window ? requestIdleCallback(work, { timeout: 1500 }) : setTimeout(work, 200);
