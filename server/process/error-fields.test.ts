import { expect, test } from "vitest";
import { errorFields } from "./error-fields.ts";
import { createLogger } from "./log.ts";
import { redact } from "./redact.ts";

const TOKEN =
  "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.c2lnbmF0dXJlLXMzY3JldC0xMjM0NTY3ODkw";
const DRAWING = JSON.stringify({
  version: "7.4.0",
  objects: [
    { type: "Path", path: "M 10 20 l 3 4 5 -6 7.5 8", stroke: "#ff0000" },
    { type: "Text", text: "my s3cret note", left: 10 },
  ],
});

test.each([
  ["a token", `check failed for ${TOKEN}`, "check failed for [token]"],
  ["a token that was cut off", `got ${TOKEN.slice(0, 60)}`, "got [token]"],
  ["a bearer", "authorization: Bearer abc.def", "authorization: Bearer [token]"],
  ["an API key", "key sb_secret_abc refused", "key [key] refused"],
  ["a random text", "key 3q2-7wAAf8sBB0xCC1yDD2zEE3uFF4vGG5 refused", "key [secret] refused"],
  [
    "a password in a URL",
    "connect postgres://ink:hunter2@db/ink failed",
    "connect postgres://[credentials]@db/ink failed",
  ],
  ["a drawing", `cannot store ${DRAWING} here`, "cannot store [data] here"],
  ["a drawing that was cut off", `cannot store ${DRAWING.slice(0, 90)}`, "cannot store [data]"],
  ["a list of objects", 'got [{"type":"Rect"}]', "got [data]"],
  ["a path", "no path: M 10 20 l 3 4 5 -6", "no path: M [data]"],
  [
    "a text that JSON.parse quotes",
    'Unexpected token \'x\', ..."left":10,x"... is not valid JSON',
    "Unexpected token 'x', [data] is not valid JSON",
  ],
  ["a quoted text", 'invalid input syntax: "my s3cret note"', 'invalid input syntax: "[text]"'],
])("SRV-11 a log never contains %s", (_what, text, expected) => {
  expect(redact(text)).toBe(expected);
});

test.each([
  'relation "canvas_state" does not exist',
  "ENOENT: no such file or directory, open '/srv/inkpool/data/inkpool.db'",
  "Cannot read properties of undefined (reading 'query')",
  "connect ECONNREFUSED 127.0.0.1:5432",
  "at async handleRequest (/srv/inkpool/server/table/register.ts:120:11)",
])("text that helps an operator stays: %s", (text) => {
  expect(redact(text)).toBe(text);
});

test("SRV-11 a text of 10 MB is looked at in part, and none of it is left", () => {
  const huge = `{"objects":["${"a b ".repeat(2_500_000)}"]}`;
  expect(redact(`cannot store ${huge}`)).toBe("cannot store [data]");
  expect(redact("x y ".repeat(1_000_000)).length).toBe(500);
});

test("SRV-11 an unexpected error is logged with its stack, on one line, without tokens and drawings", () => {
  const cause = new Error(`caused by ${TOKEN}`);
  const error = new TypeError(`cannot store\n    at ${DRAWING}\n    at ${TOKEN}`, { cause });
  const lines: string[] = [];
  const log = createLogger("error", (line) => lines.push(line), Date.now);
  log.error("a request failed", errorFields(error));
  expect(lines.length).toBe(1);
  const [line = ""] = lines;
  expect(line.trimEnd()).not.toContain("\n");
  expect(line).toContain('error="TypeError: cannot store');
  expect(line).toMatch(/ stack="at \S*.*error-fields\.test\.ts:\d+:\d+/);
  expect(line).toContain('cause="Error: caused by [token]"');
  expect(line).toMatch(/ causeStack="at \S*.*error-fields\.test\.ts:\d+:\d+/);
  for (const secret of [TOKEN, "eyJ", "Path", "s3cret", "#ff0000", "M 10"])
    expect(line).not.toContain(secret);
});

test("the code of an error is kept, and any other value is logged as a text", () => {
  const refused = Object.assign(new Error("connect failed"), { code: "ECONNREFUSED" });
  expect(errorFields(refused)["error"]).toBe("Error (ECONNREFUSED): connect failed");
  expect(errorFields(`no error: ${TOKEN}`)).toEqual({ error: "no error: [token]" });
  expect(errorFields({ token: TOKEN })["error"]).not.toContain("eyJ");
  expect(errorFields(new Error("outer", { cause: TOKEN }))["cause"]).toBe("[token]");
});
