// SPDX-License-Identifier: BSD-3-Clause
// Light and dark. Paper is white.
import { el } from "./dom.js";

// The button of the header; redraw() after each change.
export function themeButton(redraw, beforePrint) {
  const wide = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : wide.matches);
  const button = el("button", { id: "theme" });
  const show = () => {
    button.textContent = dark() ? "light" : "dark";
    button.title = `Change to ${button.textContent} colours`;
  };
  button.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    show();
    redraw();
  });
  wide.addEventListener("change", () => {
    show();
    redraw();
  });
  addEventListener("beforeprint", () => {
    root.dataset.before = root.dataset.theme ?? "";
    root.dataset.theme = "light";
    beforePrint();
    redraw();
    document.querySelectorAll("details.odd").forEach((d) => d.setAttribute("open", ""));
  });
  addEventListener("afterprint", () => {
    if (root.dataset.before) root.dataset.theme = root.dataset.before;
    else delete root.dataset.theme;
    redraw();
  });
  show();
  return button;
}
