/** Translates SQLite's complaints to PostgreSQL's, so that callers see one language. */

/** A fault that crosses the thread boundary instead of an Error. */
export interface Fault {
  /** The SQLSTATE. */
  readonly code: string;
  readonly message: string;
  readonly constraint?: string;
  readonly detail?: string;
}

interface Translation {
  readonly pattern: RegExp;
  readonly translate: (match: RegExpExecArray, code: string) => Fault;
}

const FAILING_ROW = "Failing row contains (...).";

const TRANSLATIONS: readonly Translation[] = [
  {
    pattern: /^CHECK constraint failed: (\S+)/,
    translate: ([, name = ""]) => ({
      code: "23514",
      message: `new row for relation "${tableOfConstraint(name)}" violates check constraint "${name}"`,
      constraint: name,
      detail: FAILING_ROW,
    }),
  },
  {
    pattern: /^NOT NULL constraint failed: (\w+)\.(\w+)/,
    translate: ([, table = "", column = ""]) => ({
      code: "23502",
      message: `null value in column "${column}" of relation "${table}" violates not-null constraint`,
      detail: FAILING_ROW,
    }),
  },
  {
    // SQLite says this of a null in an `integer primary key`.
    pattern: /^datatype mismatch/,
    translate: () => ({
      code: "23502",
      message: "null value in a primary key violates not-null constraint",
      detail: FAILING_ROW,
    }),
  },
  {
    pattern: /^UNIQUE constraint failed: index '(\w+)'/,
    translate: ([, index = ""]) => duplicate(index, "(...)"),
  },
  {
    pattern: /^UNIQUE constraint failed: (\w+\.\w+(?:, \w+\.\w+)*)/,
    translate: ([, list = ""], code) => {
      const table = list.split(".")[0] ?? "";
      const columns = list.split(", ").map((name) => name.split(".")[1] ?? "");
      const primary = code === "SQLITE_CONSTRAINT_PRIMARYKEY";
      const constraint = primary ? `${table}_pkey` : `${table}_${columns.join("_")}_key`;
      return duplicate(constraint, `(${columns.join(", ")})=(...)`);
    },
  },
  {
    pattern: /^FOREIGN KEY constraint failed/,
    translate: () => ({
      code: "23503",
      message: "insert or update violates foreign key constraint",
    }),
  },
  {
    pattern: /^malformed JSON/,
    translate: () => ({ code: "22P02", message: "invalid input syntax for type json" }),
  },
  {
    pattern: /^interrupted$/,
    translate: () => ({ code: "57014", message: "canceling statement due to statement timeout" }),
  },
  {
    pattern: /^string or blob too big/,
    translate: () => ({ code: "54000", message: "value is too large" }),
  },
];

/** Returns the fault that the statement's values caused, or null for one of our own. */
export function translateFault(message: string, code: string): Fault | null {
  for (const { pattern, translate } of TRANSLATIONS) {
    const match = pattern.exec(message);
    if (match !== null) return translate(match, code);
  }
  return null;
}

function duplicate(constraint: string, key: string): Fault {
  return {
    code: "23505",
    message: `duplicate key value violates unique constraint "${constraint}"`,
    constraint,
    detail: `Key ${key} already exists.`,
  };
}

/**
 * The tables of checks. SQLite names the check and not its table; ours are named `<table>_<column>_<what>_check` or
 * registered here.
 */
const CHECK_TABLES: Readonly<Record<string, string>> = { canvas_json_size_check: "canvas_state" };

function tableOfConstraint(name: string): string {
  return CHECK_TABLES[name] ?? name.replace(/_check$/, "");
}
