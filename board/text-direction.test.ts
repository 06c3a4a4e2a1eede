import { expect, test } from "vitest";
import { textDirection } from "./text-direction.ts";

test("CAN-55 the first letter of a text decides its direction", () => {
  for (const words of ["שלום", "مرحبا world", "12. «سلام»", "👋 \n\u05d0", "ދިވެހި", "ߒߞߏ", "ܐ"])
    expect(textDirection(words), words).toBe("rtl");
  for (const words of ["hello", "a שלום", "漢字", "1 – é", "ก"])
    expect(textDirection(words), words).toBe("ltr");
  for (const words of ["", "12:30!", "👍", "\u0661\u0662"])
    expect(textDirection(words), words).toBeUndefined();
});
