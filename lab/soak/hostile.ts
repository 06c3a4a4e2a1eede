/** Runs hostile visitors beside the honest clients: one kind of attack after the other, each in a process of its own. */

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { sleep } from "../installation/tools.ts";
import type { AttackName } from "../one-visitor/attacks.ts";
import type { Interruption } from "./interruptions.ts";
import type { TimedSave } from "./ledger.ts";
import type { Soak } from "./state.ts";

/** Attacks of lab/one-visitor that do not write the row, so that every stroke must be there at the end. */
const ATTACKS: readonly AttackName[] = [
  "reads without a pause beside large writes",
  "frames of 16 MB",
  "bodies of 16 MB over HTTP",
  "slow reads from 30 addresses",
  "bodies that do not arrive",
  "SAML posts",
  "sign-ups, sign-ins and mails",
  "clients that never read",
  "drawings of 9 MB over HTTP",
];
const CHILD = fileURLToPath(new URL("../one-visitor/attacker.ts", import.meta.url));
/** Milliseconds of an attack, and between two attacks. */
const ATTACK = 15_000;
const PAUSE = 10_000;
/** Greatest number of milliseconds of an honest client's save, except in an outage of these backends and so long after one. */
const MAX_SAVE = 10_000;
const AFTER_OUTAGE = 20_000;
const OUTAGES = /^(?:PostgreSQL|process) /;

/** Attacks the process that is never restarted, past the balancer, from addresses of their own. */
export async function attackUntil(
  { installation, connection }: Soak,
  isOver: () => boolean,
  say: (text: string) => void,
) {
  const url = installation.servers[0]?.url ?? "";
  for (let at = 0; !isOver(); at++) {
    const kind = ATTACKS[at % ATTACKS.length] ?? "";
    const attacker = fork(CHILD, [kind, url, connection.key]);
    const end = once(attacker, "exit");
    say(`hostile: ${kind}`);
    await sleep(ATTACK);
    attacker.disconnect();
    await end;
    await sleep(PAUSE);
  }
}

/** Returns the saves that took too long although nothing that they need was interrupted. Pure. */
export function slowSaves(
  saves: readonly TimedSave[],
  interruptions: readonly Pick<Interruption, "cause" | "begin" | "end">[],
): TimedSave[] {
  const outages = interruptions.filter(({ cause }) => OUTAGES.test(cause));
  return saves.filter(
    ({ begin, end }) =>
      end - begin > MAX_SAVE &&
      !outages.some((one) => begin < one.end + AFTER_OUTAGE && end > one.begin),
  );
}
