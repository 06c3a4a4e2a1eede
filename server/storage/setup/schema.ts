/** The schema of the whiteboard's own table, for both databases. */

import { readFileSync, readdirSync } from "node:fs";
import { LIMITS, SETTINGS_TABLE, SIZE_CHECK, TABLE } from "../../../board/constants.ts";
import { PROJECT_ROOT } from "../../process/root.ts";
import { SQLITE_NOW, SQLITE_UUID } from "../defaults.ts";
import type { MigrationStep } from "../port.ts";
import { SQLITE_HISTORY } from "../sqlite/history.ts";
import { SQLITE_HISTORY_SLOTS } from "../sqlite/history-slots.ts";

const SQLITE_CANVAS_STATE = `
create table ${TABLE} (
  id text not null primary key default ${SQLITE_UUID},
  canvas_json text not null,
  updated_at text not null default ${SQLITE_NOW},
  constraint ${SIZE_CHECK} check (octet_length(canvas_json) <= ${LIMITS.canvasBytes})
) strict;
create unique index canvas_state_single_row on ${TABLE} ((true));
`;

const SQLITE_SETTINGS = `
create table ${SETTINGS_TABLE} (
  id integer not null primary key default 1 check (id = 1),
  locked integer not null default 0 check (locked in (0, 1))
) strict;
insert into ${SETTINGS_TABLE} default values;
`;

/** Returns one step for each file in supabase/migrations, in the order of their names. */
export function canvasSteps(): readonly MigrationStep[] {
  const folder = new URL("supabase/migrations/", PROJECT_ROOT);
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .toSorted();
  return files.map((file) => {
    const name = file.replace(/\.sql$/, "");
    return {
      name,
      sqlite: SQLITE_STEPS[name] ?? "select 1",
      postgres: readFileSync(new URL(file, folder), "utf8"),
    };
  });
}

/** The SQL of a step for SQLite. Grants and policies have no equivalent there; table/ enforces them. */
const SQLITE_STEPS: Readonly<Record<string, string>> = {
  "20260801000000_canvas_state": SQLITE_CANVAS_STATE,
  "20261121000000_canvas_history": SQLITE_HISTORY,
  "20261123000000_history_slots": SQLITE_HISTORY_SLOTS,
  "20261125000000_canvas_settings": SQLITE_SETTINGS,
};
