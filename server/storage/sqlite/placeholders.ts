/** Converts PostgreSQL's `$1` to SQLite's `?1`: SQLite would take `$1` for a name and bind by order of appearance. */

export interface PreparedText {
  readonly sql: string;
  /** Whether there are several statements, which SQLite prepares one by one. */
  readonly many: boolean;
}

/** Matches quoted texts, quoted names, comments, placeholders and semicolons; everything else is skipped. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\d+)|;/g;

export function prepareText(sql: string): PreparedText {
  let lastStatement = 0;
  let semicolons = 0;
  const text = sql.replace(TOKEN, (token, index: string | undefined, offset: number) => {
    if (token === ";") {
      semicolons++;
      lastStatement = offset + 1;
    }
    return index === undefined ? token : `?${index}`;
  });
  return {
    sql: text,
    many: semicolons > 1 || (semicolons === 1 && !isBlank(sql.slice(lastStatement))),
  };
}

function isBlank(text: string): boolean {
  return text.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, "").trim() === "";
}
