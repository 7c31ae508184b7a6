// SPDX-License-Identifier: BSD-3-Clause
// Runs a verb on the server of the live view, shows how far it is and what it found.
import { el, goTo, number } from "./dom.js";
import { ask } from "./liveask.js";
import { tablesOf } from "./livetables.js";

const kPoll = 300; // milliseconds

// The verbs, with what they ask for.
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

// {element, start(verb): runs it where the reader sees it}
export function taskRunner() {
  const verb = el(
    "select",
    { id: "task-verb", "aria-label": "What to run", onchange: () => askFor() },
    Object.keys(tasks).map((name) => el("option", {}, name)),
  );
  const [fields, out] = [el("span", {}), el("div", { id: "task-result", hidden: true })];
  const bar = el("progress", { id: "task-progress", max: 1, value: 0, hidden: true, "aria-label": "Progress" });
  const said = el("p", { id: "task-said", role: "status" });
  const cancel = el("button", { id: "task-cancel", type: "button", hidden: true }, "Cancel");
  const askFor = () =>
    fields.replaceChildren(
      ...tasks[verb.value].map((name) =>
        el("input", { name, "aria-label": name, placeholder: name, value: examples[name] ?? "" }),
      ),
    );
  askFor();
  async function run(event) {
    event?.preventDefault();
    const filled = [...fields.children].filter((field) => field.value);
    const query = new URLSearchParams(filled.map((field) => [field.name, field.value]));
    out.hidden = true;
    try {
      let task = await ask("POST", `/tasks/${verb.value}?${query}`, "");
      cancel.onclick = () => ask("DELETE", `/tasks/${task.id}`);
      [bar.hidden, cancel.hidden] = [false, false];
      while (task.status === "waiting" || task.status === "running") {
        bar.value = task.progress;
        said.textContent =
          `${task.verb}: ${task.status}, ${Math.round(100 * task.progress)}%, ` + `${Math.round(task.seconds)} s`;
        await new Promise((done) => setTimeout(done, kPoll));
        task = await ask("GET", `/tasks/${task.id}`);
      }
      const seconds = number(Math.round(task.seconds * 10) / 10);
      said.textContent = `${task.verb}: ${task.status} after ${seconds} s${task.error ? `: ${task.error}` : ""}`;
      out.hidden = !task.result;
      out.replaceChildren(...(task.result ? tablesOf(task.result, task.verb) : []));
    } catch (error) {
      said.textContent = error.message;
    }
    [bar.hidden, cancel.hidden] = [true, true];
  }
  const form = el("form", { onsubmit: run }, verb, fields, el("button", { id: "task-run" }, "Run"), bar, cancel);
  const element = el("details", { id: "live-tasks" }, el("summary", {}, "Run"), form, said, out);
  const start = (name) => {
    element.open = true;
    verb.value = name;
    askFor();
    goTo("live-tasks");
    return run();
  };
  return { element, start };
}
