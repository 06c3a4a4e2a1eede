import { afterAll, beforeAll } from "vitest";
import { oauthServerEnv } from "../../../testing/auth/oauth-client.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";

/** The server for the tests of a file: OAuth clients, passkeys and linked identities, with the other APIs. */
export function clientsServer(): () => AuthServer {
  let server: AuthServer;
  beforeAll(async () => {
    server = await startAuthServer({
      whole: true,
      env: {
        ...oauthServerEnv(),
        GOTRUE_PASSKEY_ENABLED: "true",
        GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: "true",
      },
    });
  });
  afterAll(() => server.close());
  return () => server;
}
