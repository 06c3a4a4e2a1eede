/** The server's log: one line of text for each event, on stderr; stdout carries only the ready line. */

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** The formats: text for people, or a JSON object on each line. */
export const LOG_FORMATS = ["text", "json"] as const;

export type LogFormat = (typeof LOG_FORMATS)[number];

/** The fields of a line: plain values only. Never put a token, a key, a password or a drawing here. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Logger {
  readonly debug: (message: string, fields?: LogFields) => void;
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
}

/** Makes a logger that writes lines such as `2026-11-21T00:08:09.291Z info database opened path=/data/inkpool.db`, or JSON. */
export function createLogger(
  level: LogLevel,
  write: (line: string) => void,
  clock: () => number,
  format: LogFormat = "text",
): Logger {
  const threshold = LOG_LEVELS.indexOf(level);
  const at =
    (own: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      if (LOG_LEVELS.indexOf(own) < threshold) return;
      const time = new Date(clock()).toISOString();
      write(
        format === "json"
          ? `${JSON.stringify({ ...fields, time, level: own, message })}\n`
          : `${time} ${own} ${oneLine(message)}${formatFields(fields)}\n`,
      );
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

function formatFields(fields: LogFields): string {
  let text = "";
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const plain = String(value);
    text += ` ${name}=${/^[\w./:@+-]+$/.test(plain) ? plain : JSON.stringify(plain)}`;
  }
  return text;
}

/** Returns a message on one line. It may quote a peer, whose line breaks and control characters must not forge log lines. */
function oneLine(message: string): string {
  return message.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
}
