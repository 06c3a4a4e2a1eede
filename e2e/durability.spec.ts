import { expect, test } from "./fixtures.ts";
import { openPresences } from "./hostile/attacker.ts";
import { knowEachOther, Person, switchTabs } from "./person.ts";
import { startBrowser } from "./profile.ts";
import { holdSaves, watchTraffic, writesOf, type Traffic } from "./traffic.ts";
import { noteSaving } from "./ui/controls.ts";

const OFFLINE = [
  /the canvas's menu could not be loaded/,
  /Failed to load resource/,
  /WebSocket/,
  /not (?:saved|loaded)/i,
  /status of 5\d\d/,
];

/** Waits until the page is on the device: no script of its service worker is being fetched when the network fails. */
async function storedOnDevice(...people: readonly Person[]): Promise<void> {
  for (const { page } of people)
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
}

/** Counts the entries of the journal; runs in the page. */
function countJournal(): Promise<number> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("inkpool");
    opening.onerror = reject;
    opening.onsuccess = () => {
      const { result: database } = opening;
      const counting = database.transaction("changes").objectStore("changes").count();
      counting.onerror = reject;
      counting.onsuccess = () => {
        database.close();
        resolve(counting.result);
      };
    };
  });
}

// This is as for users: the page stores itself on the device meanwhile.
test.use({ serverEnv: { OFFLINE: "on" }, ownServer: true });
test.describe.configure({ mode: "default" });

test("TAB-20 a save that was acknowledged survives kill -9 of the server", async ({
  product,
  visit,
}) => {
  const a = await visit();
  a.allow(...OFFLINE);
  // A commit that follows its answer would otherwise have time until the kill.
  await storedOnDevice(a);
  await a.color("Green");
  await a.stroke([200, 200], [400, 200]);
  await switchTabs(a);
  await expect(a.saving).toHaveText("Saved");
  await product.kill();
  await a.page.close();
  await product.start();
  const [stroke, ...rest] = (await product.row())?.canvas_json.objects ?? [];
  expect(stroke).toMatchObject({ type: "Path", stroke: "#2ecc71", left: 198.5, top: 198.5 });
  expect(rest).toEqual([]);
});

test("SAV-7 on a device whose storage is full the page draws and saves, and says so once", async ({
  product,
  visit,
}) => {
  /** Fills the local storage, so that it accepts no further character; runs in the page. */
  const fillLocalStorage = (): void => {
    for (let size = 2 ** 22; size >= 1; size /= 2)
      try {
        localStorage.setItem(`x${size}`, "x".repeat(size));
      } catch {
        // A smaller one may fit.
      }
  };
  const lines: string[] = [];
  const a = await visit({
    prepare: async (page) => {
      page.on("console", (line) => {
        if (/cannot be kept/.test(line.text())) lines.push(line.text());
      });
      await page.addInitScript(fillLocalStorage);
      const session = await page.context().newCDPSession(page);
      await session.send("Storage.overrideQuotaForOrigin", { origin: product.url, quotaSize: 1 });
    },
  });
  a.allow(/cannot be kept/);
  for (const y of [100, 130, 160]) {
    await a.stroke([200, y], [400, y]);
    await switchTabs(a);
    await expect(a.saving).toHaveText("Saved");
  }
  const said = expect.stringMatching(/^Unsaved changes cannot be kept on this device: ./);
  await expect.poll(() => lines).toEqual([said]);
  expect((await product.row())?.canvas_json.objects).toHaveLength(3);
  await a.page.reload();
  await a.ready();
  await expect.poll(() => a.colorAt([300, 130])).toBe("#000000");
});

test("SAV-4 a server that dies in the middle of a save costs nothing", async ({
  product,
  visit,
}) => {
  const a = await visit();
  a.allow(...OFFLINE);
  await storedOnDevice(a);
  let killed: Promise<void> | undefined;
  a.page.on("request", (request) => {
    if (["POST", "PATCH"].includes(request.method())) killed ??= product.kill();
  });
  await a.stroke([200, 200], [400, 200]);
  await expect.poll(() => killed !== undefined).toBe(true);
  await killed;
  await a.stroke([200, 300], [400, 300]);
  await product.start();
  await expect
    .poll(async () => (await product.row())?.canvas_json.objects.length, { timeout: 60_000 })
    .toBe(2);
  await expect(a.saving).toHaveText("Saved");
});

test("SYN-3 a page that was cut off, one that the browser kept and shows again, and every page after a restart of the server reconnect by themselves and go on sharing", async ({
  product,
  visit,
}) => {
  const [a, b] = [await visit(), await visit()];
  for (const person of [a, b]) person.allow(...OFFLINE);
  await storedOnDevice(a, b);
  await knowEachOther(a, b);
  await b.context.setOffline(true);
  await b.stroke([200, 400], [400, 400]);
  await expect(b.saving).toHaveText("Offline: kept on this device");
  await a.stroke([200, 450], [400, 450]);
  await switchTabs(a);
  await expect(a.saving).toHaveText("Saved");
  expect(await b.colorAt([300, 450])).toBe("#ffffff");
  await b.context.setOffline(false);
  for (const [person, y] of [
    [a, 400],
    [b, 450],
  ] as const)
    await expect.poll(() => person.colorAt([300, y]), { timeout: 40_000 }).toBe("#000000");
  await expect(b.saving).toHaveText("Saved", { timeout: 40_000 });
  expect((await product.row())?.canvas_json.objects).toHaveLength(2);

  // No browser without a window keeps pages: here the new connection begins before the end of the old one, too.
  const again = a.page.waitForEvent("websocket");
  await a.page.evaluate(() => {
    for (const name of ["pagehide", "pageshow"])
      dispatchEvent(new PageTransitionEvent(name, { persisted: true }));
  });
  const isJoined = ({ payload }: { payload: string | Buffer }): boolean =>
    /"realtime:[^"]*","phx_reply",\{"status":"ok"/.test(String(payload));
  await (await again).waitForEvent("framereceived", isJoined);
  await b.stroke([200, 100], [400, 100]);
  await expect.poll(() => a.colorAt([300, 100])).toBe("#000000");
  expect(a.problems).toEqual([]);
  await a.stroke([200, 150], [400, 150]);
  await expect.poll(() => b.colorAt([300, 150])).toBe("#000000");

  expect(await product.stop()).toBe(0);
  await a.stroke([200, 200], [400, 200]);
  await b.stroke([200, 300], [400, 300]);
  for (const person of [a, b])
    await expect(person.saving).toHaveText("Offline: kept on this device");
  await product.start();
  for (const person of [a, b]) {
    await expect(person.page.getByText("2 users online")).toBeVisible({ timeout: 40_000 });
    for (const y of [100, 150, 200, 300, 400, 450])
      await expect.poll(() => person.colorAt([300, y]), { timeout: 40_000 }).toBe("#000000");
    await expect(person.saving).toHaveText("Saved", { timeout: 40_000 });
  }
  expect((await product.row())?.canvas_json.objects).toHaveLength(6);
});

test("SAV-19 kill -9 of the browser right after a stroke is on the device: the next visit has it, and saves it", async ({
  product,
}) => {
  const first = await startBrowser();
  try {
    const page = await first.page();
    await holdSaves(page);
    const person = new Person(page.context(), page);
    await person.open(product.url);
    await person.color("Red");
    await person.stroke([200, 200], [400, 200]);
    await expect.poll(() => page.evaluate(countJournal)).toBe(1);
    await first.kill();
    expect(await product.row()).toBeNull();

    const second = await startBrowser(first.profile);
    const again = await second.page();
    const back = new Person(again.context(), again);
    await back.open(product.url);
    await expect.poll(() => back.colorAt([300, 200])).toBe("#ff0000");
    await expect
      .poll(async () => (await product.row())?.canvas_json.objects.length, { timeout: 30_000 })
      .toBe(1);
    await second.kill();
  } finally {
    await first.dispose();
  }
});

test("SAV-18 a tab closed before a stroke is saved: the row has the stroke, which a later visitor reads", async ({
  product,
  visit,
}) => {
  const a = await visit();
  await a.color("Pink");
  await a.stroke([200, 200], [400, 200]);
  await expect(a.saving).toHaveText("Saving soon");
  expect(await product.row()).toBeNull();
  await a.page.close();
  const pink = { type: "Path", stroke: "#ff69b4", left: 198.5, top: 198.5 };
  await expect.poll(async () => (await product.row())?.canvas_json.objects).toMatchObject([pink]);
});

test("UI-20 a page that was open once opens without a network, with the last drawing, and joins later", async ({
  product,
  visit,
}) => {
  const traffics: Traffic[] = [];
  const a = await visit({ prepare: (page) => void traffics.push(watchTraffic(page)) });
  const [traffic] = traffics as [Traffic];
  const notes = await noteSaving(a.page);
  await a.color("Green");
  await a.stroke([200, 200], [400, 200]);
  await switchTabs(a);
  await expect.poll(notes).toContain("polite: Saved");
  expect((await notes()).map((note) => note.replace(/^\w+: /, ""))).toEqual([
    "Saving soon",
    "Saving...",
    "Saved",
  ]);
  await a.page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
  a.allow(...OFFLINE, /ServiceWorker/);
  expect(await product.stop()).toBe(0);
  await a.context.setOffline(true);
  await a.page.reload();
  await a.ready();
  await expect(a.saving).toHaveText("Offline: kept on this device");
  await expect.poll(() => a.colorAt([300, 200])).toBe("#2ecc71");
  expect(await a.page.title()).toBe("Inkpool");
  await a.color("Red");
  await a.stroke([200, 300], [400, 300]);
  await a.page.getByRole("button", { name: "Menu" }).click();
  await a.page.getByRole("menuitem", { name: "Who drew what" }).click();
  await expect(a.page.getByRole("dialog", { name: "Who drew what" })).toBeVisible();
  await a.page.keyboard.press("Escape");
  // The save is due, and is not tried, so that nothing fails.
  const writes = [...writesOf(traffic)];
  await switchTabs(a);
  await expect(a.toast(/./)).toHaveCount(0);
  expect(writesOf(traffic)).toEqual(writes);

  await product.start();
  await a.context.setOffline(false);
  await expect(a.saving).toHaveText("Saved");
  await expect(a.toast(/./)).toHaveCount(0);
  expect((await product.row())?.canvas_json.objects).toMatchObject([
    { type: "Path", stroke: "#2ecc71", top: 198.5 },
    { type: "Path", stroke: "#ff0000", top: 298.5 },
  ]);
  const leave = await openPresences(product, 1);
  await expect(a.page.getByText("2 users online")).toBeVisible();
  await leave();
});
