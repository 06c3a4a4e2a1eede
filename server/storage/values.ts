import { StorageFault } from "./faults.ts";
import type { SqlValue } from "./port.ts";

/**
 * Refuses values that one of the databases cannot store, before they reach a driver.
 * @throws StorageFault 22021 for a NUL in a text (PostgreSQL refuses it, SQLite would cut the text there)
 * @throws TypeError for a value of another type: libsql ends the process on some of them
 */
export function checkValues(values: readonly SqlValue[]): void {
  for (const value of values) checkValue(value);
}

function checkValue(value: SqlValue): void {
  switch (typeof value) {
    case "string":
      if (value.includes("\0"))
        throw new StorageFault("22021", 'invalid byte sequence for encoding "UTF8": 0x00');
      return;
    case "number":
      if (!Number.isFinite(value)) throw new TypeError("A number for the database must be finite");
      return;
    case "bigint":
      if (BigInt.asIntN(64, value) !== value)
        throw new StorageFault("22003", "value is out of range for type bigint");
      return;
    case "boolean":
      return;
    default:
      if (value === null || value instanceof Uint8Array) return;
      throw new TypeError(`A value for the database cannot be of type ${typeof value}`);
  }
}
