import { expect, test } from "vitest";
import { runWork, work } from "./work.ts";

test("UI-54 the progress bar returns to work that takes longer than another one", async () => {
  const ends: (() => void)[] = [];
  const run = (name: string): Promise<void> =>
    runWork(
      name,
      (show) => {
        show();
        return () => undefined;
      },
      () => new Promise((resolve) => ends.push(resolve)),
    );
  const shown = () => work.get()?.name;
  const [first, second, third] = [run("first"), run("second"), run("third")];
  expect(shown()).toBe("third");
  ends[1]?.();
  await second;
  expect(shown()).toBe("third");
  ends[2]?.();
  await third;
  expect(shown()).toBe("first");
  ends[0]?.();
  await first;
  expect(work.get()).toBeNull();
});
