// SPDX-License-Identifier: BSD-3-Clause
// Description of the fabric, and findings.
import { data } from "./data.js";
import { counted, el, number } from "./dom.js";
import { update } from "./store.js";
import { dataTable } from "./tables.js";
import { pickOf } from "./draw.js";

const kShown = 4;

export function overview(fabric) {
  const show = data.show;
  const tile = (value, label) => el("div", { class: "tile" }, el("b", {}, value), el("span", {}, label));
  return el(
    "section",
    { id: "fabric", tabindex: "-1" },
    el("h2", {}, "The fabric"),
    el("p", { class: "lead" }, show.summary),
    el(
      "div",
      { class: "tiles" },
      tile(number(show.switches), show.switches === 1 ? "switch" : "switches"),
      tile(number(show.hosts), show.hosts === 1 ? "host" : "hosts"),
      tile(number(show.links), "cables"),
      tile(number(show.levels.length), show.levels.length === 1 ? "level" : "levels"),
      show.bisection && tile(share(show.bisection.share_value), bisectionLabel(show.bisection)),
    ),
    el("div", { class: "columns" }, levelTable(show), oddities(fabric, show)),
  );
}

const share = (value) => (value === null || value === undefined ? "-" : `${Math.round(100 * value)}%`);
function bisectionLabel({ gigabits_per_second: gigabits }) {
  if (!gigabits) return "of full bisection";
  const rate =
    gigabits < 1000 ? `${number(Math.round(gigabits))} Gb/s` : `${number(Math.round(gigabits / 100) / 10)} Tb/s`;
  return `of full bisection, ${rate}`;
}

const ratio = (value) => (value === null || value === undefined ? "-" : value.toFixed(2));

function levelTable(show) {
  const counts = (level) => [
    level.switches,
    level.hosts,
    level.ports_down,
    level.ports_up,
    level.ports_side,
    level.ports_free,
  ];
  const rows = [...show.levels]
    .reverse()
    .map((level) => [
      level.name,
      ...counts(level).map((value) => (value ? number(value) : "\u2013")),
      ratio(level.oversubscription_value),
    ]);
  const heads = ["level", "switches", "hosts", "down", "up", "across", "free", "down : up"];
  return el("div", { class: "card" }, el("h3", {}, "Levels and ports"), dataTable(heads, rows));
}

// Of the findings of one kind, the worst; kinds that are alike stay in their order.
/** @type {[string, string, string][]} */
const kSeverities = [
  ["poor", "bad", "bad"],
  ["warn", "warning", "warn"],
  ["quiet", "note", "note"],
];
const rankOf = ({ severity }) =>
  Math.max(
    0,
    kSeverities.findIndex(([, , name]) => name === severity),
  );
const worstOf = (list) => Math.min(...list.map(rankOf));
const worseFirst = (a, b) => worstOf(a) - worstOf(b);

function oddities(fabric, show) {
  const kinds = new Map();
  show.oddities.forEach((oddity, i) => {
    if (!kinds.has(oddity.kind)) kinds.set(oddity.kind, []);
    kinds.get(oddity.kind).push({ ...oddity, at: fabric.odd[i] });
  });
  const groups = [...kinds.values()].sort(worseFirst).map((list) => {
    const items = list.map((one) => el("li", {}, pickable(fabric, one)));
    const rest = items.splice(kShown);
    const [level, word] = kSeverities[worstOf(list)];
    return el(
      "details",
      { class: "odd", open: worstOf(list) === 0 || list.length <= kShown || list[0].kind === "missing-cable" },
      el(
        "summary",
        {},
        el("span", { class: `badge ${level}` }, word),
        " ",
        el("b", {}, list[0].at.title),
        el("span", { class: "count" }, number(list.length)),
      ),
      el("ul", {}, items),
      rest.length > 0 &&
        el("details", { class: "more" }, el("summary", {}, `${number(rest.length)} more`), el("ul", {}, rest)),
    );
  });
  return el(
    "div",
    { class: "card" },
    el("h3", {}, `Findings${show.oddities.length ? `: ${counted(show.oddities.length, "finding")}` : ""}`),
    groups.length ? el("div", { class: "oddities" }, groups) : el("p", {}, "No findings."),
  );
}

// A sentence that shows its switch or port when clicked.
function pickable(fabric, one) {
  const port = one.at?.ports[0];
  const node = one.at?.nodes[0] ?? (port === undefined ? undefined : fabric.owner[port]);
  if (node === undefined) return one.text;
  const pick = pickOf(fabric, node);
  return el("a", { class: "sentence", href: "#picked", onclick: () => update({ pick }) }, one.text);
}
