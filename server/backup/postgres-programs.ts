/** Runs PostgreSQL's own programs for backups, which are part of its client. */

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import pg from "pg";
import { CommandFault } from "./command-fault.ts";

/**
 * Runs a program on the database of `url`. The password is passed in the environment, since all users can see
 * arguments.
 * @param url null for what needs no database
 * @returns what it wrote on stdout
 * @throws CommandFault when it is missing or fails, with the end of what it wrote
 */
export async function runProgram(
  program: "pg_dump" | "pg_restore" | "psql",
  url: string | null,
  args: readonly string[],
): Promise<string> {
  const variables = url === null ? {} : connectionVariables(url);
  if (variables["PGSSLMODE"] !== "verify-full" || variables["PGSSLROOTCERT"] !== undefined)
    return run(program, args, variables);
  const folder = mkdtempSync(join(tmpdir(), "inkpool-authorities-"));
  try {
    const authorities = join(folder, "authorities.pem");
    writeFileSync(authorities, trustedAuthorities());
    return await run(program, args, { ...variables, PGSSLROOTCERT: authorities });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function run(
  program: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(program, args, {
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (output += part));
  let text = "";
  child.stderr
    .setEncoding("utf8")
    .on("data", (part: string) => (text = (text + part).slice(-2000)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", () =>
      reject(
        new CommandFault(
          `${program} cannot be run; expected PostgreSQL's client programs, of the server's version or newer, in PATH`,
        ),
      ),
    );
    child.once("close", resolve);
  });
  if (code !== 0)
    throw new CommandFault(`${program} failed: ${text.trim().split("\n").slice(-3).join("; ")}`);
  return output;
}

/** Returns the variables with which the programs connect as the server does. */
export function connectionVariables(url: string): Record<string, string> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: url });
  const { searchParams } = new URL(url);
  const variables = {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: password,
    PGDATABASE: database,
    PGSSLMODE: sslMode(searchParams),
    PGSSLROOTCERT: searchParams.get("sslrootcert"),
    PGSSLCERT: searchParams.get("sslcert"),
    PGSSLKEY: searchParams.get("sslkey"),
  };
  const given = Object.entries(variables).filter((one): one is [string, string] => Boolean(one[1]));
  return Object.fromEntries(given);
}

/** Returns the name that PostgreSQL's programs have for what the driver does: it mostly verifies the server. */
function sslMode(search: URLSearchParams): string {
  const mode = search.get("sslmode");
  if (mode === "disable" || search.get("uselibpqcompat") === "true") return mode ?? "";
  if (mode === "no-verify") return "require";
  const names = ["sslmode", "sslrootcert", "sslcert", "sslkey"];
  const encrypts =
    names.some((name) => search.has(name)) || /^(?:true|1)$/.test(search.get("ssl") ?? "");
  return encrypts ? "verify-full" : "";
}

/** Returns the certificates of the authorities that the driver trusts where the address names none: those of Node.js. */
function trustedAuthorities(): string {
  const more = process.env["NODE_EXTRA_CA_CERTS"];
  return [...rootCertificates, ...(more ? [readFileSync(more, "utf8")] : [])].join("\n");
}
