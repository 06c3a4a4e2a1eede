import { expect, test } from "vitest";
import { connectionVariables } from "./postgres-programs.ts";

const AT = { PGHOST: "db", PGPORT: "5432", PGUSER: "u", PGPASSWORD: "p", PGDATABASE: "ink" };
const verified = { PGSSLMODE: "verify-full" };

test.each([
  ["postgres://u:p@db/ink", AT],
  [
    "postgres://u:p%40%2F@[::1]:5433/a%20b",
    { PGHOST: "::1", PGPORT: "5433", PGUSER: "u", PGPASSWORD: "p@/", PGDATABASE: "a b" },
  ],
  ["postgres://u:p@%2Fvar%2Frun%2Fpostgresql/ink", { ...AT, PGHOST: "/var/run/postgresql" }],
  [
    "postgres://u:p@localhost/ink?host=/run/pg&port=5433",
    { ...AT, PGHOST: "/run/pg", PGPORT: "5433" },
  ],
  ["postgres://u:p@db/ink?sslmode=disable", { ...AT, PGSSLMODE: "disable" }],
  ["postgres://u:p@db/ink?sslmode=no-verify", { ...AT, PGSSLMODE: "require" }],
  ["postgres://u:p@db/ink?sslmode=prefer", { ...AT, ...verified }],
  ["postgres://u:p@db/ink?sslmode=require", { ...AT, ...verified }],
  ["postgres://u:p@db/ink?ssl=true", { ...AT, ...verified }],
  ["postgres://u:p@db/ink?sslmode=require&uselibpqcompat=true", { ...AT, PGSSLMODE: "require" }],
])("HIS-1 the programs of PostgreSQL connect to %s as the server does", (url, variables) => {
  expect(connectionVariables(url)).toEqual(variables);
});

test("HIS-1 the programs of PostgreSQL get the certificates that the address names", () => {
  const file = import.meta.filename;
  const url = `postgres://u:p@db/ink?sslmode=verify-full&sslrootcert=${file}&sslcert=${file}&sslkey=${file}`;
  const ssl = { PGSSLMODE: "verify-full", PGSSLROOTCERT: file, PGSSLCERT: file, PGSSLKEY: file };
  expect(connectionVariables(url)).toEqual({ ...AT, ...ssl });
});
