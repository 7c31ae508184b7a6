// SPDX-License-Identifier: BSD-3-Clause
// What is shown: the engine, the traffic, the other engine to compare with.
import { data } from "./data.js";
import { el, number } from "./dom.js";
import { searchBox } from "./search.js";
import { onChange, state, update } from "./store.js";

function choice(label, options, value, change, id) {
  const select = el(
    "select",
    { id, onchange: (event) => change(event.target.value) },
    options.map(([key, text]) => el("option", { value: key, selected: String(key) === String(value) }, text)),
  );
  return el("label", {}, el("span", {}, label), select);
}

// zooms: a picture with zoomBy() and reset(); ports: whether their order can be chosen; prefix: of ids,
// where there are several of these on a page; more(): further controls
export function controls(fabric, model, { zooms, ports = false, prefix = "", more = () => [] }) {
  const bar = el("div", { class: "controls screen" });
  const render = () => {
    const names = model.shown.map((i) => [i, data.routes[i].name]);
    const flowsOnly = [state.engine, state.other].some((i) => i >= 0 && !model.canRoute(i));
    const kinds =
      flowsOnly || model.counted(state.among).length < 2
        ? [["all", "all to all"]]
        : [
            ["all", "all to all"],
            ["shift", "shift"],
            ["permutation", "random permutation"],
            ["hotspot", "all to one host"],
            ["from", "one host to all"],
          ];
    for (const w of flowsOnly ? [] : data.worst.filter((one) => one.traffic.length > 0))
      kinds.push([`worst ${w.engine}`, `worst traffic of ${w.engine}`]);
    for (const [i, job] of flowsOnly ? [] : data.jobs.entries())
      kinds.push([`job ${i}`, `job ${job.name}: ${job.what}, ${job.hosts} hosts`]);
    const kind = flowsOnly
      ? "all"
      : ["worst", "job"].includes(state.traffic.kind)
        ? `${state.traffic.kind} ${state.traffic.of}`
        : state.traffic.kind;
    bar.replaceChildren(
      ...[
        choice(
          "Engine",
          names,
          state.engine,
          (v) => update({ engine: Number(v), other: Number(v) === state.other ? -1 : state.other }),
          `${prefix}engine`,
        ),
        choice("Traffic", kinds, kind, (v) => update({ traffic: trafficOf(v, model) }), `${prefix}traffic`),
        !flowsOnly && parameter(fabric, model, prefix),
        choice(
          "Less",
          [[-1, "nothing"], ...names.filter(([i]) => i !== state.engine).map(([i, name]) => [i, name])],
          state.other,
          (v) => update({ other: Number(v) }),
          `${prefix}other`,
        ),
        ports &&
          choice(
            "Ports",
            [
              ["number", "as numbered"],
              ["kind", "hosts, down, up"],
            ],
            state.ports,
            (v) => update({ ports: v }),
            "ports",
          ),
        fabric.speedsDiffer &&
          el(
            "label",
            { class: "check" },
            el("input", {
              type: "checkbox",
              id: `${prefix}count-flows`,
              checked: state.countFlows,
              onchange: (event) => update({ countFlows: event.target.checked }),
            }),
            el("span", {}, "count flows, whatever the speed"),
          ),
        ...more(),
        el(
          "div",
          { class: "zoom" },
          zoomButton("+", "Zoom in", () => zooms.zoomBy(1.6)),
          zoomButton("\u2212", "Zoom out", () => zooms.zoomBy(1 / 1.6)),
          el("button", { title: "Show all of it", onclick: () => zooms.reset() }, "reset"),
        ),
      ].filter(Boolean),
    );
  };
  onChange(["engine", "other", "among", "countFlows", "ports"], render);
  onChange(["traffic"], () => {
    if (document.activeElement?.id !== `${prefix}shift`) render();
  });
  render();
  return bar;
}

const zoomButton = (text, title, onclick) => el("button", { title, "aria-label": title, onclick }, text);

export function trafficOf(key, model) {
  if (key.startsWith("worst ")) return { kind: "worst", of: key.slice(6) };
  if (key.startsWith("job ")) return { kind: "job", of: Number(key.slice(4)) };
  if (key === "shift") return { kind: "shift", by: Math.max(1, Math.floor(model.counted(state.among).length / 2)) };
  if (key === "permutation") return { kind: "permutation", seed: 1 };
  if (key === "hotspot" || key === "from") return { kind: key, host: model.counted(state.among)[0][0] };
  return { kind: "all" };
}

function parameter(fabric, model, prefix) {
  const { traffic } = state;
  if (traffic.kind === "shift") {
    const output = el("output", {}, number(traffic.by));
    return el(
      "label",
      { class: "wide" },
      el("span", {}, "by "),
      output,
      el("input", {
        type: "range",
        id: `${prefix}shift`,
        "aria-label": "How far hosts shift",
        min: 1,
        max: Math.max(1, model.counted(state.among).length - 1),
        value: traffic.by,
        oninput: (event) => {
          output.textContent = number(Number(event.target.value));
          update({ traffic: { kind: "shift", by: Number(event.target.value) } });
        },
      }),
    );
  }
  if (traffic.kind === "permutation") {
    return el(
      "button",
      { onclick: () => update({ traffic: { kind: "permutation", seed: traffic.seed + 1 } }) },
      `draw another (${traffic.seed})`,
    );
  }
  if (traffic.kind === "hotspot" || traffic.kind === "from") {
    const box = searchBox(fabric, {
      id: `${prefix}hot`,
      placeholder: "host",
      found: (end) => end >= 0 && update({ traffic: { ...traffic, host: end } }),
    });
    box.setEnd(traffic.host);
    return box;
  }
  return null;
}
