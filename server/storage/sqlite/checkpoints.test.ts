/** Tests the write-ahead log while reads follow each other without a pause, and on a disk that is full. */

import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import Driver from "libsql";
import { expect, onTestFinished, test, vi } from "vitest";
import { canMount, fillDisk, mountDisk, noMount } from "../../../testing/servers/disk.ts";
import { DatabaseUnavailable } from "../faults.ts";
import type { Database, Queryable } from "../port.ts";
import { openSqlite } from "./open.ts";

const MB = 1024 * 1024;
/** A statement that reads a table, and takes longer than a write. */
const READ = `with recursive n(x) as (select 1 union all select x + 1 from n limit 200000)
  select count(*), (select count(*) from notes) from n`;
const ENDLESS =
  "with recursive n(x) as (select 1 union all select x + 1 from n) select count(*), (select count(*) from notes) from n";

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "inkpool-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a database with one note of 2 MB. */
async function open(folder: string): Promise<Database> {
  const database = await openSqlite(join(folder, "notes.db"));
  onTestFinished(() => database.close());
  await database.query("create table notes (body blob)");
  await database.query("insert into notes values (randomblob($1))", [2 * MB]);
  return database;
}

const logBytes = (folder: string): number =>
  statSync(join(folder, "notes.db-wal"), { throwIfNoEntry: false })?.size ?? 0;

/**
 * Keeps two reads in progress at each reader, until the returned function is called, which resolves to the number of
 * answered ones.
 */
function readWithoutPause(...readers: readonly Queryable[]): () => Promise<number> {
  let isOver = false;
  let count = 0;
  const loops = [...readers, ...readers].map(async (reader) => {
    while (!isOver)
      await reader.query(READ).then(
        () => count++,
        // On a busy machine it may take so long that it gives way.
        () => {},
      );
  });
  onTestFinished(() => void (isOver = true));
  return async () => {
    isOver = true;
    await Promise.all(loops);
    return count;
  };
}

const replaceNote = (database: Database): Promise<unknown> =>
  database.query("update notes set body = randomblob($1)", [2 * MB]);

test("STO-22 reads that follow each other without a pause do not let the log grow", async () => {
  const folder = temporary();
  const database = await open(folder);
  const stop = readWithoutPause(database.reads, database.longReads);
  let greatest = 0;
  // More than the log may have.
  for (let n = 0; n < 32; n++) {
    await replaceNote(database);
    greatest = Math.max(greatest, logBytes(folder));
    expect(database.logBytes?.()).toBe(logBytes(folder));
  }
  expect(await stop()).toBeGreaterThan(2);
  // A checkpoint is due at 24 MB, and writes wait for it at 48.
  expect(greatest).toBeGreaterThan(24 * MB);
  expect(greatest).toBeLessThan(56 * MB);
});

test("STO-22 writes go on while a checkpoint waits for a long read, and wait for it themselves at 48 MB", async () => {
  const folder = temporary();
  const database = await open(folder);
  let greatest = 0;
  // The number of writes beside a read depends on the machine: the next one takes twice as long.
  for (let size = 6_000_000; greatest < 24 * MB && size < 100_000_000; size *= 2) {
    // SQLite ends no read within the match of a pattern.
    const pattern = `select randomblob(1) like '%y', hex(zeroblob(${size})) like '%${"0".repeat(45)}y' as found from notes`;
    const long = database.longReads.query(pattern);
    let isOver = false;
    void long.finally(() => (isOver = true)).catch(() => {});
    while (!isOver) {
      await replaceNote(database);
      greatest = Math.max(greatest, logBytes(folder));
    }
  }
  expect(greatest).toBeGreaterThan(24 * MB);
  expect(greatest).toBeLessThan(56 * MB);
  expect((await database.longReads.query("select count(*) as n from notes")).rows).toEqual([
    { n: 1 },
  ]);
});

test("STO-22 a read that takes longer than a second gives way to a checkpoint, and the next one runs", async () => {
  const folder = temporary();
  const database = await open(folder);
  for (const reader of [database.reads, database.longReads]) {
    const endless = reader.query(ENDLESS);
    const refused = expect(endless).rejects.toEqual(
      new DatabaseUnavailable("The read ended for a checkpoint", { code: "GAVE_WAY" }),
    );
    for (let n = 0; n < 20; n++) await replaceNote(database);
    await refused;
    expect((await reader.query("select count(*) as n from notes")).rows).toEqual([{ n: 1 }]);
  }
});

test.skipIf(!canMount)(
  `STO-22 a full disk delays writes and ends nothing${noMount}`,
  async () => {
    const folder = mountDisk(100 * MB);
    const database = await open(folder);
    const stop = readWithoutPause(database.reads, database.longReads);
    // This is more than the disk has.
    for (let n = 0; n < 55; n++) await replaceNote(database);
    // From 24 MB on a checkpoint would be due without a full disk as well.
    while (logBytes(folder) > 20 * MB) await replaceNote(database);
    const free = fillDisk(folder);
    const insert = (): Promise<unknown> =>
      database.query("insert into notes values (randomblob($1))", [30 * MB]);
    for (let n = 0; n < 3; n++)
      await expect(insert()).rejects.toMatchObject({
        name: "DatabaseUnavailable",
        code: "SQLITE_FULL",
      });
    expect(logBytes(folder)).toBeLessThan(24 * MB);
    // The log's own file has space for smaller ones. At its end a checkpoint lets it start again, each time.
    const replaced = (): Promise<boolean> =>
      replaceNote(database).then(
        () => true,
        () => false,
      );
    for (let n = 0; n < 12; n++) await expect.poll(replaced, { timeout: 60_000 }).toBe(true);
    free();
    await insert();
    expect((await database.reads.query("select count(*) as n from notes")).rows).toEqual([
      { n: 2 },
    ]);
    await stop();
  },
  120_000,
);

test("STO-22 what a killed process left in the log is in the database's file before anybody reads", async () => {
  const [folder, killed] = [temporary(), temporary()];
  const path = join(killed, "notes.db");
  const writer = new Driver(path);
  writer.exec("pragma journal_mode = wal");
  writer.exec("create table notes (body text); insert into notes values ('saved')");
  // Its files are as a kill leaves them.
  for (const name of ["notes.db", "notes.db-wal"])
    copyFileSync(join(killed, name), join(folder, name));
  writer.close();
  const database = await openSqlite(join(folder, "notes.db"));
  onTestFinished(() => database.close());
  copyFileSync(join(folder, "notes.db"), path);
  const file = new Driver(path);
  expect(file.prepare("select body from notes").all([])).toEqual([{ body: "saved" }]);
  file.close();
});

/** A statement that cannot be interrupted, for about a quarter of a second. */
const PATTERN = "select count(*) from notes where hex(zeroblob(6000)) like '%0%0%1'";

test("STO-22 a database that was closed is one file: the thread that writes ends after one that still reads", async () => {
  const [begun, ended] = [new Set<Worker>(), new Array<Worker>()];
  // oxlint-disable-next-line typescript/unbound-method -- they are called with the worker
  const { on, terminate } = Worker.prototype;
  vi.spyOn(Worker.prototype, "on").mockImplementation(function (this: Worker, ...given) {
    begun.add(this);
    return on.apply(this, given);
  });
  vi.spyOn(Worker.prototype, "terminate").mockImplementation(function (this: Worker) {
    ended.push(this);
    return terminate.call(this);
  });
  const folder = temporary();
  const database = await open(folder);
  const read = database.reads.query(PATTERN).catch(() => "ended");
  await database.close();
  await read;
  expect(ended).toHaveLength(3);
  // The thread that writes was the first to begin. One that has ended by itself has no number any more.
  expect(ended.indexOf([...begun][0]!)).toBe(2);
  expect(readdirSync(folder)).toEqual(["notes.db"]);
});
