// SPDX-License-Identifier: BSD-3-Clause
// Zooming and moving a canvas along x: wheel (with Ctrl, or after a click), drag, pinch, double tap.
// With one finger the page scrolls, until the picture is zoomed.

const kWheel = 0.0022;

// zoom(factor, point), move(dx, point, dy), click(point, event), zoomed() -> whether there is something to move;
// points are {x, y} in the canvas.
export function followGestures(canvas, { zoom, move, click, hover, leave, zoomed }) {
  const down = new Map(); // pointers that are pressed
  let moved = 0;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const spread = () => {
    const [p, q] = [...down.values()];
    return { size: Math.max(10, Math.hypot(p.x - q.x, p.y - q.y)), middle: { x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 } };
  };
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return;
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 20 : 1;
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) move(-event.deltaX * lines, at(event), 0);
      else zoom(Math.exp(-event.deltaY * lines * kWheel * (event.ctrlKey ? 3 : 1)), at(event));
    },
    { passive: false },
  );
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.style.touchAction = zoomed() ? "none" : "pan-y";
    down.set(event.pointerId, at(event));
    if (down.size === 1) moved = 0;
    if (event.pointerType !== "touch" || zoomed()) canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const point = at(event);
    const before = down.get(event.pointerId);
    if (!before) return hover(event, point);
    if (down.size === 2) {
      const old = spread();
      down.set(event.pointerId, point);
      const now = spread();
      moved += 99;
      zoom(now.size / old.size, now.middle);
      return move(now.middle.x - old.middle.x, now.middle, now.middle.y - old.middle.y);
    }
    moved += Math.abs(point.x - before.x) + Math.abs(point.y - before.y);
    down.set(event.pointerId, point);
    if (moved > 4) move(point.x - before.x, before, point.y - before.y);
    return undefined;
  });
  const release = (event) => {
    if (!down.delete(event.pointerId)) return;
    if (event.type === "pointerup" && moved <= 4 && down.size === 0) {
      canvas.focus({ preventScroll: true });
      click(at(event), event);
    }
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", (event) => down.size === 0 && leave(event));
}
