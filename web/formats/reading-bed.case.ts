import { expect } from "vitest";
import { parseDrawing } from "../../board/parse.ts";
import { leftOutSentences } from "../ui/files/import-report.ts";
import type { ReadDrawing } from "./read-drawing.ts";

/** Expects that the result is well-formed: the parser reads it again unchanged. */
export function expectSound(result: ReadDrawing): void {
  if (!result.ok) {
    expect(result.reason).toMatch(/^it [^.]{5,80}$/);
    return;
  }
  const again = parseDrawing({ version: "7.4.0", objects: result.objects });
  expect(again).toMatchObject({ ok: true, leftOut: 0 });
  for (const sentence of leftOutSentences(result.leftOut))
    expect(sentence).toMatch(/^[\d,]+ .+: .+\.$/);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
}

export const svg = (inner: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`;
