/** Starts the auth API in this process, with a database of its own, a clock that tests move, and mails that they read. */

import { openAccess, respectLinks, type OpenAccess } from "../../server/access/access.ts";
import { openNewcomers, type OpenNewcomers } from "../../server/access/newcomers.ts";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import ws from "ws";
import { readAllSettings, type AllSettings } from "../../server/all-settings.ts";
import { createBackendApp } from "../../server/app.ts";
import { registerAuth } from "../../server/auth/register.ts";
import { openCluster } from "../../server/cluster/open.ts";
import type { ServerEnvironment } from "../../server/port.ts";
import { createDrain } from "../../server/process/drain.ts";
import { createHttp } from "../../server/http/create.ts";
import { openKeys } from "../../server/keys/open.ts";
import { createLogger } from "../../server/process/log.ts";
import { createMetrics } from "../../server/process/metrics.ts";
import type { Database, Queryable } from "../../server/storage/port.ts";
import { openDatabase } from "../../server/storage/setup/open.ts";
import { borrowDatabase } from "./databases.ts";

export type Env = Readonly<Record<string, string>>;

export interface TestMail {
  readonly to: string;
  readonly subject: string;
  /** The address of the first link, or "" when there is none. */
  readonly link: string;
  /** The first run of 6 to 10 digits that stands alone, or "". */
  readonly code: string;
  readonly html: string;
}

export interface ClientOptions {
  readonly ip?: string;
  readonly flowType?: "pkce" | "implicit";
  readonly key?: string;
}

export interface Call extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>;
}

export interface AuthServer {
  readonly url: string;
  readonly anonKey: string;
  readonly serviceKey: string;
  readonly database: Database;
  readonly dataDir: string;
  /** The lines of the log. */
  readonly log: readonly string[];
  /** The SQL of every statement that the server ran, transactions included. */
  readonly statements: readonly string[];
  readonly access: OpenAccess;
  /** Moves the server's clock on, in milliseconds. */
  readonly advance: (ms: number) => void;
  readonly now: () => number;
  /** Makes the real client, with an address of its own. */
  readonly client: (options?: ClientOptions) => SupabaseClient;
  /** Makes the real client with the service key. */
  readonly admin: () => SupabaseClient;
  /** Returns the mails and text messages so far, the newest first. */
  readonly mails: () => Promise<readonly TestMail[]>;
  /** Returns the newest mail to an address. Rejects with "no mail" when there is none. */
  readonly mailTo: (to: string) => Promise<TestMail>;
  /** Sends a request without the client. */
  readonly call: (path: string, init?: Call) => Promise<Response>;
  readonly close: () => Promise<void>;
}

const DEFAULTS: Env = {
  GOTRUE_SITE_URL: "http://localhost:3000",
  INKPOOL_DEV_MAILBOX: "true",
  GOTRUE_RATE_LIMIT_HEADER: "x-test-address",
  GOTRUE_SMTP_MAX_FREQUENCY: "1ms",
  GOTRUE_SMS_MAX_FREQUENCY: "1ms",
  GOTRUE_MFA_PHONE_MAX_FREQUENCY: "1ms",
  GOTRUE_RATE_LIMIT_EMAIL_SENT: "10000",
  GOTRUE_RATE_LIMIT_SMS_SENT: "10000",
};

export interface ServerOptions {
  /** Variables beside the defaults; an empty text removes a default. */
  readonly env?: Env;
  /** Whether the table API and the socket start as well. */
  readonly whole?: true;
  /** Whether the settings are those of `env` alone, and the database is in the server's own folder. */
  readonly plain?: true;
  /** Whether the clock moves only when a test moves it, so that limits do not refill during the test. */
  readonly still?: true;
  /** Whether the clock moves on by a millisecond with each reading, so that no two times are the same by chance. */
  readonly ticking?: true;
  /** Another server whose database this one shares, as a second process would. */
  readonly beside?: AuthServer;
}

/** The least cost of a password's hash that bcrypt allows. */
const QUICK = 4;

let addresses = 0;

/** Returns a loopback address that no client had before. */
export function freshAddress(): string {
  addresses++;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/**
 * Starts a server.
 * @throws Error with the problems of the settings, as the server's start does
 */
export async function startAuthServer(options: ServerOptions = {}): Promise<AuthServer> {
  const { beside } = options;
  const dataDir = beside?.dataDir ?? mkdtempSync(join(tmpdir(), "inkpool-auth-"));
  let offset = 0;
  const started = Date.now();
  const clock = (): number =>
    (options.still ? started : Date.now()) + (options.ticking ? offset++ : offset);
  const lines: string[] = [];
  const statements: string[] = [];
  const log = createLogger("debug", (line) => lines.push(line), clock);
  const env = { ...(options.plain ? {} : DEFAULTS), ...options.env, DATA_DIR: dataDir };
  const read = await readAllSettings(env, dataDir);
  if (!read.ok) throw new Error(read.problems.join("\n"));
  const deps = await openDeps(read.all, { ...options, log, clock, statements });
  const { settings, keys, access, newcomers, database, cluster } = deps;
  const app = options.whole
    ? await createBackendApp(deps, read.all)
    : createHttp(settings, log, createMetrics());
  const close = async (): Promise<void> => {
    const closed = app.close();
    // A connection whose response the client receives before the server notices would be kept for a minute.
    app.server.closeAllConnections();
    await closed;
    newcomers?.stop();
    access.stop();
    await cluster.close();
    if (beside !== undefined) return;
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    if (!options.whole) await registerAuth(app, deps, read.all.auth);
    await app.listen({ host: "127.0.0.1", port: 0 });
  } catch (error) {
    await close();
    throw error;
  }
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return {
    ...createCallers(url, keys.anonKey, keys.serviceKey),
    url,
    anonKey: keys.anonKey,
    serviceKey: keys.serviceKey,
    database,
    dataDir,
    log: lines,
    statements,
    access,
    advance: (ms) => void (offset += ms),
    now: clock,
    close,
  };
}

async function openDeps(
  { settings, material }: AllSettings,
  options: Pick<ServerEnvironment, "log" | "clock"> &
    Pick<ServerOptions, "beside" | "plain"> & { readonly statements: string[] },
): Promise<
  ServerEnvironment & { readonly access: OpenAccess; readonly newcomers: OpenNewcomers | null }
> {
  const { log, clock, beside, statements } = options;
  const { dataDir } = settings;
  const own = options.plain === true || settings.databaseUrl !== null;
  const open = own ? openDatabase : borrowDatabase;
  const opened = beside?.database ?? (await open(settings, log));
  const database = recorded(opened, statements);
  const ring = await openKeys({ dataDir, material, database, clock });
  const access = await openAccess({ env: settings.env, dataDir, database: opened, lock: false });
  const limits = settings.newcomerLimits;
  const newcomers = await openNewcomers({ limits, database, access, clock });
  const keys = respectLinks(ring, access);
  const cluster = await openCluster(settings, log, async () => "test");
  const given = { settings, keys, access, database, cluster, log, clock, drain: createDrain() };
  return { ...given, newcomers, passwordCost: QUICK };
}

/** Returns a database that notes the SQL of every statement. */
function recorded(database: Database, statements: string[]): Database {
  const record = (db: Queryable): Queryable => ({
    query(sql, values) {
      statements.push(sql);
      return db.query(sql, values);
    },
  });
  return {
    dialect: database.dialect,
    rowChanges: database.rowChanges,
    query: record(database).query,
    reads: record(database.reads),
    longReads: record(database.longReads),
    transaction: (work, actor) => database.transaction((tx) => work(record(tx)), actor),
    migration: (work) => database.migration(work),
    close: () => database.close(),
  };
}

/** Makes the functions by which tests call the server. */
function createCallers(
  url: string,
  anonKey: string,
  serviceKey: string,
): Pick<AuthServer, "client" | "admin" | "call" | "mails" | "mailTo"> {
  const client = (options: ClientOptions = {}): SupabaseClient =>
    createClient(url, options.key ?? anonKey, {
      auth: {
        autoRefreshToken: false,
        detectSessionInUrl: false,
        flowType: options.flowType ?? "implicit",
        storageKey: `test-${freshAddress()}`,
        experimental: { passkey: true },
      },
      global: { headers: { "x-test-address": options.ip ?? freshAddress() } },
      realtime: { transport: ws as never },
    });
  const mails = async (): Promise<readonly TestMail[]> => {
    await delivered();
    const page = await fetch(`${url}/auth/v1/dev/mailbox`, {
      headers: { "x-test-address": "127.0.0.1" },
    });
    return readMailbox(await page.text());
  };
  return {
    client,
    admin: () => client({ key: serviceKey }),
    call: (path, init = {}) =>
      fetch(`${url}/auth/v1${path}`, {
        ...init,
        redirect: "manual",
        headers: { apikey: anonKey, "x-test-address": freshAddress(), ...init.headers },
      }),
    mails,
    async mailTo(to) {
      const found = (await mails()).find((mail) => mail.to === to);
      if (found === undefined) throw new Error(`no mail to ${to}`);
      return found;
    },
  };
}

/** Resolves when deliveries have started, in the next pass of the event loop and a few more. */
async function delivered(): Promise<void> {
  for (let tick = 0; tick < 4; tick++) await new Promise((resolve) => setImmediate(resolve));
}

function readMailbox(page: string): readonly TestMail[] {
  return [
    ...page.matchAll(/<article><header><b>(.*?)<\/b> to (.*?) at .*?<\/header>(.*?)<\/article>/gs),
  ].map(([, subject = "", to = "", html = ""]) => ({
    to,
    subject,
    html,
    link: (/href="([^"]+)"/.exec(html)?.[1] ?? "").replaceAll("&amp;", "&"),
    code: /(?<![\w%=])(\d{6,10})(?!\w)/.exec(html.replace(/href="[^"]*"/g, ""))?.[1] ?? "",
  }));
}
