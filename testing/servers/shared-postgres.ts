import { startTestPostgres } from "./postgres.ts";

/**
 * Starts one PostgreSQL server for all files, each of which makes databases of its own, as Vitest's globalSetup of
 * the server's tests.
 */
export default async function setup(): Promise<(() => void) | undefined> {
  if (process.env["TEST_DATABASE_URL"]) return undefined;
  const own = await startTestPostgres();
  // Without one, each file says what it lacks.
  if (!own.ok) return undefined;
  process.env["TEST_DATABASE_URL"] = own.url;
  return () => {
    delete process.env["TEST_DATABASE_URL"];
    own.stop();
  };
}
