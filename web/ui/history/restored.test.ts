import { expect, test } from "vitest";
import { restoredTexts } from "./restored.ts";

test("HIS-2 the notice says what was restored, or that there was nothing to restore", () => {
  expect(restoredTexts("14:05", false)).toEqual({
    text: "Version of 14:05 restored",
    unchanged: "The board is as it was at 14:05",
  });
  expect(restoredTexts("14:06", true)).toEqual({
    text: "What was missing from the version of 14:06 is back",
    unchanged: "Nothing is missing from the version of 14:06",
  });
});
