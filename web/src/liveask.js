// SPDX-License-Identifier: BSD-3-Clause
// Requests to the server of the live view.

export const api = "/api/v1";
const kPatience = 8000; // milliseconds for what never waits for a computation

const served = () => document.querySelector('meta[name="fatwood-served"]'); // content: the version of the data
export const isServed = () => served() !== null;
export const servedVersion = () => Number(served().getAttribute("content"));

export class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

// The JSON of an answer. Refused if the server refuses; TypeError or TimeoutError if there is no server.
export async function ask(method, path, body, signal) {
  const headers = body === undefined ? {} : { "Content-Type": "text/plain" };
  const answer = await fetch(api + path, { method, body, headers, signal });
  const text = await answer.text();
  let json = null;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Refused(`the server answered ${answer.status}`, answer.status);
  }
  if (!answer.ok) throw new Refused(json.error ?? `the server answered ${answer.status}`, answer.status);
  return json;
}

export const askState = () => ask("GET", "/state", undefined, AbortSignal.timeout(kPatience));
