import { expect, test } from "vitest";
import { prepareText } from "./placeholders.ts";

test.each([
  ["select $1, $2", "select ?1, ?2", false],
  ["select '$1', \"$2\", $3", "select '$1', \"$2\", ?3", false],
  ["select 'it''s $1' -- $2\n, $3", "select 'it''s $1' -- $2\n, ?3", false],
  ["select /* $1; */ $2;", "select /* $1; */ ?2;", false],
  ["select ';'; ", "select ';'; ", false],
  ["select 1; -- the end", "select 1; -- the end", false],
  ["select 1; select 2", "select 1; select 2", true],
  ["a -> '$.x' = $12", "a -> '$.x' = ?12", false],
])("%s", (given, sql, many) => {
  expect(prepareText(given)).toEqual({ sql, many });
});
