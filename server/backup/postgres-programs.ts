/** Runs PostgreSQL's own programs for backups, which are part of its client. */

import { spawn } from "node:child_process";
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
  const child = spawn(program, args, {
    env: { ...process.env, ...(url === null ? {} : connectionVariables(url)) },
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

function connectionVariables(url: string): Record<string, string> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const mode = searchParams.get("sslmode");
  const variables = {
    PGHOST: searchParams.get("host") ?? hostname,
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGSSLMODE: mode === "no-verify" ? "require" : (mode ?? ""),
  };
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
}
