import { expect, test } from "vitest";
import { makePicture } from "./make-picture.ts";

const MAX_FILE = 50 * 1024 * 1024;

/** Returns the beginning of a PNG file. */
function header(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new DataView(new ArrayBuffer(33));
  bytes.setBigUint64(0, 0x89504e470d0a1a0an);
  bytes.setBigUint64(8, 0x0000000d49484452n);
  bytes.setUint32(16, width);
  bytes.setUint32(20, height);
  return new Uint8Array(bytes.buffer);
}

/** Returns the reason for which a file becomes no picture. Here one that could be read is not decoded. */
async function reasonOf(content: Uint8Array<ArrayBuffer>, size = content.length): Promise<string> {
  const file = Object.defineProperty(new Blob([content]), "size", { value: size });
  const steps = { refuseSvg: async () => null, onSize: () => undefined };
  const result = await makePicture(file, steps);
  return result.ok ? "" : result.reason;
}

test("IMG-10 a file of more than 50 MB or 100 million pixels is not decoded", async () => {
  const unreadable = "it is no picture that can be read";
  expect(await reasonOf(header(1, 1), MAX_FILE)).toBe(unreadable);
  expect(await reasonOf(header(1, 1), MAX_FILE + 1)).toBe("it is larger than 50 MB");
  expect(await reasonOf(header(10_000, 10_000))).toBe(unreadable);
  expect(await reasonOf(header(10_000, 10_001))).toBe("it has more than 100 million pixels");
});
