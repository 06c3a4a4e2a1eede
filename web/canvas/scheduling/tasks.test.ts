import { expect, test } from "vitest";
import { Tasks } from "./tasks.ts";

test("tasks run one after another, in order, and never before the caller is done", async () => {
  const tasks = new Tasks();
  const done: string[] = [];
  tasks.add(async () => {
    await Promise.resolve();
    done.push("first");
  });
  tasks.add(() => {
    done.push("second");
    tasks.add(() => void done.push("added by the second"));
  });
  expect(done).toEqual([]);
  expect(tasks.idle).toBe(false);
  await tasks.done();
  expect(done).toEqual(["first", "second", "added by the second"]);
  expect(tasks.idle).toBe(true);
});
