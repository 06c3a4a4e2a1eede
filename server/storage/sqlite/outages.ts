import type { Logger } from "../../process/log.ts";
import { createOutage } from "../outage.ts";
import type { Database, Queryable } from "../port.ts";

/** Matches a statement that writes rows. */
const WRITING = /^\s*(?:insert|update|delete)\b/i;

/**
 * Returns the embedded database such that the log has one line when writes begin to fail, and one when a write
 * succeeds again. Its reads are not watched: they go on where there is no space.
 */
export function withOutageLog(database: Database, log: Pick<Logger, "error" | "info">): Database {
  const outage = createOutage(log, () => true);
  outage.over(true);
  let isClosing = false;
  const watch = async <T>(
    work: (noting: (on: Queryable) => Queryable) => Promise<T>,
  ): Promise<T> => {
    let written = false;
    const noting = (on: Queryable): Queryable => ({
      query: async (sql, values) => {
        const result = await on.query(sql, values);
        if (result.rowCount > 0 && WRITING.test(sql)) written = true;
        return result;
      },
    });
    try {
      const result = await work(noting);
      if (written) outage.over(true);
      return result;
    } catch (error) {
      throw isClosing ? error : outage.noted(error);
    }
  };
  return {
    ...database,
    query: (sql, values) => watch((noting) => noting(database).query(sql, values)),
    transaction: (work, actor) =>
      watch((noting) => database.transaction((tx) => work(noting(tx)), actor)),
    close: () => {
      isClosing = true;
      return database.close();
    },
  };
}
