// SPDX-License-Identifier: BSD-3-Clause
// The what-if of the live view: a list of changes that only this page sees, until it is applied for all. What
// it does, before and after, and which of the two new tables are drawn.
import { merged, parsed, same } from "./changes.js";
import { data } from "./data.js";
import { counted, el, goTo, number } from "./dom.js";
import { ask } from "./liveask.js";
import { kBefore } from "./livedraw.js";
import { makeSections } from "./sections.js";
import { update } from "./store.js";
import { dataTable, tableRow } from "./tables.js";

const gbps = (value) => (value === null || value === undefined ? "-" : `${number(Math.round(value * 10) / 10)} Gb/s`);
const kWorth = 1.05; // of the worst pair's rate, to route again
const rates = ["4xXDR", "4xNDR", "4xHDR", "4xEDR", "4xFDR", "4xQDR", "2xNDR", "2xHDR", "1xHDR", "1xEDR"];

// Before, unrepaired, repaired, rerouted as rows.
function figures(whatif) {
  const rows = [
    ["before", "Before"],
    ["unrepaired", "Not repaired"],
    ["repaired", "Repaired"],
    ["rerouted", "Routed again"],
  ];
  const line = ([key, text]) => {
    const { pairs_lost: lost, worst_gbps: worst, p1_gbps: first, median_gbps: median } = whatif[key];
    return tableRow([text, number(lost), gbps(worst), gbps(first), gbps(median)], { "data-row": key });
  };
  return dataTable(
    ["", "Pairs lost", "Worst pair", "1% of pairs", "Median"],
    rows.filter(([key]) => whatif[key]).map(line),
    { label: "What the changes do" },
  );
}

const orders = {
  "any order": "The switches may be rewritten in any order.",
  rounds: "The switches must be rewritten in rounds (fatwood transition).",
  none: "No safe order of rewriting was found.",
};

// One sentence: repair, or route again?
export function advice(whatif) {
  const { repaired, rerouted } = whatif;
  const entries = counted(whatif.entries_changed, "entry").replace("entrys", "entries");
  const writes = `${entries} in ${counted(whatif.blocks_changed, "block")}`;
  if (!repaired) return `Route again: the tables can't be repaired (${whatif.not_repaired}). This writes ${writes}.`;
  if (!rerouted) return `Repair: this writes ${writes}.`;
  const quick = "routed again, with quick effort,";
  if (rerouted.pairs_lost < repaired.pairs_lost) {
    const lost = `${number(rerouted.pairs_lost)} instead of ${number(repaired.pairs_lost)} pairs are lost`;
    return `Route again: ${quick} ${lost}. All tables are written; a repair writes ${writes}.`;
  }
  if (rerouted.worst_gbps >= kWorth * repaired.worst_gbps && rerouted.worst_gbps > 0) {
    const gets = `the worst pair gets ${gbps(rerouted.worst_gbps)} instead of ${gbps(repaired.worst_gbps)}`;
    return `Route again: ${quick} ${gets}. All tables are written; a repair writes ${writes}.`;
  }
  return (
    `Repair: this writes ${writes}, and ${quick} the worst pair would get no more than ` +
    `${gbps(rerouted.worst_gbps)}.`
  );
}

function result(whatif) {
  if (!whatif) return [el("p", { class: "note" }, "No change yet: pick a switch or a cable on the map, or type one.")];
  const note = (text, id) => el("p", { class: "note", id }, text);
  const known = whatif.repaired || whatif.not_repaired;
  if (!known) return [figures(whatif), note("The new tables are being computed.")];
  if (!whatif.rerouted && !whatif.not_rerouted)
    return [
      figures(whatif),
      note(
        "First figures, repaired in the blocks that must be written. A repair that writes more, and what routing " +
          "again would give, are being computed.",
      ),
    ];
  return [
    figures(whatif),
    el("p", { id: "live-advice" }, el("b", {}, advice(whatif))),
    whatif.not_repaired && note(`Not repaired: ${whatif.not_repaired}.`, "live-not-repaired"),
    whatif.not_rerouted && note(`Not routed again: ${whatif.not_rerouted}`),
    note(orders[whatif.transition]),
    whatif.deadlock_free === false && el("p", { class: "poor" }, "The new tables can deadlock."),
  ].filter(Boolean);
}

// The changes that fit what is picked: ["Cut A[1]", "cut A[1]"], ...
/** @returns {any[][]} */
export function offers(fabric, pick) {
  if (!pick) return [];
  const cable = (c) => {
    const name = fabric.portName(c);
    return [`Cut the cable at ${name}`, `cut ${name}`];
  };
  if (pick.kind === "channel") {
    if (fabric.peer[pick.c] === 0xffffffff) return [];
    const name = fabric.portName(pick.c);
    return [cable(pick.c), [`Change the speed of ${name} to`, `speed ${name}`, rates]];
  }
  if (pick.kind === "switch" && pick.s >= 0) {
    const name = fabric.switchName(pick.s);
    return [
      [`Remove ${name}`, `remove ${name}`],
      [`Cut all cables of ${name}`, `cut ${name}`],
      [`Add a switch like ${name}`, `add switch@${fabric.levels[pick.s]}`],
      ["Change the speed of its cables to", `speed ${name}`, rates],
    ];
  }
  return pick.kind === "host" ? [cable(fabric.terminals[pick.t])] : [];
}

// show(): the list or its what-if is another. drawing: what the page shows (livedraw.js).
export class WhatIf {
  done;
  drawing;
  failed;
  levels;
  peers;
  show;
  turn;

  constructor({ show, drawing, failed }) {
    Object.assign(this, { show, drawing, failed, shared: null, mine: null, whatif: null, view: "repaired" });
    Object.assign(this, { undone: [], done: [], busy: false, peers: new Map(), levels: new Map(), turn: 0 });
  }
  get list() {
    return this.mine ?? this.applied;
  }
  get applied() {
    return this.shared ? this.shared.changes.slice(0, this.shared.position) : [];
  }
  // Ports and their peers, switches and their levels, of every fabric that is drawn: what is lost is known from before.
  learn(fabric) {
    for (let s = 0; s < fabric.switches; ++s) this.levels.set(fabric.switchName(s), fabric.levels[s]);
    for (let c = 0; c < fabric.slots; ++c) {
      if (fabric.peer[c] !== 0xffffffff) this.peers.set(fabric.portName(c), fabric.portName(fabric.peer[c]));
    }
  }
  // A state of the server.
  heard(state) {
    const again = this.shared?.version !== state.version;
    this.shared = state;
    if (this.mine && same(this.mine, this.applied)) this.mine = null;
    if (this.mine && again) this.preview();
    else if (!this.mine) this.whatif = state.whatif;
    this.show();
    if (!state.pending && !this.mine) this.redraw();
  }
  add(change) {
    return this.set(merged([...this.list, change], (name) => this.peers.get(name)));
  }
  without(change) {
    return this.set(this.list.filter((one) => one !== change));
  }
  set(list) {
    this.done.push(this.list);
    this.undone = [];
    return this.use(list);
  }
  undo() {
    this.undone.push(this.list);
    return this.use(this.done.pop());
  }
  redo() {
    this.done.push(this.list);
    return this.use(this.undone.pop());
  }
  // What all see, again.
  discard() {
    [this.done, this.undone] = [[], []];
    return this.use(this.applied);
  }
  async use(list) {
    const before = this.mine;
    this.mine = same(list, this.applied) ? null : list;
    if (!this.mine) {
      this.whatif = this.shared.whatif;
      this.show();
      return this.redraw();
    }
    return this.preview(before);
  }
  look(view) {
    this.view = view;
    this.show();
    return this.redraw();
  }
  async preview(before = this.mine) {
    const mine = ++this.turn;
    const current = () => mine === this.turn;
    this.busy = true;
    this.show();
    const figuresOf = async (stage) => {
      const found = await ask("GET", `/preview/${stage}?changes=${encodeURIComponent(this.mine.join("\n"))}`);
      if (!current()) return false;
      this.whatif = found;
      this.show();
      return true;
    };
    try {
      // Numbers first, then the map, then whether routing again is better, then the rest of the page.
      if (this.view === "repaired") {
        if (!(await figuresOf("first-figures"))) return;
        await this.drawing.mapOf(this.key());
        if (!current()) return;
      }
      if (!(await figuresOf("figures"))) return;
      this.busy = false;
      this.show();
      await this.redraw();
    } catch (error) {
      if (mine !== this.turn) return;
      [this.busy, this.mine] = [false, before === this.mine ? null : before];
      this.done.pop();
      this.whatif = this.mine ? this.whatif : this.shared.whatif;
      this.show();
      this.failed(error);
    }
  }
  async apply() {
    const list = this.mine;
    this.busy = true;
    this.show();
    try {
      await ask("PUT", "/changes", list.join("\n"));
      [this.mine, this.done, this.undone] = [null, [], []];
    } catch (error) {
      this.failed(error);
    }
    this.busy = false;
    this.show();
  }
  // What is drawn, as livedraw.js has it.
  key() {
    const view = this.whatif?.repaired && this.whatif?.rerouted ? this.view : "repaired";
    const query = `?changes=${encodeURIComponent(this.list.join("\n"))}`;
    const path = this.mine || view !== "repaired" ? `/preview/${view}${query}` : "/page";
    return `${this.shared.version} ${path}`;
  }
  redraw() {
    return this.drawing.page(this.key());
  }
  // Of a fabric: cut cables between its switches, [{a, b, text, change}], and switches that are gone, [{level, text,
  // change}].
  ghosts(fabric) {
    const number = new Map();
    for (let s = 0; s < fabric.switches; ++s) number.set(fabric.switchName(s), s);
    const nodeOf = (port) => port.replace(/\[\d+\]$/, "");
    return this.list.flatMap((change) => {
      const { verb, subject } = parsed(change);
      if (verb === "remove" && this.levels.has(subject) && !number.has(subject))
        return [{ level: this.levels.get(subject), text: subject, change }];
      if (verb !== "cut") return [];
      const ports = this.peers.has(subject) ? [subject] : [...this.peers.keys()].filter((p) => nodeOf(p) === subject);
      return ports
        .map((port) => ({ port, peer: this.peers.get(port) }))
        .filter(({ port, peer }) => number.has(nodeOf(port)) && number.has(nodeOf(peer)))
        .map(({ port, peer }) => ({
          a: number.get(nodeOf(port)),
          b: number.get(nodeOf(peer)),
          text: `${port} \u2013 ${peer}`,
          change,
        }));
    });
  }
}

// The card: {card, show(fabric, pick)}
export function whatIfCard(whatif) {
  const parts = {
    who: el("p", { id: "live-who", class: "note" }),
    offers: el("div", { id: "live-offers" }),
    list: el("ol", { id: "live-changes" }),
    result: el("div", { id: "live-result", "aria-live": "polite" }),
    error: el("p", { id: "live-error", class: "poor", role: "alert" }),
    views: el("div", { id: "live-views", role: "group", "aria-label": "Which new tables are drawn" }),
    busy: el("p", { id: "live-busy", class: "note", role: "status", hidden: true }, "The server is computing\u2026"),
  };
  const fail = (error) => (parts.error.textContent = error.message);
  const act = (work) => () => {
    parts.error.textContent = "";
    Promise.resolve(work()).catch(fail);
  };
  const button = (id, text, work) => el("button", { id, type: "button", onclick: act(work) }, text);
  const undo = button("live-undo", "Undo", () => whatif.undo());
  const redo = button("live-redo", "Redo", () => whatif.redo());
  const reset = button("live-reset", "No changes", () => whatif.set([]));
  const apply = button("live-apply", "Apply for all", () => whatif.apply());
  const discard = button("live-discard", "Discard", () => whatif.discard());
  const input = el("input", {
    id: "live-input",
    "aria-label": "A change",
    placeholder: "cut NAME[PORT], remove NAME, speed NAME[PORT] 2xHDR, add switch@2",
  });
  const typed = (event) => {
    event.preventDefault();
    const text = input.value.trim();
    const restored = /^restore\s+([^]*)$/.exec(text)?.[1];
    const hit = restored && whatif.list.find((change) => parsed(change).subject === restored);
    act(() => (hit ? whatif.without(hit) : whatif.add(text)))();
    input.value = "";
  };
  const form = el("form", { onsubmit: typed }, input, el("button", {}, "Try"));

  const showOffers = (fabric, pick) =>
    parts.offers.replaceChildren(
      ...offers(fabric, pick).map(([text, change, choices]) => {
        const choice =
          choices &&
          el(
            "select",
            { "aria-label": text },
            choices.map((name) => el("option", {}, name)),
          );
        const work = act(() => whatif.add(choice ? `${change} ${choice.value}` : change));
        const go = el("button", { type: "button", "data-change": change, onclick: work }, text);
        return choice ? el("span", {}, go, choice) : go;
      }),
    );
  let before = "";
  const show = () => {
    const { mine, list, applied } = whatif;
    undo.disabled = whatif.done.length === 0;
    redo.disabled = whatif.undone.length === 0;
    reset.disabled = list.length === 0;
    document.documentElement.toggleAttribute("data-preview", mine !== null);
    apply.hidden = discard.hidden = mine === null;
    apply.disabled = whatif.busy;
    parts.who.textContent = mine
      ? `A preview: only you see it. ` +
        `${applied.length ? `All see ${counted(applied.length, "change")}.` : "All see the fabric as it is."}`
      : list.length
        ? "All who look at this server see these changes."
        : "";
    parts.busy.hidden = !whatif.busy;
    parts.result.toggleAttribute("data-pending", Boolean(whatif.busy || whatif.shared?.pending));
    // The same again changes nothing under the reader's fingers.
    const now = JSON.stringify([list, mine === null, whatif.whatif, whatif.view]);
    if (now === before) return;
    before = now;
    const restore = (change) =>
      el(
        "button",
        { type: "button", "aria-label": `Restore: ${change}`, onclick: act(() => whatif.without(change)) },
        "Restore",
      );
    parts.list.replaceChildren(...list.map((change) => el("li", {}, change, " ", restore(change))));
    parts.result.replaceChildren(...result(whatif.whatif));
    const both = whatif.whatif?.repaired && whatif.whatif?.rerouted;
    const view = (key, text) =>
      el(
        "button",
        {
          type: "button",
          "aria-pressed": String(whatif.view === key),
          "data-view": key,
          onclick: act(() => whatif.look(key)),
        },
        text,
      );
    parts.views.replaceChildren(
      ...(both ? ["On the map: ", view("repaired", "repaired"), view("rerouted", "routed again")] : []),
    );
  };
  // When the page is drawn from the preview's tables.
  const paths = el(
    "button",
    {
      id: "live-paths",
      type: "button",
      onclick: () => {
        update({ other: data.routes.findIndex((one) => one.name === kBefore) });
        makeSections(["difference"]);
        goTo("difference");
      },
    },
    "Which paths changed?",
  );
  const drawn = () => (paths.hidden = !data.routes.some((one) => one.name === kBefore));
  drawn();
  const card = el(
    "section",
    { class: "card", id: "live", tabindex: "-1" },
    el("h2", {}, "What if"),
    parts.offers,
    form,
    parts.busy,
    parts.error,
    parts.list,
    parts.who,
    el("p", { class: "buttons" }, undo, redo, reset, apply, discard),
    parts.result,
    parts.views,
    paths,
  );
  return { card, show, showOffers, fail, drawn };
}
