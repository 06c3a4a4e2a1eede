import { expect, test } from "vitest";
import { startAuthServer } from "../../../testing/auth/server.ts";

test("AUTH-33 the list of users is filtered by a part of the address, whose characters mean themselves", async () => {
  const server = await startAuthServer();
  const { admin } = server.admin().auth;
  for (const name of ["ann_1", "ann_2", "annx3", "ben"])
    expect((await admin.createUser({ email: `${name}@example.org` })).error).toBeNull();
  const list = async (query: string): Promise<readonly [readonly string[], Headers]> => {
    const response = await server.call(`/admin/users?${query}`, {
      headers: { authorization: `Bearer ${server.serviceKey}` },
    });
    const { users } = (await response.json()) as { users: { email: string }[] };
    return [users.map(({ email }) => email).toSorted(), response.headers];
  };
  expect((await list("filter="))[0]).toHaveLength(4);
  expect((await list("filter=BEN@"))[0]).toEqual(["ben@example.org"]);
  expect((await list("filter=nobody"))[0]).toEqual([]);
  for (const pattern of ["%25", "a*", "%5C", "__"])
    expect((await list(`filter=${pattern}`))[0]).toEqual([]);
  const [found, headers] = await list("filter=n_&per_page=1");
  expect(found).toHaveLength(1);
  expect(headers.get("x-total-count")).toBe("2");
  expect(headers.get("link")).toContain("page=2&per_page=1&filter=n_>");
  await server.close();
});
