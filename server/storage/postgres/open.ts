import type { Logger } from "../../log.ts";
import type { Database } from "../port.ts";

export async function openPostgres(_url: string, _log: Logger): Promise<Database> {
  throw new Error("PostgreSQL is not there yet");
}
