import { beforeEach, expect, test, vi } from "vitest";

const SECRET = "a".repeat(43);
const OTHER = "b".repeat(43);

interface Page {
  readonly location: { hash: string; pathname: string; search: string; reload: () => void };
  readonly shown: string[];
  readonly stored: Map<string, string>;
  readonly changeHash: (hash: string) => void;
}

function openPage(hash: string, stored = new Map<string, string>()): Page {
  const shown: string[] = [];
  const reload = vi.fn<() => void>();
  const location = { hash, pathname: "/b/", search: "?lang=de", reload };
  let onChange = (): void => {};
  vi.stubGlobal("location", location);
  vi.stubGlobal("history", {
    state: null,
    replaceState: (_state: unknown, _title: string, address: string) => {
      shown.push(address);
      location.hash = "";
    },
  });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
  vi.stubGlobal("addEventListener", (_name: string, listener: () => void) => {
    onChange = listener;
  });
  const changeHash = (next: string): void => {
    location.hash = next;
    onChange();
  };
  return { location, shown, stored, changeHash };
}

beforeEach(() => vi.resetModules());

test("HOST-17 a link leaves the address at once and stays on the device; a host's goes before a drawing link", async () => {
  const page = openPage(`#draw=${SECRET}`);
  const { boardLink, followBoardLinks } = await import("./board-link.ts");
  expect(boardLink()).toBeUndefined();
  followBoardLinks();
  expect(page.shown).toEqual(["/b/?lang=de"]);
  expect(boardLink()).toEqual({ kind: "draw", secret: SECRET });
  page.changeHash("#somewhere");
  expect(page.location.reload).not.toHaveBeenCalled();
  page.changeHash(`#host=${OTHER}`);
  expect(page.shown).toHaveLength(2);
  expect(page.location.reload).toHaveBeenCalledTimes(1);
  expect(boardLink()).toEqual({ kind: "host", secret: OTHER });
});

test.each(["", "#", "#host=", "#host=short", `#other=${SECRET}`, `#host=${SECRET}&x=<script>`])(
  "HOST-17 the fragment %o is no link, and stays",
  async (hash) => {
    const page = openPage(hash);
    const { boardLink, followBoardLinks } = await import("./board-link.ts");
    followBoardLinks();
    expect([page.shown, boardLink()]).toEqual([[], undefined]);
  },
);
