// SPDX-License-Identifier: BSD-3-Clause
// The verdict on top of the page: the lines of `fatwood check`, the cables that are worth putting back first,
// and the command to run next.
import { data } from "./data.js";
import { el, goTo, number, short } from "./dom.js";
import { markMissing, putBackRows } from "./limits.js";
import { worstLosses } from "./losses.js";
import { onChange, state, update } from "./store.js";

const kCables = 3;
const kClass = { OK: "good", WARNING: "warn", BAD: "poor", "-": "quiet" };

// run(verb): runs it on the server of the live view
export function verdict(fabric, run) {
  const { check } = data;
  const cables = el("div", { class: "row put-back-first" });
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
      whichEngine(run),
      run
        ? row(
            "worst to lose",
            {},
            task("Rank all losses", () => run("whatif")),
          )
        : worstLoss(fabric),
      cables,
      // What to type about a preview has no name yet.
      data.command && row("next", { class: "next" }, el("code", {}, check.next[0]), more(check)),
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

// A line of ours, with its heading.
const row = (title, attributes, ...says) =>
  el(
    "div",
    { ...attributes, class: `row ${attributes.class ?? ""}` },
    el("h2", {}, title),
    el("div", { class: "says" }, ...says),
  );

const task = (text, onclick) => el("button", { type: "button", class: "link", onclick }, text);

// Which engine, if several were compared; in the live view they are compared when somebody asks.
function whichEngine(run) {
  const { engines, recommendation } = data;
  if (run)
    return row(
      "engine",
      { id: "which-engine" },
      task("Compare all engines", () => run("compare")),
    );
  if (!recommendation?.reason || engines.filter((one) => !one.refused).length < 2) return null;
  const table = el("a", { class: "sentence", href: "#engines" }, "all engines");
  return row("engine", { id: "which-engine" }, recommendation.reason, " (", table, ")");
}

// The worst switch and the worst cable to lose, once they are unpacked.
function worstLoss(fabric) {
  if (!data.losses) return row("worst to lose", {}, "not counted here: ", el("code", {}, whatifCommand()));
  const says = el("p");
  worstLosses(fabric).then((rows) => {
    const now = data.losses.gigabits_now;
    const part = ({ text, pick, row }) => [
      el("button", { class: "link", onclick: () => (update({ pick }), goTo("map")) }, text),
      row.pairs
        ? ` (${number(row.pairs)} pairs lost)`
        : row.gigabits > 0
          ? ` (${rate(now)} \u2192 ${rate(row.gigabits)})`
          : "",
    ];
    const parts = rows.map(part).flatMap((one, i) => (i ? [", ", ...one] : one));
    says.replaceChildren(...parts);
  });
  return row("worst to lose", { id: "worst-loss" }, says);
}
function whatifCommand() {
  const words = data.check.command.replace("fatwood check ", "fatwood whatif ");
  const routes = data.routes[state.engine];
  return routes && data.check.tables !== "given" ? `${words} ${routes.name}` : words;
}
const rate = (gigabits) => `${short(gigabits)} Gb/s`;

function firstCables(fabric) {
  const rows = putBackRows(fabric).slice(0, kCables);
  if (rows.length === 0) return [];
  return [
    el("h2", {}, "put back first"),
    el(
      "p",
      {},
      ...rows
        .map((row, i) => [
          i > 0 && ", ",
          el("button", { class: "link", onclick: () => markMissing(fabric, row.one) }, row.name),
          ` (${row.now} \u2192 ${row.then})`,
        ])
        .flat()
        .filter(Boolean),
    ),
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
