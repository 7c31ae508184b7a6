// SPDX-License-Identifier: BSD-3-Clause
// The top of the page: the whole fabric, what is shown of it, and the card of what is picked.
import { controls } from "./controls.js";
import { data } from "./data.js";
import { el } from "./dom.js";
import { loadLegend } from "./matrix.js";
import { saveButtons } from "./save.js";
import { onChange, state, update } from "./store.js";

// Kinds that tell how a fabric is built, not that something is wrong.
const kPlain = new Set([
  "aggregation",
  "several-ports",
  "file",
  "side",
  "upper-host",
  "no-lid",
  "rail-guest",
  "uneven-hosts",
]);

// Sentences by node.
export function findingsByNode(fabric) {
  const of = new Map();
  data.show.oddities.forEach((one, i) => {
    if (kPlain.has(one.kind)) return;
    const at = fabric.odd[i];
    for (const node of new Set([...at.nodes, ...at.ports.map((c) => fabric.owner[c])])) {
      if (!of.has(node)) of.set(node, []);
      of.get(node).push(one.text);
    }
  });
  return of;
}

// What is in sight of a map stays in sight on that of other data, if it has the same rows.
export function handOver(before, next) {
  const sizes = (map) => String(map.layout.rows.map((row) => row.switches.length));
  if (!before || !next) return;
  if (next.leavesBy !== before.leavesBy) next.arrange(before.leavesBy);
  if (sizes(before) !== sizes(next)) return;
  Object.assign(next, { transforms: before.transforms, active: before.active, kept: null });
  next.draw();
}

export function mapSection(fabric, model, map, panel, beside) {
  const marked = el("p", { class: "facts", id: "marked", hidden: true });
  onChange(["marked"], () => {
    map.setMarked(state.marked);
    marked.hidden = !state.marked;
    if (state.marked)
      marked.replaceChildren(
        el("b", {}, "Marked: "),
        state.marked.text,
        " ",
        el("button", { class: "link", onclick: () => update({ marked: null }) }, "clear"),
      );
  });
  const legend = el("div");
  onChange(["loaded"], () => legend.replaceChildren(loadLegend(map)));
  const leaves = () =>
    map.rails.any
      ? [
          el(
            "label",
            {},
            el("span", {}, "Leaves by"),
            el(
              "select",
              { id: "map-leaves", onchange: (event) => map.arrange(event.target.value) },
              ["unit", "rail"].map((by) => el("option", { value: by, selected: by === map.leavesBy }, by)),
            ),
          ),
        ]
      : [];
  return el(
    "section",
    { id: "map", tabindex: "-1" },
    el("h2", {}, "The whole fabric"),
    controls(fabric, model, { zooms: map, prefix: "map-", more: leaves }),
    el(
      "div",
      { class: "card" },
      marked,
      map.canvas,
      el("div", { class: "under" }, legend, saveButtons("map", { svg: () => map.svg() })),
      el(
        "p",
        { class: "note screen", id: "map-help" },
        "A line is a bundle of cables, with their number, in the colour of the most loaded one. Dashed: missing cables. Red corner: a finding. ",
        "A click opens a group or picks a switch or host; a double click shows its ports; Shift and a click on a second host draw the path. Each row zooms by itself: with the wheel after a click (or with Ctrl), by pinching, with + and \u2212; drag to move; 0 shows all again. ",
        "With the keyboard: arrows go from box to box, Enter opens, picks and shows ports, Shift and arrows move.",
      ),
    ),
    el("div", { class: "columns pick" }, panel, beside),
  );
}
