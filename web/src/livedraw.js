// SPDX-License-Identifier: BSD-3-Clause
// What the page is drawn from: the answers of the server, the map first. The last wish counts; what was asked for
// an earlier one is given up.
import { ask, Refused, servedVersion } from "./liveask.js";

const kCalm = 400; // milliseconds without another wish, before the rest of the page is asked for

class Lost extends Error {} // there is no server, or the answer was given up
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export class Drawing {
  asking;
  drawn;
  failed;
  lost;
  map;
  shared;
  showAgain;
  showMap;
  showing;

  // shared: the data of what all see. showAgain(data), showMap(data): draw the page, or its map.
  // failed(error): of the server; lost(): there is none
  constructor({ shared, showAgain, showMap, failed, lost }) {
    Object.assign(this, { shared, showAgain, showMap, failed, lost });
    Object.assign(this, { drawn: `${servedVersion()} /page`, map: null, asking: null, showing: null });
  }
  // key: "VERSION PATH". The map of a preview comes first, and the rest when nothing else is wished for.
  async page(key) {
    if (this.drawn === key || this.asking?.key === key) return;
    const preview = pathOf(key).startsWith("/preview/");
    if (preview && !(await this.mapOf(key))) return;
    await this.take(key, async (signal) => {
      if (preview) await pause(kCalm);
      if (signal.aborted) return;
      await this.show(signal, this.showAgain, pathOf(key));
      if (!signal.aborted) [this.drawn, this.map] = [key, null];
    });
  }
  // The map alone; false if something else was wished for.
  async mapOf(key) {
    if (this.drawn === key || this.map === key) return true;
    return this.take(key, async (signal) => {
      await this.show(signal, this.showMap, pathOf(key).replace("?", "-map?"));
      if (!signal.aborted) [this.drawn, this.map] = [null, key];
    });
  }
  async show(signal, draw, path) {
    const other = await ask("GET", path, undefined, signal).catch((error) => {
      throw error instanceof Refused ? error : new Lost();
    });
    if (path === "/page") this.shared = other;
    else if (draw === this.showAgain) addRoutesBefore(other, this.shared);
    await this.showing; // one after the other
    if (signal.aborted) return;
    this.showing = draw(other);
    await this.showing;
  }
  async take(key, work) {
    this.asking?.aborter.abort();
    const mine = { key, aborter: new AbortController() };
    this.asking = mine;
    document.documentElement.toggleAttribute("data-refreshing", true);
    try {
      await work(mine.aborter.signal);
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Lost)) throw error;
      if (this.asking === mine) {
        if (error instanceof Refused) this.failed(error);
        else this.lost();
      }
    }
    if (this.asking !== mine) return false;
    this.asking = null;
    document.documentElement.removeAttribute("data-refreshing");
    return true;
  }
}

// The routes as they are without the preview, to compare with: if switches, hosts and ports have the same numbers.
export const kBefore = "before";
function addRoutesBefore(preview, shared) {
  const same = ["names", "guids", "ports", "terminals"].every((key) => preview.fabric[key] === shared.fabric[key]);
  if (same && shared.routes[0]?.tables) preview.routes.push({ ...shared.routes[0], name: kBefore, given: false });
}

const pathOf = (key) => key.slice(key.indexOf(" ") + 1);
