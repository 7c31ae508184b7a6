// SPDX-License-Identifier: BSD-3-Clause
// The live part of the page, when `fatwood serve` serves it: status, what-if, events, states of the past.
// Without a server there is nothing of it.
import { data } from "./data.js";
import { counted, el, number } from "./dom.js";
import { api, ask } from "./liveask.js";
import { Drawing } from "./livedraw.js";
import { liveCounters, livePast } from "./livepast.js";
import { statusLine } from "./livestatus.js";
import { taskRunner } from "./livetasks.js";
import { liveTimeline } from "./livetimeline.js";
import { WhatIf, whatIfCard } from "./livewhatif.js";
import { onChange, state } from "./store.js";

const kMostEvents = 50;

// What the address says: ?changes=cut A[1];remove B
const firstChanges = new URLSearchParams(location.search).get("changes");
function remember(values) {
  const url = new URL(location.href);
  for (const [key, value] of Object.entries(values)) {
    if (value) url.searchParams.set(key, value);
    else url.searchParams.delete(key);
  }
  if (url.href !== location.href) history.replaceState(history.state, "", url);
}

const eventText = {
  fabric: ({ cables }) =>
    `fabric: ${counted(cables.lost.length, "cable")} lost, ${number(cables.new.length)} new, ` +
    `${number(cables.moved.length)} moved`,
  tables: (data) => `tables: ${number(data.differing_entries)} entries differ from those that were proved`,
  unsafe: (data) =>
    data.deadlock_free ? `${number(data.unreachable_pairs)} pairs have no route` : "the routes have a credit loop",
  failed: (data) => `${data.what === "history" ? "history not kept" : "not read"}: ${data.error}`,
};

// The engine that routes: a choice for all who look at this server.
function engineChoice(failed) {
  const choose = () =>
    ask("PUT", "/routing", select.value).catch((error) => {
      show(routing);
      failed(error);
    });
  const select = el("select", { id: "live-engine", "aria-label": "Engine", onchange: choose });
  let [given, routing] = ["", ""];
  const show = (now) => {
    routing = now;
    if (document.activeElement !== select) select.value = now === given ? "" : now;
  };
  // Resolves when the engines are there.
  const fill = async () => {
    const list = await ask("GET", "/engines");
    given = list.given;
    select.replaceChildren(
      el("option", { value: "" }, `${given} (as given)`),
      ...list.engines
        .filter(({ name }) => name !== given)
        .map(({ name, summary }) => el("option", { value: name, title: summary }, name)),
    );
    select.blur();
    show(list.routing);
  };
  return { label: el("label", {}, "Routed by ", select, " for all who look"), show, fill };
}

// showAgain(data): draws the rest of the page from other data; showMap(data): the map alone.
// {status: an element, card, section, follow(fabric, map), run(verb)}
export function live(showAgain, showMap) {
  let [fabric, map] = [null, null];
  const events = el("ul", { id: "live-events" });

  const drawing = new Drawing({
    shared: { ...data },
    showAgain,
    showMap,
    failed: (error) => panel.fail(new Error(`The page is of an earlier state: ${error.message}`)),
    lost: () => status.check(),
  });
  const whatif = new WhatIf({
    show: () => {
      panel.show();
      if (whatif.shared) remember({ changes: whatif.mine ? whatif.list.join(";") || "none" : "" });
      map?.setGhosts(whatif.ghosts(fabric), (change) => whatif.without(change));
    },
    drawing,
    failed: (error) => panel.fail(error),
  });
  const panel = whatIfCard(whatif);
  const engine = engineChoice((error) => panel.fail(error));
  const timeline = liveTimeline();
  const [counters, past] = [liveCounters(), livePast()];
  const status = statusLine((now) => {
    for (const one of [timeline, counters, past]) one.heard(now);
    if (now.fabric) engine.show(now.fabric.routing);
    whatif.heard(now);
  });

  function listen() {
    const stream = new EventSource(`${api}/events`);
    stream.addEventListener("state", (event) => status.heard(JSON.parse(event.data)));
    stream.addEventListener("counters", (event) => counters.show(JSON.parse(event.data)));
    stream.addEventListener("reload", () => status.check());
    stream.addEventListener("error", () => {
      status.check();
      // A browser gives up after a refusal.
      if (stream.readyState === EventSource.CLOSED) setTimeout(listen, 4000);
    });
    for (const kind of Object.keys(eventText)) {
      stream.addEventListener(kind, (event) => {
        const text = eventText[kind](JSON.parse(event.data));
        events.prepend(el("li", {}, `${new Date().toLocaleTimeString("en-GB")} ${text}`));
        while (events.children.length > kMostEvents) events.lastChild.remove();
      });
    }
  }

  // Of the data that the page is drawn from now.
  function follow(current, drawnMap) {
    [fabric, map] = [current, drawnMap];
    whatif.learn(fabric);
    panel.drawn();
    const showOffers = () => panel.showOffers(fabric, state.pick);
    onChange(["pick"], showOffers);
    showOffers();
    if (whatif.shared) map?.setGhosts(whatif.ghosts(fabric), (change) => whatif.without(change));
  }

  const tasks = taskRunner();
  const file = (what) => el("a", { href: `${api}/files/${what}`, download: "" }, what);
  const section = el(
    "section",
    { id: "server", tabindex: "-1" },
    el("h2", {}, "Server"),
    el(
      "div",
      { class: "card" },
      el("p", {}, engine.label),
      el(
        "p",
        { id: "live-save" },
        "Save what all see: ",
        ["tables", "proof", "page", "faults", "fabric"].map((what) => [file(what), " "]),
      ),
      timeline.element,
      tasks.element,
      counters.details,
      el("details", { id: "live-news" }, el("summary", {}, "Events"), events),
      past.details,
    ),
  );

  listen();
  (async () => {
    await status.check();
    await engine.fill().catch((error) => panel.fail(error));
    if (firstChanges && whatif.shared)
      await whatif.set(firstChanges === "none" ? [] : firstChanges.split(";").filter(Boolean));
  })();
  return { status: status.element, card: panel.card, section, follow, run: tasks.start };
}
