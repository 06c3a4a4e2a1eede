/** Tests the effect of a start on the lock and the host link. */

import { createHash, createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { save } from "../../testing/servers/board-host.ts";

import { startServer } from "../../testing/servers/server.ts";

import { createLogger } from "../process/log.ts";
import { parseSettings } from "../settings/settings.ts";
import { openDatabase } from "../storage/setup/open.ts";
import { openAccess } from "./access.ts";
import { hostLinkLine } from "./host-link.ts";
import { DRAWING, SENTENCE } from "./host-channel.case.ts";

test("HOST-13 BOARD_LOCKED=1 starts a board locked", async () => {
  const server = await startServer({ env: { BOARD_LOCKED: "1" } });
  expect((await save(server, DRAWING)).json).toMatchObject({ code: "42501", message: SENTENCE });
  const { stdout } = await server.kill(true);
  expect(stdout).not.toContain("host link:");
  expect(stdout).toContain(
    "npm run host-link (inkpool host-link in the package) prints the host link\n",
  );
});

test("HOST-13 a host's decision stays until BOARD_LOCKED changes", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "inkpool-lock-"));
  const parsed = parseSettings({ DATA_DIR: dataDir }, "/");
  if (!parsed.ok) throw new Error(parsed.problems.join());
  const database = await openDatabase(
    parsed.settings,
    createLogger("error", () => {}, Date.now),
  );
  const env = { GOTRUE_JWT_SECRET: "x".repeat(40) };
  const start = async (lock: boolean): Promise<boolean> => {
    const access = await openAccess({ env, dataDir, database, lock });
    access.stop();
    return access.locked;
  };
  expect(await start(false)).toBe(false);
  await database.query("update canvas_settings set locked = true");
  expect(await start(false)).toBe(true);
  expect(await start(true)).toBe(true);
  await database.query("update canvas_settings set locked = false");
  expect(await start(true)).toBe(false);
  await database.query("update canvas_settings set locked = true");
  expect(await start(false)).toBe(false);
  expect(await start(true)).toBe(true);
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test("HOST-1 a start prints the host link on a terminal, and elsewhere, once, how to get it", () => {
  const secrets = { version: "v", host: "", draw: "" };
  const none = { links: secrets, key: "another key" };
  expect(hostLinkLine({ ...none, isFirst: true }, "http://a", true)).toBe(
    "npm run host-link (inkpool host-link in the package) prints the host link",
  );
  expect(hostLinkLine({ ...none, isFirst: false }, "http://a", false)).toBe(null);
  const host = createHmac("sha256", "key").update("inkpool host link v").digest("base64url");
  const links = { ...secrets, host: createHash("sha256").update(host).digest("hex") };
  const known = { links, key: "key", isFirst: true };
  expect(hostLinkLine(known, "http://a", true)).toBe(`host link: http://a/#host=${host}`);
  expect(hostLinkLine(known, "http://a", false)).not.toContain(host);
});
