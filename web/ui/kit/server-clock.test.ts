import { expect, test } from "vitest";
import { clockAhead } from "./server-clock.ts";
import { versionAge } from "./version-labels.ts";

const YEAR = 365 * 24 * 60 * 60 * 1000;
const dated = (date?: string) => async () =>
  new Response(null, { headers: date === undefined ? {} : { date } });

test("UI-175 ages of versions go by the server's clock, whatever the device's says, and by the device's where the server says nothing", async () => {
  const served = Date.now() - YEAR;
  const ahead = await clockAhead(dated(new Date(served).toUTCString()));
  expect(Math.abs(ahead - YEAR)).toBeLessThan(60_000);
  const savedAt = new Date(served - 3 * 60 * 60 * 1000).toISOString();
  expect(versionAge(savedAt, Date.now() - ahead + 60_000)).toBe("3 hours ago");
  expect(await clockAhead(dated())).toBe(0);
  expect(await clockAhead(dated("yesterday"))).toBe(0);
  expect(await clockAhead(() => Promise.reject(new TypeError("offline")))).toBe(0);
});
