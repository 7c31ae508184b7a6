// SPDX-License-Identifier: BSD-3-Clause
// Buttons that save a picture as a file: SVG, and PNG at twice its size.
import { css } from "./colours.js";
import { data } from "./data.js";
import { el } from "./dom.js";

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

// svg(): the picture as text; canvas(): a canvas to copy instead, for what has no SVG
export function saveButtons(what, { svg, canvas }) {
  const button = (kind, save) =>
    el(
      "button",
      { class: "save", title: `Save this picture as ${kind}`, "aria-label": `Save ${what} as ${kind}`, onclick: save },
      kind,
    );
  return el(
    "span",
    { class: "saves screen" },
    svg && button("SVG", () => download(new Blob([svg()], { type: "image/svg+xml" }), fileName(what, ".svg"))),
    button("PNG", async () =>
      download(
        svg ? await pngOf(svg()) : await onGround(canvas(), canvas().width, canvas().height),
        fileName(what, ".png"),
      ),
    ),
  );
}
export const savePicture = (what, picture) => saveButtons(what, { svg: () => svgText(picture) });
