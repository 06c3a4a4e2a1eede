import { expect, test } from "vitest";
import { ROUTES } from "../routes.ts";
import { untilEven } from "./even.ts";

test("AUTH-13 answers about an address leave a whole number of steps after the request, however long the work took", () => {
  const leaving = (elapsed: number): number => elapsed + untilEven(elapsed);
  expect([0, 1, 12.3, 12.8, 99.9].map(leaving)).toEqual([100, 100, 100, 100, 100]);
  expect([100, 130, 199].map(leaving)).toEqual([200, 200, 200]);
  const even = ROUTES.filter((route) => route.even === true);
  expect(even.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /otp",
    "POST /magiclink",
    "POST /recover",
    "POST /resend",
    "POST /verify",
  ]);
});
