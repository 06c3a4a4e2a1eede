/** The files that people start the product with name what there is: settings, paths, probes. */

import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SETTING_NAMES } from "./settings.ts";

const root = new URL("../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const known = (name: string): boolean =>
  (SETTING_NAMES as readonly string[]).includes(name) || name === "NODE_ENV";

test("SRV-1 Dockerfile, compose file and systemd unit set settings that there are", () => {
  const names = [
    ...read("Dockerfile").matchAll(/^ENV (.+)$/gm),
    ...read("docs/examples/inkpool.service").matchAll(/^Environment=(.+)$/gm),
  ].flatMap(([, line = ""]) => line.split(" ").map((one) => one.split("=")[0] ?? ""));
  const compose = /environment:\n((?: {4}\w+: .+\n)+)/.exec(read("docs/examples/compose.yaml"));
  names.push(...[...(compose?.[1] ?? "").matchAll(/^ {4}(\w+):/gm)].map(([, name = ""]) => name));
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !known(name))).toEqual([]);
});

test("SRV-1 the image and the package have every file that the server reads at run time", () => {
  const copied = [
    ...read("Dockerfile").matchAll(/^COPY (?:--from=\w+ )?(?:\/\w+\/)?(\S+) \.\//gm),
  ].map(([, path = ""]) => path);
  const { files } = JSON.parse(read("package.json")) as { files: string[] };
  for (const path of ["bin", "dist/server", "dist/web", "supabase/migrations"]) {
    expect(copied).toContain(path);
    expect(files).toContain(`${path}/`);
  }
  for (const path of copied.filter((one) => !/^(?:dist|node_modules|\.$)/.test(one)))
    expect([path, existsSync(new URL(path, root))]).toEqual([path, true]);
  expect(read("Dockerfile")).toContain('"bin/inkpool.mjs"]');
  expect(read("Dockerfile")).toMatch(/^USER node$/m);
});

test("SRV-4 the balancers ask the probe that does not follow the database", () => {
  for (const path of ["docs/examples/haproxy.cfg", "docs/examples/compose-haproxy.cfg"])
    expect(read(path)).toContain("option httpchk GET /readyz?for=traffic\n");
});
