// SPDX-License-Identifier: BSD-3-Clause
// Buttons that save a picture as a file: SVG, and PNG at twice its size.
import { css, kBeyond, kScaleEnd } from "./colours.js";
import { data } from "./data.js";
import { el } from "./dom.js";
import { legendStops, legendTexts } from "./scale.js";

const kScale = 2;
// What the style sheet gives elements of our SVG pictures.
const kStyles = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "opacity",
  "font-size",
  "font-weight",
  "font-family",
  "visibility",
];

function download(blob, name) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
const fileName = (what, end) =>
  `${data.title} ${what}`
    .replace(/[^\w.-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 80) + end;

// An SVG element as a document of its own: colours and fonts written into it.
export function svgText(picture) {
  const copy = picture.cloneNode(true);
  const [from, to] = [
    [picture, ...picture.querySelectorAll("*")],
    [copy, ...copy.querySelectorAll("*")],
  ];
  from.forEach((node, i) => {
    const style = getComputedStyle(node);
    for (const name of kStyles) to[i].style.setProperty(name, style.getPropertyValue(name));
    for (const name of ["class", "tabindex", "role", "data-channel", "data-ends"])
      if (i > 0) to[i].removeAttribute(name);
  });
  const [, , width, height] = copy.getAttribute("viewBox").split(" ").map(Number);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [key, value] of [
    ["width", "100%"],
    ["height", "100%"],
    ["fill", css("--surface")],
  ])
    ground.setAttribute(key, value);
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

async function pngOf(text) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  return onGround(image, image.width * kScale, image.height * kScale);
}
function onGround(image, width, height) {
  const canvas = el("canvas", { width, height });
  const context = canvas.getContext("2d");
  context.fillStyle = css("--surface");
  context.fillRect(0, 0, width, height);
  context.drawImage(image, 0, 0, width, height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

const kHead = 46; // above a picture
const kFoot = 46; // below it, for the scale
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const today = () => new Date().toISOString().slice(0, 10);

// A picture with what it shows: fabric, engine, traffic, population, date and scale.
function framed(text, { view, picture }) {
  const [, width, height] = /width="([\d.]+)" height="([\d.]+)"/.exec(text).map(Number);
  const line = (x, y, style, words) =>
    `<text x="${x}" y="${y}" style="font:${style} system-ui, sans-serif" ` +
    `fill="${css("--text")}">${escaped(words)}</text>`;
  const scale = picture ? scalePicture(picture, 12, kHead + height + 8, line) : "";
  const all = kHead + height + (picture ? kFoot : 8);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${all}" viewBox="0 0 ${width} ${all}">` +
    `<rect width="100%" height="100%" fill="${css("--surface")}"/>` +
    line(12, 20, "600 14px", data.title) +
    line(12, 38, "12px", `${view.title()} \u2013 fatwood ${data.version}, ${today()}`) +
    text.replace("<svg ", `<svg y="${kHead}" `) +
    `${scale}</svg>`
  );
}

function scalePicture(picture, x, y, line) {
  const width = 300;
  const { ticks, unit } = legendTexts(picture);
  const stops = legendStops(picture).map(([at, colour]) => `<stop offset="${at}" stop-color="${colour}"/>`);
  const beyond =
    picture.mode === "difference"
      ? ""
      : `<rect x="${x + width + 8}" y="${y}" width="12" height="10" fill="${kBeyond}"/>` +
        line(x + width + 24, y + 10, "11px", `above ${kScaleEnd}`);
  return (
    `<defs><linearGradient id="scale">${stops.join("")}</linearGradient></defs>` +
    `<rect x="${x}" y="${y}" width="${width}" height="10" fill="url(#scale)"/>${beyond}` +
    ticks.map((text, i) => line(x + (i * (width - 12)) / (ticks.length - 1), y + 24, "11px", text)).join("") +
    line(x + width + 90, y + 10, "11px", unit)
  );
}

// svg(): the picture as text; view: what is shown; picture: {mode, unit} where its colours are loads
export function saveButtons(what, { svg, view, picture = null }) {
  const text = () => (view ? framed(svg(), { view, picture }) : svg());
  const button = (kind, save) =>
    el(
      "button",
      { class: "save", title: `Save this picture as ${kind}`, "aria-label": `${kind}: save ${what}`, onclick: save },
      kind,
    );
  return el(
    "span",
    { class: "saves screen" },
    button("SVG", () => download(new Blob([text()], { type: "image/svg+xml" }), fileName(what, ".svg"))),
    button("PNG", async () => download(await pngOf(text()), fileName(what, ".png"))),
  );
}
export const savePicture = (what, picture, view) => saveButtons(what, { svg: () => svgText(picture), view });
