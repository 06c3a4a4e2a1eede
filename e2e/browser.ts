import { BROWSER_ARGS, findBrowser } from "../scripts/browser.mjs";

const executablePath = await findBrowser();

/** How every browser of the end-to-end tests is started. Without a path, Playwright says what is missing. */
export const BROWSER = {
  args: BROWSER_ARGS,
  ...(executablePath === null ? {} : { executablePath }),
};
