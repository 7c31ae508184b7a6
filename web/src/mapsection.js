// SPDX-License-Identifier: BSD-3-Clause
// The map: the whole fabric, and next to it the card of what is picked and what can be done with it.
import { focusOf, picked } from "./cards.js";
import { controls } from "./controls.js";
import { el } from "./dom.js";
import { saveButtons } from "./save.js";
import { legend } from "./scale.js";
import { onChange, state, turns, update } from "./store.js";

// What is in sight of a map stays in sight on that of other data, if it has the same rows.
export function handOver(before, next) {
  const sizes = (map) => String(map.layout.rows.map((row) => row.switches.length));
  if (!before || !next) return;
  if (next.leavesBy !== before.leavesBy) next.arrange(before.leavesBy);
  if (sizes(before) !== sizes(next)) return;
  Object.assign(next, { transforms: before.transforms, active: before.active, kept: null });
  next.draw();
}

function markedLine(map) {
  const line = el("p", { class: "facts", id: "marked", hidden: true });
  onChange(["marked"], () => {
    map.setMarked(state.marked);
    line.hidden = !state.marked;
    if (!state.marked) return;
    const clear = el("button", { class: "link", onclick: () => update({ marked: null }) }, "clear");
    line.replaceChildren(el("b", {}, "Marked: "), state.marked.text, " ", clear);
  });
  return line;
}

function leavesChoice(map) {
  if (!map.rails.any) return [];
  const select = el(
    "select",
    { id: "map-leaves", onchange: () => map.arrange(select.value) },
    ["unit", "rail"].map((by) => el("option", { value: by, selected: by === map.leavesBy }, by)),
  );
  return [el("label", {}, el("span", {}, "Leaves by"), select)];
}

// The card of what is picked; the map and `focus` of the state follow it.
function pickPanel(fabric, model, view, map) {
  const card = el("div", {
    class: "card",
    id: "picked",
    role: "region",
    "aria-label": "What was picked",
    "aria-live": "polite",
    tabindex: "-1",
  });
  const begin = turns();
  const draw = async (changed) => {
    const current = begin();
    const { byMap } = state;
    state.byMap = false;
    const [parts, focus] = [await picked(fabric, model, view), await focusOf(fabric, model)];
    if (!current()) return;
    card.replaceChildren(...parts);
    map.setPicked({ ...state.pick, path: state.pick?.kind === "pair" ? focus : [] });
    if (changed?.has("pick") && state.pick && !byMap) map.showPick(state.pick, focus);
    update({ focus });
  };
  onChange(["pick", "loaded"], draw);
  if (view.shown) draw();
  return { card, draw };
}

const kHelp = [
  "A line is a bundle of cables, with their number, in the colour of the most loaded one. Dashed: missing cables.",
  "A corner is a finding: red is bad, amber a warning. A click opens a group or picks a switch or host; a double",
  "click shows its ports; Shift and a click on a second host draw the path. Each row zooms by itself: with the",
  "wheel after a click (or with Ctrl), by pinching, with + and \u2212; drag to move; 0 shows all again. With the",
  "keyboard: arrows go from box to box, down to hosts; comma and full stop go from port to port of a switch; Enter",
  "opens, picks and shows ports; Shift and Enter on a second host draw the path; Shift and arrows move.",
];
const kMatrixHelp = [
  "Rows and columns are the switches, in order of names. A cell is the cable from the switch of its row to that of",
  "its column, in the colour of its load. A mark at the left is a finding: red is bad, amber a warning. A click picks",
  "a cable; next to cables, the switch of the row. Zoom with the wheel after a click (or with Ctrl), by pinching, with",
  "+ and \u2212; drag to move; 0 shows all again. With the keyboard: up and down go from switch to switch, left and",
  "right along its cables; Enter picks; Shift and arrows move.",
];

// aside: what stands above the card, such as the what-if of the live view
export function mapSection(fabric, model, view, map, aside) {
  const scale = el("div");
  const show = () => {
    if (!view.shown) return;
    map.show(view.shown.values, view.shown.mode, view.shown.unit);
    scale.replaceChildren(legend(map));
  };
  onChange(["loaded"], show);
  show();
  const { card, draw } = pickPanel(fabric, model, view, map);
  const section = el(
    "section",
    { id: "map", tabindex: "-1" },
    el("h2", {}, "The whole fabric"),
    controls(fabric, model, { zooms: map, prefix: "map-", more: () => leavesChoice(map) }),
    el(
      "div",
      { class: "columns mapside" },
      el(
        "div",
        { class: "card", id: "map-card" },
        markedLine(map),
        map.canvas,
        el("div", { class: "under" }, scale, saveButtons("map", { svg: () => map.svg(), picture: map, view })),
        el(
          "details",
          { class: "note screen", id: "map-help" },
          el("summary", {}, "How to read and use the map"),
          (map.order ? kMatrixHelp : kHelp).join(" "),
        ),
      ),
      el("div", { class: "side" }, aside, card),
    ),
  );
  section.redraw = () => {
    map.drawNow(); // at once: printing does not wait
    draw();
  };
  return section;
}
