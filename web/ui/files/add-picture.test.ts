import { expect, test } from "vitest";
import { encodeGif } from "../../../testing/pictures/gif.ts";
import { isPicture } from "./add-picture.ts";

const GIF = Uint8Array.from(encodeGif({ width: 4, height: 2 }, [0xff0000], [() => 0]));

test("IMG-8 a file without a type, or with another one, is a picture where its content is one", async () => {
  for (const [name, type] of [
    ["photo", ""],
    ["photo.txt", "text/plain"],
    ["photo.bin", "application/octet-stream"],
  ] as const)
    expect(await isPicture(new File([GIF], name, { type })), name).toBe(true);
  expect(await isPicture(new File(['{"objects":[]}'], "photo", { type: "" }))).toBe(false);
  expect(await isPicture(new File([], "photo"))).toBe(false);
});
