/** Applies a host's decisions and the limits of newcomers to a write of the drawing, before it reaches the database. */

import type { FastifyRequest } from "fastify";
import { clientKey } from "../limits/client-key.ts";
import { deviceOf } from "../limits/device.ts";
import type { ServerEnvironment } from "../port.ts";
import type { Caller } from "./credentials.ts";
import type { Request } from "./operations.ts";
import { faults } from "./schema/faults.ts";
import type { Table } from "./schema/tables.ts";

/**
 * Returns the function that charges a write; null where nothing is limited.
 * @throws TableFault visitor_paused for a visitor whose drawing a host has paused
 */
export function guardBoard(
  { access, newcomers, settings }: ServerEnvironment,
  { raw }: FastifyRequest,
  { claims }: Caller,
  table: Table,
): Request["charge"] {
  if (table.lockable !== true) return null;
  const client = clientKey(raw, settings.trustProxy);
  if (access.pauses.isPaused({ client, device: deviceOf(raw), claims })) throw faults.paused();
  return newcomers === null ? null : (given) => newcomers.charge({ client, claims }, given);
}
