// SPDX-License-Identifier: BSD-3-Clause
// Arrays of the page's data: bytes, deflated and in base64 (report/page/packed.hpp).

export async function inflate(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Differences of neighbours in zigzag, a plane for each byte.
export async function inflate32(base64) {
  const bytes = await inflate(base64);
  const size = bytes.length / 4;
  const numbers = new Uint32Array(size);
  let value = 0;
  for (let i = 0; i < size; ++i) {
    const zigzag = bytes[i] | (bytes[size + i] << 8) | (bytes[2 * size + i] << 16) | (bytes[3 * size + i] << 24);
    value = (value + ((zigzag >>> 1) ^ -(zigzag & 1))) | 0;
    numbers[i] = value;
  }
  return numbers;
}

export const inflateLines = async (base64) =>
  new TextDecoder()
    .decode(await inflate(base64))
    .split("\n")
    .slice(0, -1);
