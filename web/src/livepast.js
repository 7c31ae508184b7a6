// SPDX-License-Identifier: BSD-3-Clause
// What the live view keeps: counters of the last two readings, and states of the past.
import { counted, el, number } from "./dom.js";
import { api, ask } from "./liveask.js";

const known = (value, text) => (value === null || value === undefined ? "-" : text(value));
const rate = (value) => known(value, (gbps) => `${number(Math.round(gbps * 100) / 100)} Gb/s`);
const share = (value) => known(value, (part) => `${(100 * part).toFixed(2)}%`);
const kPlotWidth = 640;
const kPlotHeight = 120;

// What links sent between two readings, beside what the routes predict.
function measured(counters) {
  const heads = ["Link", "Sent", "Share of all bytes", "Predicted, all to all"];
  const line = (link) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, `${link.link} \u2192 ${link.to}`),
      [rate(link.gbps), share(link.share), share(link.predicted_share)].map((cell) => el("td", {}, cell)),
    );
  return el(
    "div",
    { class: "scroll", role: "region", "aria-label": "Counters", tabindex: "0" },
    el(
      "table",
      { class: "data" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          heads.map((text) => el("th", { scope: "col" }, text)),
        ),
      ),
      el("tbody", {}, counters.hottest.map(line)),
    ),
  );
}

// {details, show(counters)}
export function liveCounters() {
  const body = el("div", { id: "live-counters" });
  const show = (counters) => {
    const seconds = number(Math.round(counters.seconds));
    body.replaceChildren(
      el("p", {}, `Between the last two readings, ${seconds} s apart; hottest links first.`),
      measured(counters),
    );
  };
  const fill = () => ask("GET", "/counters").then(show, (error) => body.replaceChildren(el("p", {}, error.message)));
  const opened = () => details.open && fill();
  const details = el("details", { id: "live-rates", ontoggle: opened }, el("summary", {}, "Counters"), body);
  return { details, show };
}

// The worst pair and the missing cables of the states that are kept, as lines over time.
function timeline(states) {
  const points = states.filter((one) => one.fabric?.worst_gbps > 0);
  if (points.length < 2) return null;
  const [first, last] = [points[0].id, points.at(-1).id];
  const most = Math.max(...points.map((one) => one.fabric.worst_gbps));
  const x = (id) => 4 + ((kPlotWidth - 8) * (id - first)) / Math.max(1, last - first);
  const y = (value) => kPlotHeight - 4 - (kPlotHeight - 20) * (value / most);
  const path = points.map((one, i) => `${i ? "L" : "M"}${x(one.id).toFixed(1)} ${y(one.fabric.worst_gbps).toFixed(1)}`);
  const svgns = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(svgns, "svg");
  picture.setAttribute("viewBox", `0 0 ${kPlotWidth} ${kPlotHeight}`);
  picture.setAttribute("class", "picture timeline");
  picture.setAttribute("role", "img");
  const text = `Worst pair over time, up to ${rate(most)}`;
  picture.setAttribute("aria-label", text);
  const line = document.createElementNS(svgns, "path");
  line.setAttribute("d", path.join(""));
  picture.append(line);
  return el("div", {}, el("p", { class: "note" }, text), picture);
}

export function livePast() {
  const body = el("div", { id: "live-history" });
  async function fill() {
    const answer = await fetch(`${api}/history`);
    if (!answer.ok) return body.replaceChildren(el("p", {}, (await answer.json()).error));
    const { states } = await answer.json();
    const item = (past) => {
      const differs = el("span", {});
      const compare = async () => {
        const { cables } = await ask("GET", `/history/${past.id}`);
        const rest = `${number(cables.new.length)} new, ${number(cables.moved.length)} moved`;
        differs.textContent = ` ${counted(cables.lost.length, "cable")} lost since, ${rest}`;
      };
      const { links, worst_gbps: worst, missing_cables: missing } = past.fabric ?? {};
      const facts = `${counted(links ?? 0, "cable")}, ${number(missing ?? 0)} missing, worst pair ${rate(worst)} `;
      const button = el("button", { type: "button", onclick: compare }, "Compare with now");
      return el("li", {}, `${new Date(past.id).toLocaleString("en-GB")}: ${facts}`, button, differs);
    };
    return body.replaceChildren(...[timeline(states), el("ul", {}, [...states].reverse().map(item))].filter(Boolean));
  }
  const opened = () => details.open && fill();
  const details = el("details", { id: "live-past", ontoggle: opened }, el("summary", {}, "States of the past"), body);
  return details;
}
