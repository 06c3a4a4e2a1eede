/** `test` with a product of its own and people who visit it; nobody may see an error that the test does not expect. */

import { type BrowserContextOptions, type Page, expect, test as base } from "@playwright/test";
import { Person } from "./person.ts";
import { startProduct, type Product } from "./product.ts";

export { expect };

/** Where a person goes, if not to the product's front page, and in what browser. */
export interface Visit {
  readonly url?: string;
  readonly context?: BrowserContextOptions;
  /** Does not wait for the drawing: it will not come. */
  readonly unready?: true;
  /** Runs before the page is opened: routes, listeners, scripts. */
  readonly prepare?: (page: Page) => void | Promise<void>;
}

interface Fixtures {
  /** Environment of the product's server; set by `test.use`. */
  readonly serverEnv: Readonly<Record<string, string>>;
  readonly product: Product;
  readonly visit: (options?: Visit) => Promise<Person>;
}

export const test = base.extend<Fixtures>({
  serverEnv: [{}, { option: true }],
  product: async ({ serverEnv }, use) => {
    // With it, each page would store itself on its new device, a third of a second of work that few tests need.
    const product = await startProduct({ OFFLINE: "off", ...serverEnv });
    await use(product);
    await product.dispose();
  },
  visit: async ({ product, browser, viewport }, use) => {
    const people: Person[] = [];
    await use(async ({ url = product.url, context = {}, prepare, unready } = {}) => {
      const person = await Person.arrive(browser, { viewport, ...context });
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
    await Promise.all(people.map((person) => person.context.close()));
    expect(problems, "what the consoles say").toEqual([]);
  },
});

/**
 * The problems without refused inserts of the first row, of which each visitor but one can have one: the browser
 * reports the request, and the page goes on.
 */
function withoutLostRaces(problems: readonly string[], max: number): readonly string[] {
  let left = max;
  return problems.filter((text) => !/status of 409 \(Conflict\)/.test(text) || left-- <= 0);
}
