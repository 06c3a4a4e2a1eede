/** Reverse proxies before a server: nginx and HAProxy, which serve it below a path that they strip or leave. */

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "./free-port.ts";

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

/**
 * Starts a proxy.
 * @throws Error with the program's output, when it ends before it listens
 */
export async function startProxy(program: ProxyProgram, options: ProxyOptions): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), "inkpool-proxy-"));
  const port = await freePort();
  const file = join(folder, "proxy.conf");
  writeFileSync(file, CONFIGURATIONS[program](folder, port, options));
  mkdirSync(join(folder, "temporary"));
  const args = program === "nginx" ? ["-p", folder, "-c", file] : ["-f", file];
  const child = spawn(program, args, { env: withSbin(), stdio: ["ignore", "ignore", "pipe"] });
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

const CONFIGURATIONS = {
  nginx: (folder: string, port: number, { to, path, strips }: ProxyOptions): string => `
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
      server {
        listen 127.0.0.1:${port};
        ${readmeLocation()
          .replace("location / {", () => `location ${path} {${rewrite(path, strips)}`)
          .replace("127.0.0.1:8080", `127.0.0.1:${to}`)}
      }
    }`,
  haproxy: (_folder: string, port: number, { to, path, strips }: ProxyOptions): string => `
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
  timeout tunnel 30s
frontend board
  bind 127.0.0.1:${port}
  http-request deny deny_status 404 unless { path -m beg ${path} }
  ${strips ? `http-request replace-path ^${path}/?(.*)$ /\\1` : ""}
  default_backend server
backend server
  server one 127.0.0.1:${to}
`,
} as const;

/** Returns the location that README shows for nginx. */
function readmeLocation(): string {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const [location] = /^location \/ \{\n[^}]*\n\}$/m.exec(readme) ?? [];
  if (location === undefined) throw new Error("README shows no location of nginx");
  return location;
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
