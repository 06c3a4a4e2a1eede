/** Tests that the files with which people start the product name things that exist: settings, paths, probes. */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { LIMIT_TABLE } from "./realtime/settings/limits.ts";
import { EMBEDDED_LIVE_BUDGET, SETTINGS } from "./settings/table.ts";
import { SETTING_NAMES } from "./settings/settings.ts";

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

test("SRV-40 the image's health check asks the port that the server takes, also where PORT is blank", () => {
  const command = /HEALTHCHECK[^]*?CMD (\[.+\])$/m.exec(read("Dockerfile"))?.[1] ?? "[]";
  const [program, ...args] = JSON.parse(command) as string[];
  expect(program).toBe("node");
  const noted =
    "data:text/javascript,globalThis.fetch = async (url) => ({ ok: console.log(url) === undefined })";
  const asked = ["", " ", "9000"].map((PORT) => {
    const env = { ...process.env, PORT };
    return spawnSync(process.execPath, ["--import", noted, ...args], { env, encoding: "utf8" });
  });
  expect(asked.map(({ status, stdout }) => [status, stdout])).toEqual(
    [8080, 8080, 9000].map((port) => [0, `http://127.0.0.1:${port}/healthz\n`]),
  );
});

test("the package's command names the Node.js that it needs on one that is too old", () => {
  for (const version of ["18.20.8", "20.18.3", "21.7.3", "22.11.0"]) {
    const other = `Object.defineProperty(process.versions, "node", { value: "${version}" })`;
    const command = fileURLToPath(new URL("bin/inkpool.mjs", root));
    const args = ["--import", `data:text/javascript,${encodeURIComponent(other)}`, command, "none"];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect([status, stderr]).toEqual([
      1,
      `Inkpool needs Node.js 20.19, 22.12, 24 or newer; this is ${version}.\n`,
    ]);
  }
}, 30_000);

test("HIS-1 the image has the command, and PostgreSQL's programs of the compose file's server or newer", () => {
  const [image, compose] = [read("Dockerfile"), read("docs/examples/compose.yaml")];
  expect(image).toContain(" ln -s /app/bin/inkpool.mjs /usr/local/bin/inkpool\n");
  const programs: Readonly<Record<string, number>> = { bookworm: 15, trixie: 17 };
  const debian = /^FROM node:\d+-(\w+)-slim$/m.exec(image);
  const server = Number(/image: postgres:(\d+)/.exec(compose)?.[1]);
  expect(programs[debian?.[1] ?? ""]).toBeGreaterThanOrEqual(server);
});

test("SRV-40 the balancers ask the probe that does not follow the database", () => {
  for (const path of ["docs/examples/haproxy.cfg", "docs/examples/compose-haproxy.cfg"])
    expect(read(path)).toContain("option httpchk GET /readyz?for=traffic\n");
});

test("SRV-15 the balancers name the scheme of a visitor whose HTTPS ends at them", () => {
  for (const path of ["docs/examples/haproxy.cfg", "docs/examples/compose-haproxy.cfg"])
    expect(read(path)).toMatch(
      /^frontend .+\n(?: .*\n)*? {2}http-request set-header X-Forwarded-Proto https if \{ ssl_fc \}\n/m,
    );
});

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly selector: Readonly<Record<string, unknown>>;
    readonly ports: readonly { readonly name: string; readonly targetPort: string }[];
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly [Container];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
  };
}

interface Container {
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
  }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly [probe: `${string}Probe`]: { readonly httpGet: { path: string; port: string } };
}

test("SRV-1 the manifests for Kubernetes are YAML whose parts name each other, settings and probes that there are", () => {
  const documents = parseAllDocuments(read("docs/examples/kubernetes.yaml"));
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  const manifests = documents.map((document) => document.toJS() as Manifest);
  const kinds = ["Secret", "Deployment", "Service", "PodDisruptionBudget", "Ingress"];
  expect(manifests.map(({ kind }) => kind)).toEqual(kinds);
  const [secret, deployment, service, budget] = manifests as [
    Manifest,
    Manifest,
    Manifest,
    Manifest,
  ];
  const pod = deployment.spec.template;
  const [container] = pod.spec.containers;
  for (const { name, value, valueFrom } of container.env) {
    expect([name, known(name)]).toEqual([name, true]);
    if (value !== undefined) expect(typeof value).toBe("string");
    else expect(Object.keys(secret.stringData ?? {})).toContain(valueFrom?.secretKeyRef.key);
    expect(valueFrom?.secretKeyRef.name ?? "inkpool").toBe(secret.metadata.name);
  }
  const drain = Number(container.env.find(({ name }) => name === "DRAIN_SECONDS")?.value);
  expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drain + 5);
  const { labels } = pod.metadata;
  expect(deployment.spec.selector).toEqual({ matchLabels: labels });
  expect([service.spec.selector, budget.spec.selector]).toEqual([labels, { matchLabels: labels }]);
  expect(container.ports).toEqual([{ name: "http", containerPort: SETTINGS.PORT.fallback }]);
  expect(service.spec.ports.map(({ targetPort }) => targetPort)).toEqual(["http"]);
  expect(container.volumeMounts.map(({ name }) => name)).toEqual(
    pod.spec.volumes.map(({ name }) => name),
  );
  const probes = (["liveness", "readiness", "startup"] as const).map(
    (name) => container[`${name}Probe`]?.httpGet,
  );
  const paths = ["/healthz", "/readyz?for=traffic", "/readyz"];
  expect(probes).toEqual(paths.map((path) => ({ path, port: "http" })));
});

test("SRV-1 the compose file and the alert rules are YAML", () => {
  for (const path of ["docs/examples/compose.yaml", "docs/examples/alerts.yml"])
    expect(parseAllDocuments(read(path)).flatMap(({ errors }) => errors)).toEqual([]);
});

test("SRV-1 the operator's page names the default of every setting that it gives a number for", () => {
  const defaults: Readonly<Record<string, unknown>> = {
    ...Object.fromEntries(Object.entries(SETTINGS).map(([name, { fallback }]) => [name, fallback])),
    ...Object.fromEntries(
      Object.entries(LIMIT_TABLE).map(([name, { fallback }]) => [
        `REALTIME_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`,
        fallback,
      ]),
    ),
    LIVE_BUDGET: EMBEDDED_LIVE_BUDGET,
  };
  const page = read("docs/operations.md");
  const named = [
    ...page.matchAll(/`([A-Z_]+)` \(([\d,]+)/g),
    ...page.matchAll(/^\| `([A-Z_]+)` \| ([\d,]+)/gm),
  ].map(([, name = "", number = ""]) => [name, number.replaceAll(",", "")] as const);
  expect(named.length).toBeGreaterThan(20);
  for (const [name, number] of named)
    expect([name, number]).toEqual([name, String(defaults[name])]);
});
