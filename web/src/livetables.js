// SPDX-License-Identifier: BSD-3-Clause
// The JSON of a verb as tables: a row for each value, with its unit; lists of objects with a column for each key.
import { el, number } from "./dom.js";

const kRows = 50;
/** @type {[RegExp, string][]} */
const kUnits = [
  [/_gbps$/, "Gb/s"],
  [/_seconds$|^seconds$/, "s"],
  [/_bytes$|^bytes$/, "B"],
  [/_ms$/, "ms"],
  [/_us$/, "\u00b5s"],
  [/_percent$/, "%"],
];

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isPlain = (value) => value === null || typeof value !== "object";

const unitOf = (key) => kUnits.find(([pattern]) => pattern.test(key))?.[1] ?? "";
const nameOf = (key) => {
  const unit = unitOf(key);
  const name = key.replace(/_(gbps|seconds|bytes|ms|us|percent|value)$/, "").replaceAll("_", " ");
  return unit ? `${name} (${unit})` : name;
};
function textOf(value) {
  if (value === null) return "\u2013";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return number(Number.isInteger(value) ? value : Number(value.toPrecision(5)));
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  if (isObject(value)) {
    return Object.entries(value)
      .map(([key, one]) => `${nameOf(key)} ${textOf(one)}`)
      .join("; ");
  }
  return String(value);
}

const rest = (list) => list.length > kRows && el("p", { class: "note" }, `and ${number(list.length - kRows)} more.`);
const framed = (label, ...parts) =>
  el(
    "div",
    { class: "scroll", role: "region", "aria-label": label, tabindex: "0" },
    el("table", { class: "data" }, ...parts),
  );

function listTable(label, list) {
  const keys = [...new Set(list.slice(0, kRows).flatMap((row) => Object.keys(row)))];
  const cell = (row, key, i) =>
    el(
      i === 0 ? "th" : "td",
      i === 0 ? { scope: "row" } : { class: "wrap" },
      row[key] === undefined ? "" : textOf(row[key]),
    );
  return [
    framed(
      label,
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          keys.map((key) => el("th", { scope: "col" }, nameOf(key))),
        ),
      ),
      el(
        "tbody",
        {},
        list.slice(0, kRows).map((row) =>
          el(
            "tr",
            {},
            keys.map((key, i) => cell(row, key, i)),
          ),
        ),
      ),
    ),
    rest(list),
  ];
}

function pairTable(label, pairs) {
  const line = ([key, value]) =>
    el("tr", {}, el("th", { scope: "row" }, nameOf(key)), el("td", { class: "wrap" }, textOf(value)));
  return framed(label, el("tbody", {}, pairs.map(line)));
}

// The parts of a result, the plain values first.
export function tablesOf(result, title = "Result") {
  if (Array.isArray(result)) {
    if (result.length && result.every(isObject)) return listTable(title, result).filter(Boolean);
    return [el("p", {}, result.length ? result.slice(0, kRows).map(textOf).join(", ") : "none"), rest(result)].filter(
      Boolean,
    );
  }
  if (!isObject(result)) return [el("p", {}, textOf(result))];
  // Of a fraction and its value, the value.
  const entries = Object.entries(result).filter(([key]) => key !== "fatwood" && !(`${key}_value` in result));
  const small = (value) => isPlain(value) || (Array.isArray(value) && value.length < 6 && value.every(isPlain));
  const flat = entries.filter(([, value]) => small(value));
  const deep = entries.filter(([, value]) => !small(value));
  return [
    flat.length > 0 && pairTable(title, flat),
    ...deep.flatMap(([key, value]) => [el("h4", {}, nameOf(key)), ...tablesOf(value, nameOf(key))]),
  ].filter(Boolean);
}
