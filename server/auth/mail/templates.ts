/** The templates of the mails: the built-in ones, or the operator's from a file or a URL. A template may use `{{ .Name }}`, no other part of Go's template language. */

import { readFile } from "node:fs/promises";
import type { AuthSettings } from "../settings/settings.ts";

export const MAIL_KINDS = [
  "confirmation",
  "recovery",
  "magic_link",
  "invite",
  "email_change",
  "reauthentication",
] as const;

export type MailKind = (typeof MAIL_KINDS)[number];

/** The values that a template may use, as {{ .Name }}. */
export interface TemplateValues {
  readonly SiteURL: string;
  readonly ConfirmationURL: string;
  readonly Email: string;
  readonly NewEmail: string;
  readonly Token: string;
  readonly TokenHash: string;
  readonly RedirectTo: string;
  /** The user's own data: {{ .Data.name }}. */
  readonly Data: Readonly<Record<string, unknown>>;
}

const LINK = '<p><a href="{{ .ConfirmationURL }}">';
const CODE = "</a></p>\n<p>Or enter this code: <strong>{{ .Token }}</strong></p>";

const DEFAULTS: Readonly<Record<MailKind, string>> = {
  confirmation: `<h2>Confirm your email address</h2>\n${LINK}Confirm your address${CODE}`,
  recovery: `<h2>Reset your password</h2>\n${LINK}Choose a new password${CODE}`,
  magic_link: `<h2>Sign in</h2>\n${LINK}Sign in${CODE}`,
  invite: `<h2>You have been invited</h2>\n<p>You have been invited to {{ .SiteURL }}.</p>\n${LINK}Accept the invitation${CODE}`,
  email_change: `<h2>Confirm the change of your email address</h2>\n<p>From {{ .Email }} to {{ .NewEmail }}.</p>\n${LINK}Confirm the change${CODE}`,
  reauthentication:
    "<h2>Confirm that it is you</h2>\n<p>Enter this code: <strong>{{ .Token }}</strong></p>",
};

const FIELD = /\{\{-?\s*\.(\w+)((?:\.\w+)*)\s*-?\}\}/g;
const NAMES = [
  "SiteURL",
  "ConfirmationURL",
  "Email",
  "NewEmail",
  "Token",
  "TokenHash",
  "RedirectTo",
  "Data",
];

/** Describes the first part of a template that cannot be filled in; undefined for a good template. */
export function templateProblem(template: string): string | undefined {
  for (const action of template.match(/\{\{.*?\}\}/gs) ?? []) {
    const match = new RegExp(`^${FIELD.source}$`).exec(action);
    if (match === null) return `${action.slice(0, 60)} is more than a name such as {{ .Token }}`;
    if (!NAMES.includes(match[1] ?? "")) return `${action.slice(0, 60)} names nothing`;
  }
  return undefined;
}

/** Matches the text before a value that is in the query or the fragment of a link. */
const IN_QUERY = /\shref\s*=\s*(?:"[^"]*[?#][^"]*|'[^']*[?#][^']*)$/i;

/**
 * Fills in a template. Values are escaped for HTML, and in the query of a link percent-encoded before, as Go's
 * html/template does.
 */
export function fillTemplate(template: string, values: TemplateValues): string {
  return template.replace(FIELD, (_all, name: string, path: string, at: number) => {
    let value: unknown = Object.hasOwn(values, name) ? values[name as keyof TemplateValues] : "";
    for (const key of path.split(".").slice(1))
      value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : "";
    if (!["string", "number", "boolean"].includes(typeof value)) return "";
    const text = `${value as string}`;
    if (!IN_QUERY.test(template.slice(0, at))) return escapeHtml(text);
    // A person's own data may contain half of a surrogate pair, which encodeURIComponent refuses.
    return escapeHtml(encodeURIComponent(Buffer.from(text).toString()));
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Escapes a text for HTML, attributes in double quotes included. */
export function escapeHtml(text: string): string {
  const names: Readonly<Record<string, string>> = {
    "&": "amp",
    "<": "lt",
    ">": "gt",
    '"': "quot",
    "'": "#39",
  };
  return text.replace(/[&<>"']/g, (char) => `&${names[char] ?? ""};`);
}

/** Returns the plain text of a mail's HTML, for mail programs that show no HTML. */
export function plainText(html: string): string {
  return html
    .replace(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs, "$2: $1")
    .replace(/<[^>]+>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();
}

export interface Templates {
  /** Returns the operator's template, or the built-in one when there is none or it cannot be fetched. */
  get(kind: MailKind): Promise<string>;
}

type KindKey =
  | "CONFIRMATION"
  | "RECOVERY"
  | "MAGIC_LINK"
  | "INVITE"
  | "EMAIL_CHANGE"
  | "REAUTHENTICATION";

/** Returns the part of a setting's name that stands for a kind of mail. */
export function kindKey(kind: MailKind): KindKey {
  return kind.toUpperCase() as KindKey;
}

/** The templates that are files. */
export type TemplateFiles = ReadonlyMap<MailKind, string>;

/** Reads the templates that are files. @returns The templates, and one line for each faulty file. */
export async function readTemplateFiles(
  settings: AuthSettings,
): Promise<{ readonly templates: TemplateFiles; readonly problems: readonly string[] }> {
  const templates = new Map<MailKind, string>();
  const problems: string[] = [];
  for (const kind of MAIL_KINDS) {
    const name = `GOTRUE_MAILER_TEMPLATES_${kindKey(kind)}` as const;
    const source = settings[name];
    if (source === null || /^https?:/.test(source)) continue;
    try {
      const own = await readFile(source, "utf8");
      const problem = templateProblem(own);
      if (problem === undefined) templates.set(kind, own);
      else
        problems.push(
          `${name}: ${problem}; expected HTML with names such as {{ .ConfirmationURL }}`,
        );
    } catch {
      problems.push(
        `${name} ${JSON.stringify(source)} cannot be read; expected a file or an http address`,
      );
    }
  }
  return { templates, problems };
}

/** Returns the templates. Those with a URL are fetched with the first mail. */
export function createTemplates(
  settings: AuthSettings,
  files: TemplateFiles,
  warn: (message: string) => void,
): Templates {
  const fetched = new Map<MailKind, Promise<string>>();
  return {
    async get(kind) {
      const file = files.get(kind);
      if (file !== undefined) return file;
      const source = settings[`GOTRUE_MAILER_TEMPLATES_${kindKey(kind)}`];
      if (source === null) return DEFAULTS[kind];
      const known = fetched.get(kind) ?? fetchTemplate(source);
      fetched.set(kind, known);
      return known.catch(() => {
        fetched.delete(kind);
        warn(`the template of the ${kind} mail could not be fetched: the built-in one is used`);
        return DEFAULTS[kind];
      });
    },
  };
}

async function fetchTemplate(address: string): Promise<string> {
  const response = await fetch(address, { signal: AbortSignal.timeout(5_000) });
  const own = response.ok ? await response.text() : "";
  if (own === "" || templateProblem(own) !== undefined) throw new Error("no usable template");
  return own;
}
