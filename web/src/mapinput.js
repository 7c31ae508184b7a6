// SPDX-License-Identifier: BSD-3-Clause
// Pointer and keyboard on the drawing of the whole fabric (map.js).
import { hideTip, showTip } from "./dom.js";
import { kNone } from "./fabric.js";
import { followGestures } from "./gestures.js";
import { kBox, kHosts } from "./map.js";
import { busiest, tipOf } from "./maptips.js";

export class MapInput {
  constructor(map) {
    this.map = map;
    const { canvas } = map;
    followGestures(canvas, {
      zoom: (factor, point) => map.zoomBy(factor, point),
      move: (dx, point) => map.move(dx, point),
      click: (point, event) => this.click(point, event),
      hover: (event, point) => this.hover(event, point),
      leave: () => this.leave(),
      zoomed: () => map.transforms.some((t) => t.k > 1),
    });
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("dblclick", () => map.over?.s !== undefined && map.showSwitch(map.over.s, "ports"));
    canvas.addEventListener("blur", () => this.leave());
  }
  hover(event, point) {
    const { map } = this;
    map.over = map.at(point);
    map.canvas.style.cursor = map.over ? "pointer" : "grab";
    if (map.over) showTip(event, tipOf(map, map.over));
    else hideTip();
    map.draw();
  }
  leave() {
    const { map } = this;
    map.over = null;
    hideTip();
    map.draw();
  }
  click(point, event) {
    const { map } = this;
    const what = map.at(point);
    if (what) this.choose(what, event?.shiftKey);
  }
  choose(what, joined) {
    const { map } = this;
    if (what.group) map.showGroup(what.group);
    else if (what.t !== undefined) map.pick({ kind: "host", t: what.t }, joined);
    else if (what.c !== undefined) map.pick({ kind: "channel", c: what.c });
    else if (what.s !== undefined) map.pick({ kind: "switch", s: what.s });
    else if (what.ghost) map.restore(what.ghost.change);
    else if (what.gap) map.pick({ kind: "switch", s: what.gap.pairs[0][0] });
    else if (what.bundle !== undefined) map.pick({ kind: "channel", c: busiest(map, what) });
  }
  // Keys: arrows go from box to box, comma and full stop from port to port, Enter opens or picks, + and - zoom.
  key(event) {
    const { map } = this;
    const { key } = event;
    if (key === "+" || key === "=") map.zoomBy(1.6);
    else if (key === "-") map.zoomBy(1 / 1.6);
    else if (key === "0" || key === "Escape") map.reset();
    else if (key === "Enter" || key === " ") {
      event.preventDefault();
      if (map.cursor) this.enter(event.shiftKey);
    } else if (key === "," || key === ".") this.stepPort(key === "." ? 1 : -1);
    else if (key.startsWith("Arrow")) {
      event.preventDefault();
      if (event.shiftKey)
        map.move(key === "ArrowLeft" ? 120 : key === "ArrowRight" ? -120 : 0, {
          x: 0,
          y: map.rowY(map.cursor?.row ?? map.layout.rows.length - 1),
        });
      else this.stepTo(key);
    }
  }
  enter(joined) {
    const { map } = this;
    const { row, s, group, host, c } = map.cursor;
    if (c !== undefined) this.choose({ c });
    else if (host) this.choose(host.what, joined);
    else if (group) {
      map.showGroup(group);
      map.cursor = map.isOpen(row) ? { row, s: group.switches[0] } : map.cursor;
      this.sayCursor();
    } else if (map.picked?.kind === "switch" && map.picked.s === s) map.showSwitch(s, "ports");
    else map.pick({ kind: "switch", s });
  }
  // From cable to cable of the switch at the cursor, or of the one that is picked.
  stepPort(step) {
    const { map } = this;
    const { fabric } = map;
    const s = map.cursor?.s ?? (map.picked?.kind === "switch" ? map.picked.s : undefined);
    if (s === undefined || map.layout.rowOf[s] < 0) return;
    const cables = [];
    for (let c = fabric.slot(s, 1); c <= fabric.slot(s, fabric.ports[fabric.node(s)]); ++c)
      if (fabric.peer[c] !== kNone) cables.push(c);
    if (cables.length === 0) return;
    if (!map.portsOf(s)) map.showSwitch(s, "ports");
    const at = cables.indexOf(map.cursor?.c);
    const next = at < 0 ? (step > 0 ? 0 : cables.length - 1) : Math.max(0, Math.min(cables.length - 1, at + step));
    map.cursor = { row: map.layout.rowOf[s], s, c: cables[next] };
    this.sayCursor();
  }
  // Boxes of a row; hosts stand below the last.
  boxesOf(row) {
    const { map } = this;
    if (row < map.layout.rows.length) return map.boxesOf(row);
    return (map.hostBoxes ?? []).map((host) => ({ row, host }));
  }
  middle(box) {
    return box.host ? box.host.x + box.host.width / 2 : this.map.middle(box);
  }
  stepTo(key) {
    const { map } = this;
    const last = map.layout.rows.length - (map.hostBoxes?.length ? 0 : 1);
    const same = (a, b) => a.s === b.s && a.group === b.group && a.host?.x === b.host?.x;
    if (!map.cursor) map.cursor = map.boxesOf(0)[0];
    else {
      const { row } = map.cursor;
      const boxes = this.boxesOf(row);
      const i = Math.max(
        0,
        boxes.findIndex((box) => same(box, map.cursor) || box.group?.switches.includes(map.cursor.s)),
      );
      if (boxes.length === 0) return;
      if (key === "ArrowLeft" || key === "ArrowRight")
        map.cursor = boxes[Math.max(0, Math.min(boxes.length - 1, i + (key === "ArrowLeft" ? -1 : 1)))];
      else
        map.cursor = this.nearest(
          Math.max(0, Math.min(last, row + (key === "ArrowUp" ? -1 : 1))),
          this.middle(boxes[i]),
        );
    }
    this.sayCursor();
  }
  nearest(row, x) {
    const far = (box) => Math.abs(this.middle(box) - x);
    return this.boxesOf(row).reduce((best, box) => (far(box) < far(best) ? box : best));
  }
  sayCursor() {
    const { map } = this;
    const { row, s, host } = map.cursor;
    map.active = Math.min(row, map.layout.rows.length - 1);
    if (s !== undefined) map.fitInside(row, s);
    const box = map.canvas.getBoundingClientRect();
    map.over = host ? { row, ...host.what } : map.cursor;
    showTip(
      {
        currentTarget: map.canvas,
        clientX: box.left + this.middle(map.cursor),
        clientY: box.top + (host ? map.hostsY() + kHosts : map.rowY(row) + kBox),
      },
      tipOf(map, map.over),
    );
    map.draw();
  }
}
