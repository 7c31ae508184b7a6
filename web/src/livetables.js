// SPDX-License-Identifier: BSD-3-Clause
// The JSON of a verb as tables: a row for each value, with its unit; lists of objects with a column for each key, and
// bars (livebars.js) of what they are about.
import { el, number } from "./dom.js";
import { barsOfList, barsOfRates } from "./livebars.js";
import { dataTable, more } from "./tables.js";

const kRows = 50;
/** @type {[RegExp, string][]} */
const kUnits = [
  [/_gbps$|^gbps$|gigabits_per_second$/, "Gb/s"],
  [/^(bus|alg)bw$|gigabytes_per_second$/, "GB/s"],
  [/^[mo]load(_value)?$/, "flows"],
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
  const name = key.replace(/_(gbps|seconds|bytes|ms|us|percent|value|per_second)$/, "").replaceAll("_", " ");
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

const rest = (list) => more(list.length, kRows);

function listTable(label, list) {
  const keys = [...new Set(list.slice(0, kRows).flatMap((row) => Object.keys(row)))];
  const textIn = (row, key) => (row[key] === undefined ? "" : textOf(row[key]));
  const cells = (row) => keys.map((key, i) => (i === 0 ? textIn(row, key) : wide(textIn(row, key))));
  return [dataTable(keys.map(nameOf), list.slice(0, kRows).map(cells), { label }), rest(list)];
}
const wide = (text) => el("td", { class: "wrap" }, text);

const pairTable = (label, pairs) =>
  dataTable(
    [],
    pairs.map(([key, value]) => [nameOf(key), wide(textOf(value))]),
    { label },
  );

// The parts of a result, the plain values first.
export function tablesOf(result, title = "Result") {
  if (Array.isArray(result)) {
    if (result.length && result.every(isObject))
      return [barsOfList(title, result), ...listTable(title, result)].filter(Boolean);
    return [el("p", {}, result.length ? result.slice(0, kRows).map(textOf).join(", ") : "none"), rest(result)].filter(
      Boolean,
    );
  }
  if (!isObject(result)) return [el("p", {}, textOf(result))];
  // Of a fraction and its value, the value.
  const said = result.recommendation?.reason; // a sentence, not a table
  const entries = Object.entries(result).filter(
    ([key]) => key !== "fatwood" && !(`${key}_value` in result) && !(said && key === "recommendation"),
  );
  const small = (value) => isPlain(value) || (Array.isArray(value) && value.length < 6 && value.every(isPlain));
  const flat = entries.filter(([, value]) => small(value));
  const deep = entries.filter(([, value]) => !small(value));
  return [
    said && el("p", {}, el("b", {}, "Recommended: "), said),
    barsOfRates(title, result),
    flat.length > 0 && pairTable(title, flat),
    ...deep.flatMap(([key, value]) => [el("h4", {}, nameOf(key)), ...tablesOf(value, nameOf(key))]),
  ].filter(Boolean);
}
