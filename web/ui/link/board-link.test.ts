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

/** Opens the page with this in its address, on a device that has stored this. */
async function openLink(hash: string, stored = new Map<string, string>()) {
  vi.resetModules();
  const page = openPage(hash, stored);
  const { boardLink, followBoardLinks } = await import("./board-link.ts");
  expect(boardLink()?.secret).toBe(stored.get("inkpool:host") || stored.get("inkpool:draw"));
  followBoardLinks();
  return { ...page, boardLink };
}

test("HOST-17 a link leaves the address at once and stays on the device; a host's goes before a drawing link", async () => {
  const page = await openLink(`#draw=${SECRET}`);
  expect(page.shown).toEqual(["/b/?lang=de"]);
  expect(page.boardLink()).toMatchObject({ kind: "draw", secret: SECRET });
  page.changeHash("#somewhere");
  expect(page.location.reload).not.toHaveBeenCalled();
  page.changeHash(`#host=${OTHER}`);
  expect(page.location.reload).toHaveBeenCalledTimes(1);
  const again = await openLink(page.location.hash, page.stored);
  expect(again.shown).toHaveLength(1);
  for (const { boardLink } of [again, await openLink("", page.stored)])
    expect(boardLink()).toMatchObject({ kind: "host", secret: OTHER });
});

test.each(["host", "draw"])(
  "HOST-17 a %s link takes the place of a known one when the backend knows it, and not before",
  async (kind) => {
    const stored = new Map([[`inkpool:${kind}`, SECRET]]);
    const unknown = await openLink(`#${kind}=${OTHER}`, stored);
    expect(unknown.boardLink()).toMatchObject({ kind, secret: OTHER });
    expect((await openLink("", stored)).boardLink()).toMatchObject({ kind, secret: SECRET });
    const known = await openLink(`#${kind}=${OTHER}`, stored);
    known.boardLink()?.keep?.();
    expect((await openLink("", stored)).boardLink()).toMatchObject({ kind, secret: OTHER });
  },
);

test.each(["", "#", "#host=", "#host=short", `#other=${SECRET}`, `#host=${SECRET}&x=<script>`])(
  "HOST-17 the fragment %o is no link, and stays",
  async (hash) => {
    const page = openPage(hash);
    const { boardLink, followBoardLinks } = await import("./board-link.ts");
    followBoardLinks();
    expect([page.shown, boardLink()]).toEqual([[], undefined]);
  },
);

test("HOST-17 the void link that was used is forgotten, and the page starts again with another that the device knows", async () => {
  vi.stubGlobal("requestAnimationFrame", setImmediate);
  for (const [hash, known, left, restarts] of [
    [`#host=${OTHER}`, { host: SECRET }, { host: SECRET }, 1],
    [`#draw=${OTHER}`, { draw: SECRET }, { draw: SECRET }, 1],
    [`#host=${OTHER}`, { draw: SECRET }, { draw: SECRET, host: "" }, 1],
    ["", { host: SECRET }, { host: "" }, 0],
    [`#draw=${OTHER}`, {}, { draw: "" }, 0],
  ] as const) {
    const stored = new Map(
      Object.entries(known).map(([kind, secret]) => [`inkpool:${kind}`, secret]),
    );
    const page = await openLink(hash, stored);
    page.boardLink();
    const { showNotice } = await import("../notices/list.ts");
    showNotice({ kind: "void-link" }, () => undefined);
    const entries = [...stored].map(([key, secret]) => [key.replace("inkpool:", ""), secret]);
    expect(Object.fromEntries(entries)).toEqual(left);
    expect(page.location.reload).toHaveBeenCalledTimes(restarts);
  }
});

test("HOST-17 a tab whose link another tab has replaced keeps the new one, and starts again with it", async () => {
  vi.stubGlobal("requestAnimationFrame", setImmediate);
  for (const kind of ["host", "draw"]) {
    const stored = new Map([[`inkpool:${kind}`, SECRET]]);
    const page = await openLink("", stored);
    expect(page.boardLink()).toMatchObject({ kind, secret: SECRET });
    stored.set(`inkpool:${kind}`, OTHER);
    const { showNotice } = await import("../notices/list.ts");
    showNotice({ kind: "void-link" }, () => undefined);
    expect(stored.get(`inkpool:${kind}`)).toBe(OTHER);
    expect(page.location.reload).toHaveBeenCalledTimes(1);
  }
});

test("SRV-87 a link of one board of an origin is no link of a board at another path", async () => {
  const stored = new Map<string, string>();
  const openAt = async (path: string, hash = "") => {
    vi.resetModules();
    vi.stubGlobal("document", { querySelector: () => (path === "/" ? null : { content: path }) });
    openPage(hash, stored);
    const { boardLink, followBoardLinks } = await import("./board-link.ts");
    followBoardLinks();
    return boardLink()?.secret;
  };
  expect(await openAt("/", `#host=${SECRET}`)).toBe(SECRET);
  expect(await openAt("/b/")).toBeUndefined();
  expect(await openAt("/b/", `#host=${OTHER}`)).toBe(OTHER);
  expect([await openAt("/"), await openAt("/b/")]).toEqual([SECRET, OTHER]);
  vi.unstubAllGlobals();
});
