import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startAuthServer } from "../../testing/auth/server.ts";
import type { AuthServer } from "../../testing/auth/server.ts";

const PASSWORD = "correct horse battery";

describe("email and password", () => {
  let server: AuthServer;
  beforeAll(async () => {
    server = await startAuthServer({});
  });
  afterAll(() => server.close());

  test("AUTH-1 a sign-up waits for its mail's link, which signs in once", async () => {
    const client = server.client();
    const { data, error } = await client.auth.signUp({
      email: "Ada@Example.org",
      password: PASSWORD,
      options: { data: { name: "Ada" } },
    });
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user?.email).toBe("ada@example.org");
    expect(data.user?.user_metadata["name"]).toBe("Ada");
    const early = await client.auth.signInWithPassword({
      email: "ada@example.org",
      password: PASSWORD,
    });
    expect(early.error?.code).toBe("email_not_confirmed");

    const mail = await server.mailTo("ada@example.org");
    const opened = await fetch(mail.link, { redirect: "manual" });
    expect(opened.status).toBe(303);
    const target = new URL(opened.headers.get("location") ?? "");
    expect(target.origin).toBe("http://localhost:3000");
    const values = new URLSearchParams(target.hash.slice(1));
    expect(values.get("type")).toBe("signup");
    const signedIn = await client.auth.setSession({
      access_token: values.get("access_token") ?? "",
      refresh_token: values.get("refresh_token") ?? "",
    });
    expect(signedIn.data.user?.email_confirmed_at).toBeTruthy();

    const again = await fetch(mail.link, { redirect: "manual" });
    const failed = new URLSearchParams(new URL(again.headers.get("location") ?? "").hash.slice(1));
    expect(failed.get("error_code")).toBe("otp_expired");
    expect(failed.get("access_token")).toBeNull();

    const later = await client.auth.signInWithPassword({
      email: "ADA@example.org",
      password: PASSWORD,
    });
    expect(later.error).toBeNull();
    expect(later.data.session?.token_type).toBe("bearer");
  });
});
