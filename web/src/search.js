// SPDX-License-Identifier: BSD-3-Clause
// A box that finds hosts, switches and ports by name, GUID or LID.
import { el } from "./dom.js";
import { levelOf } from "./fabric.js";

const kShown = 12;

// found(end): a terminal t >= 0 or a switch -1-s; with a port: found(end, channel); a unit or rail, if `rails`
// are given: found(undefined, undefined, {by, index})
export function searchBox(fabric, { id, placeholder, found, rails = null }) {
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
    found(hit.end, hit.channel, hit.group);
  };
  const show = () => {
    hits = [...(rails ? findGroups(rails, input.value.trim()) : []), ...find(fabric, input.value.trim())].slice(
      0,
      kShown,
    );
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
  const want = plain(port ? port[1] : text);
  if (!want) return [];
  // Exact names, then names that begin so, then others; of each switches, hosts, aggregation nodes.
  const ranked = Array.from({ length: 9 }, () => []);
  for (let node = 0; node < fabric.nodes; ++node) {
    const name = plain(fabric.names[node]);
    const at = name.indexOf(want);
    if (at < 0 && fabric.guids[node] !== text.toLowerCase()) continue;
    ranked[3 * (name === want || at < 0 ? 0 : at === 0 ? 1 : 2) + kindOfNode(fabric, node)].push(node);
  }
  const hits = ranked
    .flat()
    .slice(0, kShown)
    .map((node) => hitOf(fabric, node, port ? Number(port[2]) : 0))
    .filter(Boolean);
  if (/^\d+$/.test(text)) addLid(fabric, Number(text), hits);
  return hits.slice(0, kShown);
}

// "LG13 07" finds "LG13-07".
const plain = (name) => name.toLowerCase().replace(/[\s\-_.:]+/g, "");

function kindOfNode(fabric, node) {
  if (node >= fabric.adapters) return 0;
  for (let c = fabric.first[node]; c < fabric.first[node + 1]; ++c) {
    if (fabric.terminalAt[c] >= 0 && fabric.isHost(fabric.terminalAt[c])) return 1;
  }
  return 2;
}

// Units and rails by name or number: "LG13", "unit 13", "rail 7".
export function findGroups(rails, text) {
  const want = plain(text);
  if (!want || !rails.any) return [];
  const units = rails.names.map((name, i) => ({ by: "unit", index: i, text: name, names: [name, `unit ${i + 1}`] }));
  const list = units.concat(
    Array.from({ length: rails.count }, (_, i) => ({
      by: "rail",
      index: i,
      text: `rail ${i + 1}`,
      names: [`rail ${i + 1}`],
    })),
  );
  return list
    .filter(({ names }) => names.some((name) => plain(name) === want))
    .map(({ by, index, text: name }) => ({
      text: name,
      note: by === "unit" ? `unit ${index + 1}` : "rail",
      group: { by, index },
    }));
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
