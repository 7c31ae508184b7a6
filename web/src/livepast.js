// SPDX-License-Identifier: BSD-3-Clause
// What the live view keeps: counters of the last two readings, and states of the past.
import { counted, el, number } from "./dom.js";
import { ask } from "./liveask.js";
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

const kNoCounters = "There are none: counters need two readings of a run of ibdiagnet, or of live with ibqueryerrors.";
const kNoPast = "The server keeps no states of the past: start it with --history DIR.";
const say = (body, text) => body.replaceChildren(el("p", {}, text));

// {details, show(counters), heard(state)}
export function liveCounters() {
  const body = el("div", { id: "live-counters" });
  let are = false; // there
  const show = (counters) => {
    const seconds = number(Math.round(counters.seconds));
    body.replaceChildren(
      el("p", {}, `Between the last two readings, ${seconds} s apart; hottest links first.`),
      measured(counters),
    );
  };
  const fill = () =>
    are ? ask("GET", "/counters").then(show, (error) => say(body, error.message)) : say(body, kNoCounters);
  const opened = () => details.open && fill();
  const heard = (state) => {
    if (are === state.counters) return;
    are = state.counters;
    opened();
  };
  const details = el("details", { id: "live-rates", ontoggle: opened }, el("summary", {}, "Counters"), body);
  return { details, show, heard };
}

// {details, heard(state)}
export function livePast() {
  const body = el("div", { id: "live-history" });
  let kept = false;
  async function fill() {
    if (!kept) return say(body, kNoPast);
    const { states } = await ask("GET", "/history");
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
  const opened = () => details.open && fill().catch((error) => say(body, error.message));
  const details = el("details", { id: "live-past", ontoggle: opened }, el("summary", {}, "States of the past"), body);
  return { details, heard: (state) => (kept = state.history) };
}
