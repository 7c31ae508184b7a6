// SPDX-License-Identifier: BSD-3-Clause
// The page's data: one JSON object; arrays are base64 of deflated little-endian bytes.

export const data = JSON.parse(document.getElementById("data").textContent);

export async function inflate(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export const inflate32 = async (base64) => new Uint32Array((await inflate(base64)).buffer);

export const inflateLines = async (base64) =>
  new TextDecoder().decode(await inflate(base64)).split("\n").slice(0, -1);
