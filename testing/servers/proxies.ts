/** Reverse proxies before servers: nginx and HAProxy, with the lines that the documents show. */

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../scripts/free-port.ts";
import { endWithProcess } from "../../scripts/process.mjs";

export type ProxyProgram = "nginx" | "haproxy";

export interface Proxy {
  readonly origin: string;
  stop(): Promise<void>;
}

export interface ProxyOptions {
  /** The server's port on this machine. */
  readonly to: number;
  /** The path, such as `/board`. */
  readonly path: string;
  /** Whether the server gets addresses without the path. */
  readonly strips: boolean;
}

/** Whether the machine has the program; Debian has both in folders where only root looks. */
export function hasProxy(program: ProxyProgram): boolean {
  return spawnSync(program, ["-v"], { env: withSbin() }).status === 0;
}

/** Starts a proxy before one server, which it serves below a path that it strips or leaves. */
export function startProxy(program: ProxyProgram, options: ProxyOptions): Promise<Proxy> {
  return startProgram(program, (port) => ONE_SERVER[program](port, options));
}

/** Starts a proxy before two servers with the lines that docs/operations.md shows for it. */
export function startBalancer(
  program: ProxyProgram,
  to: readonly [number, number],
): Promise<Proxy> {
  return startProgram(program, (port) =>
    TWO_SERVERS[program](port)
      .replace("127.0.0.1:8081", `127.0.0.1:${to[0]}`)
      .replace("127.0.0.1:8082", `127.0.0.1:${to[1]}`),
  );
}

/**
 * Starts the program.
 * @throws Error with the program's output, when it ends before it listens
 */
async function startProgram(
  program: ProxyProgram,
  configuration: (port: number) => string,
): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), "inkpool-proxy-"));
  const port = await freePort();
  const file = join(folder, "proxy.conf");
  writeFileSync(file, AROUND[program](folder, configuration(port)));
  mkdirSync(join(folder, "temporary"));
  const args = program === "nginx" ? ["-p", folder, "-c", file] : ["-f", file];
  const child = spawn(program, args, { env: withSbin(), stdio: ["ignore", "ignore", "pipe"] });
  endWithProcess(child);
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => void (said += chunk.toString()));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`);
    await pause(20);
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The lines around the configuration. */
const AROUND = {
  nginx: (folder: string, lines: string): string => `
    daemon off;
    master_process off;
    pid ${folder}/nginx.pid;
    error_log stderr;
    events {}
    http {
      access_log off;
      ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map((kind) => `${kind}_temp_path ${folder}/temporary/${kind};`)
        .join("\n")}
      ${lines}
    }`,
  haproxy: (_folder: string, lines: string): string => `
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
  timeout tunnel 30s
${lines}
`,
} as const;

const ONE_SERVER = {
  nginx: (port: number, { to, path, strips }: ProxyOptions): string => `
      server {
        listen 127.0.0.1:${port};
        ${readmeLocation()
          .replace("location / {", () => `location ${path} {${rewrite(path, strips)}`)
          .replace("127.0.0.1:8080", `127.0.0.1:${to}`)}
      }`,
  haproxy: (port: number, { to, path, strips }: ProxyOptions): string => `
frontend board
  bind 127.0.0.1:${port}
  http-request deny deny_status 404 unless { path -m beg ${path} }
  ${strips ? `http-request replace-path ^${path}/?(.*)$ /\\1` : ""}
  default_backend server
backend server
  server one 127.0.0.1:${to}`,
} as const;

const TWO_SERVERS = {
  nginx: (port: number): string => `
      ${shown("docs/operations.md", /^upstream inkpool \{\n[^}]*\n\}$/m)}
      server {
        listen 127.0.0.1:${port};
        ${shown("docs/operations.md", /^location \/assets\/ \{[^`]*/m)}
      }`,
  haproxy: (port: number): string => `
frontend board
  bind 127.0.0.1:${port}
  default_backend inkpool
${shown("docs/operations.md", /^backend inkpool\n[^`]*/m)}
${shown("docs/operations.md", /^  retries 2\n[^`]*/m)}`,
} as const;

/** Returns the location that README shows for nginx. */
function readmeLocation(): string {
  return shown("README.md", /^location \/ \{\n[^}]*\n\}$/m);
}

/** Returns the lines that a document shows. */
function shown(document: string, lines: RegExp): string {
  const text = readFileSync(new URL(`../../${document}`, import.meta.url), "utf8");
  const [found] = lines.exec(text) ?? [];
  if (found === undefined) throw new Error(`${document} shows no lines that match ${lines.source}`);
  return found;
}

function rewrite(path: string, strips: boolean): string {
  return strips ? ` rewrite ^${path}/?(.*)$ /$1 break;` : "";
}

function withSbin(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/usr/local/sbin` };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
