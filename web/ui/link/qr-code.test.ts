import { encode } from "uqr";
import { expect, test } from "vitest";
import { isLocalLink, pageLink } from "./address.ts";
import { qrPath } from "./qr-code.ts";

test("UI-51 the QR code's path has exactly the dark modules of the code", () => {
  const link = "https://draw.example/board?a=ä&b=\"<'>";
  const drawn = qrPath(link);
  const { data, size } = encode(link, { ecc: "M", border: 0 });
  expect(drawn?.size).toBe(size);
  const dark = new Set<string>();
  for (const [, column = "", row = "", length = ""] of (drawn?.path ?? "").matchAll(
    /M(\d+) (\d+)h(\d+)v1H\d+z/g,
  ))
    for (let at = 0; at < Number(length); at += 1) dark.add(`${Number(column) + at} ${row}`);
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column < size; column += 1)
      expect(dark.has(`${column} ${row}`)).toBe(data[row]?.[column]);
  expect(qrPath(`https://draw.example/${"a".repeat(3_000)}`)).toBeNull();
});

test("UI-51 the link is the page's address without its fragment, and is known to be of this device alone", () => {
  const address = new URL("https://draw.example/?board=1#part");
  expect(pageLink(address)).toBe("https://draw.example/?board=1");
  for (const local of ["http://127.0.0.1:8080/", "http://localhost/", "http://[::1]:1/"])
    expect(isLocalLink(local)).toBe(true);
  for (const open of ["http://127.example/", "https://draw.example/", "http://192.168.0.2/"])
    expect(isLocalLink(open)).toBe(false);
});
