/**
 * The process of `npm run backup` and `npm run restore`: prints its result on stdout and complaints on stderr. Exits
 * with 0, 1 or, for a wrong call, 2.
 */

import { createLogger } from "../process/log.ts";
import { writeOut } from "../process/output.ts";
import { reasonOf } from "../process/start-fault.ts";
import { parseSettings } from "../settings/settings.ts";
import { backUp } from "./backup.ts";
import { CommandFault } from "./command-fault.ts";
import { restore } from "./restore.ts";

const USAGE = [
  "npm run backup -- FOLDER               copies database and keys into a new folder, beside a running server",
  "npm run restore -- FOLDER [--replace]  puts them back; --replace where there is a database already",
  "in the package: inkpool backup FOLDER, inkpool restore FOLDER [--replace]",
];

const [command, ...given] = process.argv.slice(2);

async function main(): Promise<number> {
  const replace = command === "restore" && given.includes("--replace");
  const [folder, ...more] = given.filter((one) => !(replace && one === "--replace"));
  const isCall = command === "backup" || command === "restore";
  if (!isCall || folder === undefined || folder.startsWith("-") || more.length > 0)
    return complain(USAGE, 2);
  const parsed = parseSettings(process.env, process.cwd());
  if (!parsed.ok) return complain(parsed.problems, 1);
  const { settings } = parsed;
  const log = createLogger("warn", (line) => process.stderr.write(line), Date.now);
  try {
    if (settings.supabase !== null)
      throw new CommandFault(
        "SUPABASE_URL is set: the backups of a Supabase project are made there",
      );
    const done =
      command === "backup"
        ? await backUp(settings, folder)
        : await restore(settings, folder, { replace, log });
    await writeOut(`${done}\n`);
    return 0;
  } catch (error) {
    return complain([reasonOf(error)], 1);
  }
}

function complain(lines: readonly string[], code: number): number {
  const name = command === "restore" ? command : "backup";
  process.stderr.write(lines.map((line) => `${name}: ${line}\n`).join(""));
  return code;
}

process.exitCode = await main();
