// SPDX-License-Identifier: BSD-3-Clause
// The status line of the live view. It says what is known now: each answer of the server replaces it, and so
// does each answer that does not come.
import { el } from "./dom.js";
import { askState } from "./liveask.js";

const kEvery = 4000; // milliseconds between two questions

const clock = (time) => {
  const at = new Date(time);
  const today = at.toDateString() === new Date().toDateString();
  return today ? at.toLocaleTimeString("en-GB") : `${at.toLocaleDateString("en-CA")} ${at.toLocaleTimeString("en-GB")}`;
};

// onState(state): each state that arrives. {element, heard(state), check()}
export function statusLine(onState) {
  const element = el("p", { id: "status", role: "status", "data-state": "connecting" }, "Connecting\u2026");
  let [readAt, goneAt] = [0, 0];
  const show = (state, text) => {
    if (element.dataset.state === state && element.textContent === text) return;
    element.dataset.state = state;
    element.textContent = text;
    document.documentElement.toggleAttribute("data-stale", state === "gone" || state === "refused");
  };
  const heard = (state) => {
    goneAt = 0;
    // Ages differ by what messages take: the time stays unless the fabric was read again.
    const read = Date.now() - state.age_seconds * 1000;
    if (Math.abs(read - readAt) > 1500) readAt = read;
    if (state.error) show("unread", `Not read since ${clock(readAt)}: ${state.error}`);
    else show("connected", `Connected. Read at ${clock(readAt)}.`);
    onState(state);
  };
  const lost = (error) => {
    if (error.status === 401 || error.status === 403) {
      show("refused", "This server does not know this page: it was started again. Open the address that it printed.");
      return;
    }
    goneAt ||= Date.now();
    const shown = readAt ? ` This is the fabric as read at ${clock(readAt)}.` : "";
    show("gone", `No answer from the server since ${clock(goneAt)}. Trying again\u2026${shown}`);
  };
  let asking = false;
  const check = async () => {
    if (asking) return;
    asking = true;
    const state = await askState().catch((error) => {
      lost(error);
      return null;
    });
    asking = false;
    if (state) heard(state);
  };
  setInterval(check, kEvery);
  addEventListener("online", check);
  addEventListener("offline", check);
  document.addEventListener("visibilitychange", () => !document.hidden && check());
  return { element, heard, check };
}
