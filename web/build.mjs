// SPDX-License-Identifier: BSD-3-Clause
// Bundles src/ and writes the page, its style and its script as a C++ source: node build.mjs OUTPUT.cpp
// src/report/page/page.cpp puts them together.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2];
if (!output) {
  console.error("usage: node build.mjs OUTPUT.cpp");
  process.exit(2);
}

const how = {
  outdir: "out",
  bundle: true,
  minify: true,
  write: false,
  format: "iife",
  target: "es2022",
  legalComments: "inline",
  charset: "ascii",
};
const worker = await build({ ...how, entryPoints: [join(here, "src/worker.js")] });
const bundle = await build({
  ...how,
  entryPoints: [join(here, "src/main.js")],
  define: { WORKER: JSON.stringify(worker.outputFiles[0].text) },
});
const text = (end) => bundle.outputFiles.find((file) => file.path.endsWith(end)).text;
const parts = {
  html: readFileSync(join(here, "src/page.html"), "utf8"),
  style: text(".css").replaceAll("</style", "<\\/style"),
  script: text(".js").replaceAll("</script", "<\\/script"),
};

// A literal has a limited length; neighbours are joined by the compiler.
const literal = (part) => {
  let line = '"';
  for (const byte of part) {
    if (byte === 0x22 || byte === 0x5c) line += "\\" + String.fromCharCode(byte);
    else if (byte === 0x3f)
      line += "\\?"; // no trigraphs
    else if (byte >= 0x20 && byte < 0x7f) line += String.fromCharCode(byte);
    else line += "\\" + byte.toString(8).padStart(3, "0");
  }
  return line + '"';
};
const constant = ([name, content]) => {
  const bytes = Buffer.from(content, "utf8");
  const lines = [];
  for (let at = 0; at < bytes.length; at += 4000) lines.push(literal(bytes.subarray(at, at + 4000)));
  return `constexpr char ${name}[] =\n${lines.join("\n")};\n`;
};
const names = Object.keys(parts).map((name) => `{${name}, sizeof ${name} - 1}`);
writeFileSync(
  output,
  `// Made by web/build.mjs.\n#include "report/page/page_template.hpp"\nnamespace {\n` +
    `${Object.entries(parts).map(constant).join("")}}\n` +
    `fatwood::PageTemplate fatwood::page_template() { return {${names}}; }\n`,
);
