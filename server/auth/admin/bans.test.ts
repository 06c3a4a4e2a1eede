import { afterAll, beforeAll, expect, test } from "vitest";
import { PASSWORD, person } from "../../../testing/auth/people.ts";
import { startAuthServer, type AuthServer } from "../../../testing/auth/server.ts";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuthServer();
});

afterAll(() => server.close());

test.for(["876000h", "99999999h", "999999999h999999999h"])(
  "AUTH-19 a ban of %s is in force",
  async (duration) => {
    const { email, id } = await person(server);
    const ban = { ban_duration: duration };
    expect((await server.admin().auth.admin.updateUserById(id, ban)).error).toBeNull();
    const { error } = await server.client().auth.signInWithPassword({ email, password: PASSWORD });
    expect(error?.code).toBe("user_banned");
  },
);
