// SPDX-License-Identifier: BSD-3-Clause
// The verdict on top of the page: the lines of `fatwood check`, the cables that are worth putting back first,
// and the command to run next.
import { data } from "./data.js";
import { el, goTo, number } from "./dom.js";
import { markMissing, putBackRows } from "./limits.js";
import { onChange, state } from "./store.js";

const kCables = 3;
const kClass = { OK: "good", WARNING: "warn", BAD: "poor", "-": "quiet" };

export function verdict(fabric) {
  const { check } = data;
  const cables = el("div", { class: "put-back-first" });
  const showCables = () => cables.replaceChildren(...firstCables(fabric));
  onChange(["among"], showCables);
  showCables();
  return el(
    "section",
    { id: "verdict", tabindex: "-1", "aria-label": "Verdict" },
    el(
      "div",
      { class: "strip card" },
      check.lines.map((line) => lineOf(line)),
      cables,
      el("p", { class: "next" }, el("b", {}, "Next: "), el("code", {}, check.next[0]), more(check)),
    ),
  );
}

// A heading with the first of its rows; the others at a click.
function lineOf({ word, health, text, rows }) {
  const row = ([name, what]) => el("li", {}, el("b", {}, name), " ", what);
  const level = kClass[health] ?? "quiet";
  return el(
    "div",
    { class: `line ${level}`, "data-word": word },
    el("h2", {}, word),
    health === "" ? el("span") : el("span", { class: `badge ${level}` }, health === "-" ? "not given" : health),
    el(
      "div",
      { class: "says" },
      el("p", {}, text),
      rows.length > 0 && el("ul", {}, row(rows[0])),
      rows.length > 1 &&
        el("details", {}, el("summary", {}, `${number(rows.length - 1)} more`), el("ul", {}, rows.slice(1).map(row))),
    ),
  );
}

function firstCables(fabric) {
  const rows = putBackRows(fabric).slice(0, kCables);
  if (rows.length === 0) return [];
  return [
    el("b", {}, "Put back first: "),
    ...rows
      .map((row, i) => [
        i > 0 && ", ",
        el("button", { class: "link", onclick: () => markMissing(fabric, row.one) }, row.name),
        ` (${row.now} \u2192 ${row.then})`,
      ])
      .flat()
      .filter(Boolean),
  ];
}

function more({ next, command }) {
  return el(
    "details",
    {},
    el("summary", {}, "more commands"),
    el(
      "ul",
      {},
      next.slice(1).map((text) => el("li", {}, el("code", {}, text))),
    ),
    el("p", { class: "note" }, "These lines are those of ", el("code", {}, command), "."),
  );
}

export const toFindings = () => goTo("fabric");
export const shownPopulation = () => data.populations[state.among];
