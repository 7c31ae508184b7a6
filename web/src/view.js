// SPDX-License-Identifier: BSD-3-Clause
// The loads of the chosen engine, traffic and population, for all drawings: counted again when the choice
// changes; then `loaded` of the state changes.
import { data } from "./data.js";
import { number, short } from "./dom.js";
import { kindOf } from "./fabric.js";
import { populationText } from "./population.js";
import { scaled, scaleOf } from "./scale.js";
import { onChange, state, turns, update } from "./store.js";

const kArrow = "\u2192";

// flows: as they are; loads: weighed by the speed of channels, unless they are to be counted;
// shown: what drawings show, on the scale of scale.js
export function newView(fabric, model) {
  const view = { loads: new Float64Array(fabric.slots), flows: null, other: null, lost: 0, traffic: { kind: "all" } };
  view.describe = (c) => describe(fabric, view, c);
  const begin = turns();
  const refresh = async () => {
    const current = begin();
    // Of routes without tables there is all to all alone, and it is compared with the same.
    const flowsOnly = [state.engine, state.other].some((i) => i >= 0 && !model.canRoute(i));
    const traffic = flowsOnly ? { kind: "all" } : state.traffic;
    const mine = await model.loads(state.engine, traffic, state.among);
    const other = state.other >= 0 ? await model.loads(state.other, traffic, state.among) : null;
    if (!current()) return;
    setLoads(fabric, view, traffic, mine, other?.loads);
    update({ loaded: {} }); // never the same as before
    document.documentElement.dataset.loads = `${state.engine} ${JSON.stringify(state.traffic)} ${state.among}`;
  };
  onChange(["engine", "other", "traffic", "among", "countFlows"], refresh);
  view.refreshed = refresh();
  return view;
}

function setLoads(fabric, view, traffic, mine, other) {
  const weighed = (flows) =>
    state.countFlows || !fabric.speedsDiffer ? flows : flows.map((value, c) => value * fabric.weight(c));
  Object.assign(view, { traffic, flows: mine.loads, lost: mine.lost, loads: weighed(mine.loads) });
  view.other = other ? weighed(other) : null;
  view.otherName = data.routes[state.other]?.name;
  view.between = betweenSwitches(fabric, view.loads);
  const scale = scaleOf(fabric, {
    kind: traffic.kind,
    among: state.among,
    counted: state.countFlows && fabric.speedsDiffer,
    mean: view.between.mean,
    loads: view.loads,
  });
  const values = other ? view.loads.map((value, c) => value - view.other[c]) : view.loads;
  const { unit } = scale;
  view.shown = { values: scaled(values, scale.base), mode: other ? "difference" : "load", unit };
  const mine1 = other ? scaled(view.loads, scale.base) : view.shown.values;
  view.share = (c) => mine1[c];
  view.scaleUnit = unit;
  // What a saved picture says of itself.
  view.title = () =>
    [
      `${data.routes[state.engine].name}${other ? ` less ${view.otherName}` : ""}`,
      trafficText(fabric, traffic),
      populationText(),
    ].join(", ");
}

export function trafficText(fabric, traffic) {
  switch (traffic.kind) {
    case "shift":
      return `shift by ${traffic.by}`;
    case "permutation":
      return `random permutation ${traffic.seed}`;
    case "hotspot":
      return `all to ${fabric.endName(traffic.host)}`;
    case "from":
      return `${fabric.endName(traffic.host)} to all`;
    case "worst":
      return `worst traffic of ${traffic.of}`;
    case "job":
      return `job ${data.jobs[traffic.of].name}`;
    default:
      return "all to all";
  }
}

function betweenSwitches(fabric, loads) {
  let [most, at, sum, used, all] = [0, -1, 0, 0, 0];
  for (let c = 0; c < fabric.slots; ++c) {
    if (fabric.owner[c] < fabric.adapters || fabric.nextSwitch[c] < 0) continue;
    ++all;
    sum += loads[c];
    if (loads[c] > 0) ++used;
    if (loads[c] > most) [most, at] = [loads[c], c];
  }
  return { most, at, mean: all ? sum / all : 0, used, all };
}

export const unitOf = (fabric, count = 2) => {
  const flows = count === 1 ? "flow" : "flows";
  return fabric.speedsDiffer && !state.countFlows ? `${flows} at ${number(fabric.usualGigabits)} Gb/s` : flows;
};
// "17.5 Mb/s", "2.5 Gb/s"
export const speedText = (gigabits) => (gigabits >= 1 ? `${short(gigabits)} Gb/s` : `${short(gigabits * 1000)} Mb/s`);

function describe(fabric, view, c) {
  const kind = kindOf(fabric, c);
  const name = fabric.portName(c);
  if (kind === "free") return [name, "no cable"];
  const peer = fabric.peer[c];
  const rate = fabric.rateNames[fabric.rates[c]];
  const words = {
    up: "up",
    down: "down",
    across: "within the level",
    host: "to a host",
    inside: "to the switch's aggregation node",
    from: "from a host",
  };
  const lines = [`${name} ${kArrow} ${fabric.portName(peer)}`, [words[kind], rate].filter(Boolean).join(", ")];
  const flows = view.flows?.[c] ?? 0;
  const times = view.share && kind !== "host" && kind !== "from" ? `, ${short(view.share(c))} ${view.scaleUnit}` : "";
  lines.push(
    view.loads[c] === flows
      ? `${number(flows)} ${flows === 1 ? "flow" : "flows"}${times}`
      : `${number(flows)} ${flows === 1 ? "flow" : "flows"}, as ${number(view.loads[c])} at ` +
          `${number(fabric.usualGigabits)} Gb/s${times}`,
  );
  if (flows > 0 && fabric.gigabits(c) > 0) lines.push(`${speedText(fabric.gigabits(c) / flows)} for each`);
  if (view.sent?.(c)) lines.push(view.sent(c));
  if (view.other) lines.push(`${view.otherName}: ${number(view.other[c])} ${unitOf(fabric)}`);
  return lines;
}
