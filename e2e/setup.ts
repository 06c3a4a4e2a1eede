import { setUp } from "../scripts/build/setup.mjs";

/** Builds what is stale, so that the tests never examine an older product than the sources. */
export default async function setup(): Promise<void> {
  await setUp((line) => console.log(line));
}
