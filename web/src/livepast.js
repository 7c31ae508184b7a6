// SPDX-License-Identifier: BSD-3-Clause
// What the live view keeps: counters of the last two readings, and states of the past.
import { counted, el, number } from "./dom.js";
import { api, ask } from "./liveask.js";
import { dataTable } from "./tables.js";

const known = (value, text) => (value === null || value === undefined ? "-" : text(value));
const rate = (value) => known(value, (gbps) => `${number(Math.round(gbps * 100) / 100)} Gb/s`);
const share = (value) => known(value, (part) => `${(100 * part).toFixed(2)}%`);

// What links sent between two readings, beside what the routes predict.
function measured(counters) {
  return dataTable(
    ["Link", "Sent", "Share of all bytes", "Predicted, all to all"],
    counters.hottest.map((link) => [
      `${link.link} \u2192 ${link.to}`,
      rate(link.gbps),
      share(link.share),
      share(link.predicted_share),
    ]),
    { label: "Counters" },
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
    return body.replaceChildren(el("ul", {}, [...states].reverse().map(item)));
  }
  const opened = () => details.open && fill();
  const details = el("details", { id: "live-past", ontoggle: opened }, el("summary", {}, "States of the past"), body);
  return details;
}
