/** The `test` with an empty product and people who visit it; nobody may see an error that the test does not expect. */

import { type BrowserContextOptions, type Page, expect, test as base } from "@playwright/test";
import { createDevices, forget, type Devices } from "./devices.ts";
import { Person, hideHints } from "./person.ts";
import { startProduct, type Product } from "./product.ts";

export { expect };

/** The address that a person visits, if it is not the product's front page, and the options of their browser. */
export interface Visit {
  readonly url?: string;
  readonly context?: BrowserContextOptions;
  /** True to continue without the drawing, which will not arrive. */
  readonly unready?: true;
  /** Runs before the page is opened: routes, listeners, scripts. */
  readonly prepare?: (page: Page) => unknown;
}

type Env = Readonly<Record<string, string>>;

interface Fixtures {
  /** The environment of the product's server; set by `test.use`. */
  readonly serverEnv: Env;
  /**
   * A server that no other file's tests have, for tests that stop it or reach its limits; set by `test.use`, in a file
   * that runs in one worker.
   */
  readonly ownServer: boolean;
  readonly product: Product;
  readonly visit: (options?: Visit) => Promise<Person>;
}

/**
 * The default environment. With `on`, each page would store itself on its new device, a third of a second of work
 * that few tests need.
 */
const DEFAULTS: Env = { OFFLINE: "off" };

interface Shared {
  /**
   * Returns the server of this worker with that environment, which the tests of one file share if it is named. A start
   * costs a second of work, and most tests leave nothing behind.
   */
  readonly shared: (env: Env, file?: string) => Promise<Product>;
  readonly devices: Devices;
}

export const test = base.extend<Fixtures, Shared>({
  serverEnv: [{}, { option: true }],
  ownServer: [false, { option: true }],
  shared: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
    async ({}, use) => {
      const products = new Map<string, Promise<Product>>();
      await use((env, file) => {
        const name = JSON.stringify([env, file]);
        const product = products.get(name) ?? startProduct(env);
        products.set(name, product);
        return product;
      });
      for (const product of products.values()) await (await product).dispose();
    },
    { scope: "worker" },
  ],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
  devices: [async ({}, use) => use(createDevices(hideHints)), { scope: "worker" }],
  product: async ({ serverEnv, ownServer, shared }, use, { file }) => {
    const product = await shared({ ...DEFAULTS, ...serverEnv }, ownServer ? file : undefined);
    await product.empty();
    await use(product);
  },
  visit: async ({ product, browser, viewport, devices }, use, info) => {
    const people: Person[] = [];
    await use(async ({ url = product.url, context = {}, prepare, unready } = {}) => {
      const device = await devices.take(browser, { viewport, ...context }, product.url);
      const person = new Person(device, await device.newPage());
      await forget(person.page, product.url);
      people.push(person);
      await prepare?.(person.page);
      if (unready) await person.page.goto(url);
      else await person.open(url);
      return person;
    });
    const problems = withoutLostRaces(
      people.flatMap((person, at) =>
        person.unexpected().map((problem) => `person ${at + 1}: ${problem}`),
      ),
      people.length - 1,
    );
    const isSound = problems.length === 0 && info.status === "passed";
    await Promise.all(
      people.map((person) => (isSound ? devices.putBack(person.context) : person.context.close())),
    );
    expect(problems, "what the consoles say").toEqual([]);
  },
});

/**
 * Returns the problems without refused inserts of the first row, of which each visitor but one can have one: the
 * browser reports the request, and the page continues.
 */
function withoutLostRaces(problems: readonly string[], max: number): readonly string[] {
  let left = max;
  return problems.filter((text) => !/status of 409 \(Conflict\)/.test(text) || left-- <= 0);
}
