// SPDX-License-Identifier: BSD-3-Clause
// The worst pair, what jobs get, and the missing cables over time: states that the server keeps (--history), and
// those that this page has seen.
import { el, number, svg } from "./dom.js";
import { ask } from "./liveask.js";

const kWidth = 640;
const kHeight = 48;
const kEdge = 4;

const rate = (gbps) => `${number(Math.round(gbps * 10) / 10)} Gb/s`;
const percent = (share) => `${(100 * share).toFixed(1)}%`;
/** @type {[string, string, (facts: any) => number | null | undefined, (value: number) => string][]} */
const kLines = [
  ["worst", "Worst pair", (facts) => facts.worst_gbps, rate],
  ["jobs", "Job efficiency, mean", (facts) => facts.jobs?.mean, percent],
  ["missing", "Missing cables", (facts) => facts.missing_cables, number],
];
const clock = (time) =>
  new Date(time).toLocaleString("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

// {element, heard(state)}
export function liveTimeline() {
  let points = []; // {time, facts}, in order
  let asked = false;
  const body = el("div", { id: "live-timeline" });
  const show = () =>
    body.replaceChildren(...kLines.map((line) => drawn(line, points, Date.now())).filter((one) => one !== null));
  const add = (list) => {
    const times = new Set(points.map(({ time }) => time));
    points = [...points, ...list.filter(({ time }) => !times.has(time))].sort((a, b) => a.time - b.time);
  };
  const heard = (state) => {
    if (!state.fabric) return;
    const known = points.at(-1)?.facts;
    const values = (facts) => String(kLines.map(([, , of]) => of(facts)));
    if (!known || values(known) !== values(state.fabric)) {
      add([{ time: Math.round(Date.now() - state.age_seconds * 1000), facts: state.fabric }]);
      show();
    }
    if (state.history && !asked) {
      asked = true;
      ask("GET", "/history")
        .then(({ states }) => {
          add(states.filter((one) => one.fabric).map((one) => ({ time: one.id, facts: one.fabric })));
          show();
        })
        .catch(() => (asked = false));
    }
  };
  return { element: el("div", {}, el("h3", {}, "Over time"), body), heard };
}

function drawn([key, title, of, text], points, now) {
  const known = points.filter(({ facts }) => of(facts) !== null && of(facts) !== undefined);
  if (known.length === 0) return null;
  const values = known.map(({ facts }) => of(facts));
  const [first, last] = [known[0].time, Math.max(now, known.at(-1).time + 1)];
  const most = Math.max(...values);
  const least = Math.min(...values);
  const x = (time) => (kEdge + ((kWidth - 2 * kEdge) * (time - first)) / (last - first)).toFixed(1);
  const y = (value) => (kHeight - kEdge - (kHeight - 2 * kEdge) * (value / (most || 1))).toFixed(1);
  const path = known.map(({ time }, i) => `${i ? "H" : "M"}${x(time)}${i ? "V" : " "}${y(values[i])}`).join("");
  const at = (value) => clock(known[values.lastIndexOf(value)].time);
  const range = least === most ? "" : `; least ${text(least)} (${at(least)}), most ${text(most)} (${at(most)})`;
  const said = `${text(values.at(-1))} now, ${range ? "seen" : "the same"} since ${clock(first)}${range}`;
  const picture = svg(
    "svg",
    {
      viewBox: `0 0 ${kWidth} ${kHeight}`,
      class: "picture timeline",
      role: "img",
      preserveAspectRatio: "none",
      "aria-label": `${title}: ${said}`,
    },
    svg("path", { d: `${path}H${x(last)}`, "vector-effect": "non-scaling-stroke" }),
  );
  return el("div", { "data-line": key }, el("p", { class: "note" }, el("b", {}, title), ` ${said}`), picture);
}
