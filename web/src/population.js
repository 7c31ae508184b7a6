// SPDX-License-Identifier: BSD-3-Clause
// Whose figures are shown: one population for the whole page, chosen in its header (state.among). The first is
// that of the command line (--among; compute hosts if roles differ).
import { data } from "./data.js";
import { el, number } from "./dom.js";
import { onChange, state, update } from "./store.js";

const nameOf = ({ hosts, adapters }) => `${hosts === "all" ? "all" : hosts} hosts (${number(adapters)})`;

// "2,340 compute adapters", "all 128 hosts"
export function populationText(among = state.among) {
  const one = data.populations[among];
  if (one.hosts === "all") return `all ${number(one.adapters)} hosts`;
  return one.text.replace(/\d+/g, (digits) => number(Number(digits)));
}

// The choice of the header; a text where there is one population.
export function populationChoice() {
  const title = "Whose figures: loads, rates, losses and columns are of these hosts";
  if (data.populations.length === 1)
    return el("span", { id: "among", class: "quiet", title }, nameOf(data.populations[0]));
  const select = el(
    "select",
    { id: "among", title, onchange: () => update({ among: Number(select.value) }) },
    data.populations.map((one, i) => el("option", { value: i }, nameOf(one))),
  );
  const show = () => (select.value = String(state.among));
  onChange(["among"], show);
  show();
  return el("label", { class: "among" }, el("span", {}, "Of"), select);
}
