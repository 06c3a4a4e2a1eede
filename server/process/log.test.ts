import { expect, test } from "vitest";
import { createLogger } from "./log.ts";

test("SRV-11 a log line with any input from a peer is one line of text, from LOG_LEVEL on", () => {
  const lines: string[] = [];
  const log = createLogger(
    "info",
    (line) => lines.push(line),
    () => Date.UTC(2026, 10, 21),
  );
  log.debug("too small");
  log.info("started", { port: 80, ok: true, nothing: undefined, path: "/a b" });
  log.warn("odd\n2026-11-21T00:00:00.000Z error forged", { name: 'a"\n\u2028b' });
  expect(lines).toEqual([
    '2026-11-21T00:00:00.000Z info started port=80 ok=true path="/a b"\n',
    '2026-11-21T00:00:00.000Z warn odd 2026-11-21T00:00:00.000Z error forged name="a\\"\\n\u2028b"\n',
  ]);
});
