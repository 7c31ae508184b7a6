// SPDX-License-Identifier: BSD-3-Clause
// A table of the page, in a frame that scrolls.
import { el, number, percent } from "./dom.js";

// heads: texts or elements. rows: lists of cells, the first of which heads its row; a cell that is a <td>, and a
// row that is a <tr>, stay as they are. label: says what the frame has, for keyboards and screen readers.
export function dataTable(heads, rows, { id = null, label = null } = {}) {
  const body = rows instanceof HTMLElement ? rows : el("tbody", {}, rows.map(tableRow));
  const head = el("tr", {}, heads.map(headCell));
  const frame = label ? { class: "scroll", role: "region", "aria-label": label, tabindex: "0" } : { class: "scroll" };
  return el("div", frame, el("table", { class: "data", id }, heads.length > 0 && el("thead", {}, head), body));
}
const headCell = (head) => {
  if (head === "") return el("td");
  return isCell(head, "TH") ? head : el("th", { scope: "col" }, head);
};
const isCell = (cell, tag) => cell instanceof HTMLElement && cell.tagName === tag;

export function tableRow(row, attributes = {}) {
  if (isCell(row, "TR")) return row;
  const [name, ...cells] = row;
  return el(
    "tr",
    attributes,
    el("th", { scope: "row" }, name),
    cells.map((cell) => (isCell(cell, "TD") ? cell : el("td", {}, cell))),
  );
}

// A share with its bar.
export const barCell = (part, whole) =>
  el(
    "span",
    { class: "bar" },
    el("i", { style: `width:${(100 * part) / Math.max(1, whole)}%` }),
    el("span", {}, percent(part, whole)),
  );

// "and 5 more.", or nothing
export const more = (all, shown) => all > shown && el("p", { class: "note" }, `and ${number(all - shown)} more.`);
