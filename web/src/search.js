// SPDX-License-Identifier: BSD-3-Clause
// A box that finds hosts, switches and ports by name, GUID or LID.
import { el } from "./dom.js";
import { levelOf } from "./fabric.js";

const kShown = 12;

// found(end): a terminal t >= 0 or a switch -1-s; with a port: found(end, channel)
export function searchBox(fabric, { id, placeholder, found }) {
  const list = el("ul", { class: "found", role: "listbox", id: `${id}-list`, "aria-label": "Found", hidden: true });
  const input = el("input", {
    id,
    type: "search",
    placeholder,
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": placeholder,
    role: "combobox",
    "aria-expanded": "false",
    "aria-controls": `${id}-list`,
    "aria-autocomplete": "list",
  });
  let hits = [];
  let at = 0;
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const mark = () => {
    [...list.children].forEach((item, i) => {
      item.classList.toggle("on", i === at);
      item.setAttribute("aria-selected", String(i === at));
    });
    if (hits[at]) input.setAttribute("aria-activedescendant", `${id}-${at}`);
    else input.removeAttribute("aria-activedescendant");
  };
  const choose = (hit) => {
    input.value = hit.text;
    close();
    found(hit.end, hit.channel);
  };
  const show = () => {
    hits = find(fabric, input.value.trim());
    at = 0;
    list.replaceChildren(
      ...hits.map((hit, i) =>
        el(
          "li",
          {
            role: "option",
            id: `${id}-${i}`,
            onmousedown: (event) => {
              event.preventDefault();
              choose(hit);
            },
          },
          el("span", {}, hit.text),
          el("small", {}, hit.note),
        ),
      ),
    );
    list.hidden = hits.length === 0;
    if (input.value.trim() && hits.length === 0) {
      list.hidden = false;
      list.replaceChildren(
        el("li", { class: "nothing", role: "option", "aria-disabled": "true" }, "nothing of that name"),
      );
    }
    input.setAttribute("aria-expanded", String(!list.hidden));
    mark();
  };
  input.addEventListener("input", show);
  input.addEventListener("focus", () => input.select());
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && hits[at]) choose(hits[at]);
    else if (event.key === "Escape") close();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      at = (at + (event.key === "ArrowDown" ? 1 : hits.length - 1)) % Math.max(1, hits.length);
      mark();
    }
  });
  const box = el("div", { class: "search" }, input, list);
  box.setEnd = (end) => (input.value = fabric.endName(end));
  return box;
}

// Exact names first, then names that begin so, then names that contain it; "name[port]" is a port.
export function find(fabric, text) {
  if (!text) return [];
  const port = /^(.*)\[(\d+)\]?$/.exec(text);
  const want = (port ? port[1] : text).toLowerCase();
  const ranked = [[], [], []];
  for (let node = 0; node < fabric.nodes; ++node) {
    const name = fabric.names[node].toLowerCase();
    const at = name.indexOf(want);
    if (at < 0 && fabric.guids[node] !== want) continue;
    ranked[name === want || at < 0 ? 0 : at === 0 ? 1 : 2].push(node);
  }
  const hits = ranked
    .flat()
    .slice(0, kShown)
    .map((node) => hitOf(fabric, node, port ? Number(port[2]) : 0))
    .filter(Boolean);
  if (/^\d+$/.test(text)) addLid(fabric, Number(text), hits);
  return hits.slice(0, kShown);
}

function hitOf(fabric, node, port) {
  if (node >= fabric.adapters) {
    const s = node - fabric.adapters;
    const good = port > 0 && port <= fabric.ports[node];
    return {
      end: -1 - s,
      channel: good ? fabric.first[node] + port : undefined,
      text: fabric.names[node] + (good ? `[${port}]` : ""),
      note: levelOf(fabric, s),
    };
  }
  for (let c = fabric.first[node]; c < fabric.first[node + 1]; ++c) {
    const t = fabric.terminalAt[c];
    if (t >= 0 && (port === 0 || fabric.port(c) === port)) {
      return {
        end: t,
        text: fabric.endName(t),
        note: fabric.isHost(t)
          ? `host on ${fabric.leaf[t] >= 0 ? fabric.switchName(fabric.leaf[t]) : "no switch"}`
          : "aggregation node",
      };
    }
  }
  return null;
}

function addLid(fabric, lid, hits) {
  if (lid === 0) return;
  const i = fabric.lids.indexOf(lid);
  if (i < 0) return;
  const node =
    i < fabric.terminals.length ? fabric.owner[fabric.terminals[i]] : fabric.node(i - fabric.terminals.length);
  const hit = hitOf(fabric, node, 0);
  if (hit) hits.unshift({ ...hit, note: `LID ${lid}, ${hit.note}` });
}
