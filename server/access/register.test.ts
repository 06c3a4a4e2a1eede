import { createHash } from "node:crypto";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { registerAccess, type AccessDeps } from "./register.ts";

test("HOST-12 of requests at the same time 20 wrong secrets are compared as well", async () => {
  const hash = (secret: string): string => createHash("sha256").update(secret).digest("hex");
  const value = JSON.stringify({ version: "v", host: hash("right"), draw: hash("draw") });
  let waiting = 0;
  let release = (): void => {};
  const all = new Promise<void>((resolve) => (release = resolve));
  const query = async () => {
    if (++waiting === 31) release();
    await all;
    return { rows: [{ value }], rowCount: 1 };
  };
  const app = Fastify();
  registerAccess(app, {
    access: { links: { version: "v" }, key: "", refresh: async () => {} },
    keys: { sign: async () => "token" },
    database: { query },
    settings: { trustProxy: 0 },
    clock: () => 0,
  } as unknown as AccessDeps);
  const secrets = [...Array.from({ length: 30 }, (_, n) => `wrong ${n}`), "right"];
  const answers = await Promise.all(
    secrets.map((secret) =>
      app.inject({ method: "POST", url: "/host/v1/token", payload: { secret } }),
    ),
  );
  const statuses = answers.map(({ statusCode }) => statusCode);
  expect(statuses).toEqual(secrets.map((_, n) => (n < 20 ? 401 : 429)));
  await app.close();
});
