// SPDX-License-Identifier: BSD-3-Clause
// Bars next to the tables of a task's result: one for each row of a list, or for each rate of an object.
import { el, number } from "./dom.js";

const kMost = 20;

// The column that a list is about, with its unit; the first that it has.
/** @type {[string, string, string][]} */
const kMeasures = [
  ["worst_gbps", "Worst pair", "Gb/s per host"],
  ["gigabits_per_second", "What a host gets", "Gb/s"],
  ["gbps", "What a pair gets", "Gb/s per host"],
  ["seconds", "Time", "s"],
  ["mean", "Mean", "of what a port can send"],
  ["load", "Load", "flows"],
  ["largest", "Most loaded link", "flows"],
];
const kNames = ["name", "cut", "remove", "routing", "channel", "what", "how", "job", "traffic"];
const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
const nameIn = (row) => String(kNames.map((key) => row[key]).find((value) => typeof value === "string") ?? "");

// Of a list of objects; null where it has nothing to compare.
export function barsOfList(title, list) {
  const measure = kMeasures.find(([key]) => list.filter((row) => isNumber(row[key])).length > 1);
  if (!measure) return null;
  const [key, what, unit] = measure;
  const rows = list.filter((row) => isNumber(row[key]) && nameIn(row) !== "");
  if (rows.length < 2) return null;
  return bars(
    `${title}: ${what}`,
    unit,
    rows.slice(0, kMost).map((row) => [nameIn(row), row[key]]),
  );
}

// Of an object with several rates.
export function barsOfRates(title, result) {
  const rows = Object.entries(result).filter(([key, value]) => /_gbps$/.test(key) && isNumber(value));
  const nameOf = (key) => key.replace(/_gbps$/, "").replace(/^p(\d+)$/, "$1% of pairs");
  return rows.length < 2
    ? null
    : bars(
        title,
        "Gb/s",
        rows.map(([key, value]) => [nameOf(key), Number(value)]),
      );
}

function bars(title, unit, rows) {
  const most = Math.max(...rows.map(([, value]) => Math.abs(value)), 1e-300);
  const text = (value) => `${number(Number(value.toPrecision(4)))}`;
  const said = rows.map(([name, value]) => `${name} ${text(value)}`).join(", ");
  return el(
    "div",
    { class: "hbars", role: "img", "aria-label": `${title}, ${unit}: ${said}` },
    el("p", { class: "note" }, el("b", {}, title), `, ${unit}`),
    rows.map(([name, value]) =>
      el(
        "div",
        {},
        el("span", { title: name }, name),
        el("i", { style: `width:${((100 * Math.abs(value)) / most).toFixed(1)}%` }),
        el("b", {}, text(value)),
      ),
    ),
  );
}
