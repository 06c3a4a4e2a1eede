import { expect, test } from "vitest";
import { ariaKeys } from "./aria-keys.ts";

test("a shortcut is named for assistive technology on all platforms", () => {
  expect(ariaKeys(["t"])).toBe("T");
  expect(ariaKeys(["Shift", "1"])).toBe("Shift+1");
  expect(ariaKeys(["Mod", "Shift", "]"])).toBe("Control+Shift+] Meta+Shift+]");
});
