// SPDX-License-Identifier: BSD-3-Clause
// Choosing the two ends of a path, and its hops as `fatwood trace` prints them.
import { counted, el } from "./dom.js";
import { searchBox } from "./search.js";
import { state, update } from "./store.js";

const kArrow = "\u2192";

// What a click picks. Two hosts, the second with Shift or after "Path from here", are the ends of a path.
export function pickOf(pick, joined = false) {
  const from = state.pathFrom ?? (joined && state.pick?.kind === "host" ? state.pick.t : null);
  if (pick.kind !== "host" || from === null || from === pick.t) return { pick };
  return { pick: { kind: "pair", a: from, b: pick.t }, pathFrom: null };
}

// The button that makes the next host the other end.
export function pathFromHere(fabric, t) {
  const button = el("button", {
    id: "path-here",
    "aria-pressed": String(state.pathFrom === t),
    onclick: () => {
      update({ pathFrom: state.pathFrom === t ? null : t });
      button.setAttribute("aria-pressed", String(state.pathFrom === t));
      button.textContent = text();
    },
  });
  const text = () => (state.pathFrom === t ? "Click the other host" : "Path from here");
  button.textContent = text();
  return el("p", { class: "screen" }, button);
}

// "H0[1] -> S1_0[3]", a line for each hop.
export function hopList(fabric, { channels, failure, lane }) {
  return el(
    "div",
    { class: "hops" },
    el(
      "ol",
      {},
      channels.map((c) => el("li", {}, `${fabric.portName(c)} -> ${fabric.portName(fabric.peer[c])}`)),
    ),
    el(
      "p",
      { class: failure ? "poor" : "" },
      failure ? `not reached: ${failure}` : `reached in ${counted(channels.length, "hop")}, lane ${lane}`,
    ),
  );
}

export function routeBoxes(fabric, pick) {
  const ends = {
    a: pick?.kind === "pair" ? pick.a : pick?.kind === "host" ? pick.t : undefined,
    b: pick?.kind === "pair" ? pick.b : undefined,
  };
  const found = (key) => (end) => {
    ends[key] = end;
    if (ends.a !== undefined && ends.b !== undefined && ends.a !== ends.b)
      update({ pick: { kind: "pair", a: ends.a, b: ends.b } });
  };
  const from = searchBox(fabric, { id: "path-from", placeholder: "from a host", found: found("a") });
  const to = searchBox(fabric, { id: "path-to", placeholder: "to a host", found: found("b") });
  if (ends.a !== undefined) from.setEnd(ends.a);
  if (ends.b !== undefined) to.setEnd(ends.b);
  return el("div", { class: "route screen" }, el("span", {}, "Draw the path "), from, el("span", {}, kArrow), to);
}
