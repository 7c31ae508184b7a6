// SPDX-License-Identifier: BSD-3-Clause
// Bundles src/ into one HTML file and writes it as a C++ source: node build.mjs OUTPUT.cpp
// The page's data goes where the marks below stand (src/report/page/page.cpp).
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
const script = text(".js").replaceAll("</script", "<\\/script");
const html = readFileSync(join(here, "src/page.html"), "utf8")
  .replace("/* style */", () => text(".css").replaceAll("</style", "<\\/style"))
  .replace("/* script */", () => script);

// A literal has a limited length; neighbours are joined by the compiler.
const bytes = Buffer.from(html, "utf8");
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
const lines = [];
for (let at = 0; at < bytes.length; at += 4000) lines.push(literal(bytes.subarray(at, at + 4000)));
writeFileSync(
  output,
  `// Made by web/build.mjs.\n#include "report/page/page_template.hpp"\nnamespace {\n` +
    `constexpr char kPage[] =\n${lines.join("\n")};\n}\n` +
    `std::string_view fatwood::page_template() { return {kPage, sizeof kPage - 1}; }\n`,
);
