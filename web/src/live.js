// SPDX-License-Identifier: BSD-3-Clause
// The live part of the page, when `fatwood serve` serves it: changes to the fabric and what they do, events,
// states of the past. Without a server there is nothing of it.
import { counted, el, number } from "./dom.js";
import { saveButtons } from "./save.js";
import { onChange, state } from "./store.js";

const served = () => document.querySelector('meta[name="fatwood-served"]'); // content: the version of the data
export const isServed = () => served() !== null;

const api = "/api/v1";
const kMostEvents = 50;

async function ask(method, path, body) {
  const answer = await fetch(api + path, {
    method,
    body,
    headers: body === undefined ? {} : { "Content-Type": "text/plain" },
  });
  const text = await answer.text();
  let json = null;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error(`the server answered ${answer.status}`);
  }
  if (!answer.ok) throw new Error(json.error ?? `the server answered ${answer.status}`);
  return json;
}

// What the address says: ?routing=updn&changes=cut A[1];remove B
const wanted = (key) => new URLSearchParams(location.search).get(key);
function remember(values) {
  const url = new URL(location.href);
  for (const [key, value] of Object.entries(values)) {
    if (value) url.searchParams.set(key, value);
    else url.searchParams.delete(key);
  }
  history.replaceState(history.state, "", url);
}

const gbps = (value) => (value === null || value === undefined ? "-" : `${number(Math.round(value * 10) / 10)} Gb/s`);

// Before, unrepaired, repaired, rerouted as rows.
function figures(whatif) {
  const rows = [
    ["before", "Before"],
    ["unrepaired", "Nothing rewritten yet"],
    ["repaired", "Repaired"],
    ["rerouted", "Routed again"],
  ];
  return el(
    "table",
    { class: "data" },
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        ["", "Pairs lost", "Worst pair", "1% of pairs", "Median"].map((text) => el("th", { scope: "col" }, text)),
      ),
    ),
    el(
      "tbody",
      {},
      rows
        .filter(([key]) => whatif[key])
        .map(([key, text]) => {
          const row = whatif[key];
          return el(
            "tr",
            { "data-row": key },
            el("th", { scope: "row" }, text),
            el("td", {}, number(row.pairs_lost)),
            el("td", {}, gbps(row.worst_gbps)),
            el("td", {}, gbps(row.p1_gbps)),
            el("td", {}, gbps(row.median_gbps)),
          );
        }),
    ),
  );
}

const orders = {
  "any order": "The switches may be rewritten in any order.",
  rounds: "The switches must be rewritten in rounds (fatwood transition).",
  none: "No safe order of rewriting was found.",
};

function result(whatif) {
  if (!whatif) return el("p", {}, "No change yet. Pick a switch or a cable on the page, or type a change.");
  if (!whatif.repaired && !whatif.not_repaired)
    return el("div", {}, figures(whatif), el("p", { class: "note" }, "The new tables are being computed."));
  return el(
    "div",
    {},
    figures(whatif),
    whatif.not_repaired &&
      el(
        "p",
        { class: "note", id: "live-not-repaired" },
        `Not repaired: ${whatif.not_repaired}. The new tables are those that are routed again.`,
      ),
    whatif.not_rerouted && el("p", { class: "note" }, `Not routed again: ${whatif.not_rerouted}`),
    el(
      "p",
      {},
      `${whatif.repaired ? "The repair writes" : "They write"} ${counted(whatif.entries_changed, "entry").replace("entrys", "entries")} in ${counted(whatif.blocks_changed, "block")}. ${orders[whatif.transition]}`,
    ),
    whatif.deadlock_free ? null : el("p", { class: "poor" }, "The new tables can deadlock."),
  );
}

const rates = ["4xXDR", "4xNDR", "4xHDR", "4xEDR", "4xFDR", "4xQDR", "2xNDR", "2xHDR", "1xHDR", "1xEDR"];

// The changes that fit what is picked: ["Cut A[1]", "cut A[1]"], ...
function offers(fabric, pick) {
  if (!pick) return [];
  if (pick.kind === "channel") {
    const name = fabric.portName(pick.c);
    return [
      [`Cut the cable at ${name}`, `cut ${name}`],
      [`Change the speed of ${name} to`, `speed ${name}`, rates],
    ];
  }
  if (pick.kind === "switch" && pick.s >= 0) {
    const name = fabric.switchName(pick.s);
    const level = fabric.levels[pick.s];
    return [
      [`Remove ${name}`, `remove ${name}`],
      [`Cut all cables of ${name}`, `cut ${name}`],
      [`Add a switch like ${name}`, `add switch@${level}`],
      [`Change the speed of its cables to`, `speed ${name}`, rates],
    ];
  }
  if (pick.kind === "host") {
    const name = fabric.portName(fabric.terminals[pick.t]);
    return [[`Cut the cable at ${name}`, `cut ${name}`]];
  }
  return [];
}

// What "restore" names: "A[1]" of "cut A[1]" and of "speed A[1] 2xHDR".
const subject = (change) => change.replace(/^(cut|remove|add) /, "").replace(/^speed (.*) \S+$/, "$1");

// The tasks that can be run from the page, with what they ask for.
const tasks = {
  worst: [],
  whatif: [],
  compare: [],
  verify: [],
  permutations: ["samples"],
  load: ["traffic"],
  trace: ["from", "to"],
  job: ["hosts", "collective", "message_size"],
};
const examples = {
  samples: "10000",
  traffic: "alltoall",
  hosts: "all",
  collective: "allreduce:ring",
  message_size: "1G",
};

// Runs a verb on the server, shows how far it is and what it found.
function runner() {
  const verb = el(
    "select",
    { id: "task-verb", "aria-label": "What to run", onchange: () => askFor() },
    Object.keys(tasks).map((name) => el("option", {}, name)),
  );
  const [fields, out] = [el("span", {}), el("pre", { id: "task-result", class: "scroll", hidden: true })];
  const bar = el("progress", { id: "task-progress", max: 1, value: 0, hidden: true, "aria-label": "Progress" });
  const [said, cancel] = [
    el("p", { id: "task-said", role: "status" }),
    el("button", { id: "task-cancel", type: "button", hidden: true }, "Cancel"),
  ];
  const askFor = () =>
    fields.replaceChildren(
      ...tasks[verb.value].map((name) =>
        el("input", { name, "aria-label": name, placeholder: name, value: examples[name] ?? "" }),
      ),
    );
  askFor();
  async function run(event) {
    event.preventDefault();
    const query = new URLSearchParams(
      [...fields.children].filter((field) => field.value).map((field) => [field.name, field.value]),
    );
    out.hidden = true;
    try {
      let task = await ask("POST", `/tasks/${verb.value}?${query}`, "");
      cancel.onclick = () => ask("DELETE", `/tasks/${task.id}`);
      for ([bar.hidden, cancel.hidden] = [false, false]; task.status === "waiting" || task.status === "running";) {
        bar.value = task.progress;
        said.textContent = `${task.verb}: ${task.status}, ${Math.round(100 * task.progress)}%, ${Math.round(task.seconds)} s`;
        await new Promise((done) => setTimeout(done, 300));
        task = await ask("GET", `/tasks/${task.id}`);
      }
      said.textContent = `${task.verb}: ${task.status} after ${number(Math.round(task.seconds * 10) / 10)} s${task.error ? `: ${task.error}` : ""}`;
      out.hidden = !task.result;
      out.textContent = task.result ? JSON.stringify(task.result, null, 1).slice(0, 20000) : "";
    } catch (error) {
      said.textContent = error.message;
    }
    [bar.hidden, cancel.hidden] = [true, true];
  }
  return el(
    "details",
    { id: "live-tasks" },
    el("summary", {}, "Run"),
    el("form", { onsubmit: run }, verb, fields, el("button", { id: "task-run" }, "Run"), bar, cancel),
    said,
    out,
  );
}

const rate = (value) => (value === null || value === undefined ? "-" : `${number(Math.round(value * 100) / 100)} Gb/s`);
const share = (value) => (value === null || value === undefined ? "-" : `${(100 * value).toFixed(2)}%`);
// What links sent between two readings, beside what the routes predict.
function measured(counters) {
  return el(
    "table",
    { class: "data" },
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        ["Link", "Sent", "Share of all bytes", "Predicted, all to all"].map((text) => el("th", { scope: "col" }, text)),
      ),
    ),
    el(
      "tbody",
      {},
      counters.hottest.map((link) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, `${link.link} \u2192 ${link.to}`),
          el("td", {}, rate(link.gbps)),
          el("td", {}, share(link.share)),
          el("td", {}, share(link.predicted_share)),
        ),
      ),
    ),
  );
}

const eventText = {
  fabric: (data) =>
    `fabric: ${counted(data.cables.lost.length, "cable")} lost, ${number(data.cables.new.length)} new, ${number(data.cables.moved.length)} moved`,
  tables: (data) => `tables: ${number(data.differing_entries)} entries differ from those that were proved`,
  unsafe: (data) =>
    data.deadlock_free ? `${number(data.unreachable_pairs)} pairs have no route` : "the routes have a credit loop",
  failed: (data) => `${data.what === "history" ? "history not kept" : "not read"}: ${data.error}`,
};

// The engine that routes: a choice for all who look at this server.
function engineChoice(act) {
  const select = el("select", {
    id: "live-engine",
    "aria-label": "Engine",
    onchange: () => act("PUT", "/routing", select.value),
  });
  let given = "";
  const show = (routing) => (select.value = routing === given ? "" : routing);
  // Resolves when the engines are there.
  const fill = async (routing) => {
    const list = await ask("GET", "/engines");
    given = list.given;
    select.replaceChildren(
      el("option", { value: "" }, `${given} (as given)`),
      ...list.engines
        .filter(({ name }) => name !== given)
        .map(({ name, summary }) => el("option", { value: name, title: summary }, name)),
    );
    show(routing);
  };
  return { label: el("label", {}, "Routed by ", select), show, fill, chosen: () => select.value };
}

// showAgain(data): draws the rest of the page from other data
export function live(showAgain) {
  const parts = {
    age: el("p", { id: "live-age" }),
    list: el("ol", { id: "live-changes" }),
    result: el("div", { id: "live-result", "aria-live": "polite" }),
    offers: el("div", { id: "live-offers" }),
    error: el("p", { id: "live-error", class: "poor", role: "alert" }),
    events: el("ul", { id: "live-events" }),
    past: el("ul", { id: "live-history" }),
    counters: el("div", { id: "live-counters" }),
    picture: el("span", { id: "live-picture" }),
    busy: el("p", { id: "live-busy", class: "note", role: "status", hidden: true }, "The server is computing\u2026"),
  };
  const input = el("input", {
    id: "live-input",
    "aria-label": "A change",
    placeholder: "cut NAME[PORT], remove NAME, speed NAME[PORT] 2xHDR, add switch@2, restore WHAT",
  });
  const button = (id, text, method, path, body) =>
    el("button", { id, type: "button", onclick: () => act(method, path, body?.() ?? "") }, text);
  const undo = button("live-undo", "Undo", "POST", "/undo");
  const redo = button("live-redo", "Redo", "POST", "/redo");
  const engine = engineChoice((...words) => act(...words));
  let [fabric, now, readAt] = [null, null, 0];
  let [drawn, drawing] = [Number(served().content), false]; // the version that the page is drawn from

  async function act(method, path, body) {
    parts.error.textContent = "";
    parts.busy.hidden = false;
    parts.result.setAttribute("aria-busy", "true");
    try {
      await ask(method, path, body);
      show(await ask("GET", "/state"));
      input.value = "";
    } catch (error) {
      parts.error.textContent = error.message;
      if (now) engine.show(now.fabric.routing);
    }
    parts.busy.hidden = true;
    parts.result.removeAttribute("aria-busy");
  }

  function show(state) {
    readAt = Date.now() - state.age_seconds * 1000;
    tick();
    const applied = state.changes.slice(0, state.position);
    parts.list.replaceChildren(
      ...applied.map((change) =>
        el(
          "li",
          {},
          change,
          " ",
          el(
            "button",
            {
              type: "button",
              "aria-label": `Restore: ${change}`,
              onclick: () => act("POST", "/changes", `restore ${subject(change)}`),
            },
            "Restore",
          ),
        ),
      ),
    );
    parts.result.replaceChildren(result(state.whatif));
    undo.disabled = state.position === 0;
    redo.disabled = state.position === state.changes.length;
    if (state.error) parts.error.textContent = `The fabric can't be read: ${state.error}`;
    parts.result.toggleAttribute("data-pending", state.pending);
    if (state.pending) return;
    now = state;
    engine.show(state.fabric.routing);
    remember({ changes: applied.join(";"), routing: engine.chosen() });
    if (drawn !== state.version) draw();
  }

  // The colours are those of tables: fetches the new ones, and draws the page from them.
  async function draw() {
    section.toggleAttribute("data-refreshing", true);
    if (drawing) return;
    drawing = true;
    try {
      while (drawn !== now.version) {
        const { version } = now;
        const other = await ask("GET", "/page");
        if (version === now.version) await showAgain(other);
        drawn = version;
      }
    } catch (error) {
      parts.error.textContent = `The page is of an earlier state: ${error.message}`;
    }
    drawing = false;
    section.removeAttribute("data-refreshing");
  }

  const tick = () =>
    (parts.age.textContent = `Read ${counted(Math.max(0, Math.round((Date.now() - readAt) / 1000)), "second")} ago.`);
  setInterval(tick, 1000);

  function listen() {
    const events = new EventSource(`${api}/events`);
    events.addEventListener("state", (event) => show(JSON.parse(event.data)));
    events.addEventListener("counters", (event) => showCounters(JSON.parse(event.data)));
    events.addEventListener("reload", async () => show(await ask("GET", "/state")));
    for (const kind of Object.keys(eventText)) {
      events.addEventListener(kind, (event) => {
        parts.events.prepend(
          el("li", {}, `${new Date().toLocaleTimeString()} ${eventText[kind](JSON.parse(event.data))}`),
        );
        while (parts.events.children.length > kMostEvents) parts.events.lastChild.remove();
      });
    }
  }

  const showCounters = (counters) =>
    parts.counters.replaceChildren(
      el(
        "p",
        {},
        `Between the last two readings, ${number(Math.round(counters.seconds))} s apart; hottest links first.`,
      ),
      measured(counters),
    );
  async function askCounters() {
    const answer = await fetch(`${api}/counters`);
    if (answer.ok) showCounters(await answer.json());
    else parts.counters.replaceChildren(el("p", {}, (await answer.json()).error));
  }

  async function showPast() {
    const answer = await fetch(`${api}/history`);
    if (!answer.ok) return;
    const { states } = await answer.json();
    parts.past.replaceChildren(
      ...states.reverse().map((past) => {
        const differs = el("span", {});
        const compare = async () => {
          const diff = await ask("GET", `/history/${past.id}`);
          differs.textContent = ` ${counted(diff.cables.lost.length, "cable")} lost since, ${number(diff.cables.new.length)} new, ${number(diff.cables.moved.length)} moved`;
        };
        return el(
          "li",
          {},
          `${new Date(past.id).toLocaleString()}: ${counted(past.fabric.links, "cable")}, worst pair ${gbps(past.fabric.worst_gbps)} `,
          el("button", { type: "button", onclick: compare }, "Compare with now"),
          differs,
        );
      }),
    );
  }

  const showOffers = () =>
    parts.offers.replaceChildren(
      ...offers(fabric, state.pick).map(([text, change, choices]) => {
        const choice =
          choices &&
          el(
            "select",
            { "aria-label": text },
            choices.map((name) => el("option", {}, name)),
          );
        const go = el(
          "button",
          {
            type: "button",
            "data-change": change,
            onclick: () => act("POST", "/changes", choice ? `${change} ${choice.value}` : change),
          },
          text,
        );
        return choice ? el("span", {}, go, choice) : go;
      }),
    );
  // Of the data that the page is drawn from now.
  function follow(current, map) {
    fabric = current;
    onChange(["pick"], showOffers);
    showOffers();
    parts.picture.replaceChildren(...(map ? ["picture ", saveButtons("map", { svg: () => map.svg() })] : []));
  }

  const form = el(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        act("POST", "/changes", input.value);
      },
    },
    input,
    el("button", {}, "Change"),
    undo,
    redo,
    button("live-reset", "Reset", "PUT", "/changes"),
  );
  const file = (what) => el("a", { href: `${api}/files/${what}`, download: "" }, what);
  const section = el(
    "section",
    { id: "live" },
    el("h2", {}, "What if"),
    el(
      "div",
      { class: "card" },
      parts.age,
      el("p", {}, engine.label),
      parts.offers,
      form,
      parts.busy,
      parts.error,
      parts.list,
      parts.result,
      el(
        "p",
        { id: "live-save" },
        "Save: ",
        ["tables", "proof", "page", "faults", "fabric"].map((what) => [file(what), " "]),
        parts.picture,
      ),
      runner(),
      el("details", { id: "live-rates", ontoggle: askCounters }, el("summary", {}, "Counters"), parts.counters),
      el("details", { id: "live-news" }, el("summary", {}, "Events"), parts.events),
      el("details", { id: "live-past", ontoggle: showPast }, el("summary", {}, "States of the past"), parts.past),
    ),
  );

  listen();
  (async () => {
    try {
      const first = await ask("GET", "/state");
      await engine.fill(first.fabric.routing);
      const [routing, asked] = [wanted("routing"), wanted("changes")];
      show(first);
      if (routing !== null && routing !== now?.fabric.routing) await act("PUT", "/routing", routing);
      if (asked !== null && asked !== first.changes.slice(0, first.position).join(";"))
        await act("PUT", "/changes", asked.replaceAll(";", "\n"));
    } catch (error) {
      parts.error.textContent = error.message;
    }
  })();
  return { section, follow };
}
