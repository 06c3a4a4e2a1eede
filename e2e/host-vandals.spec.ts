import { expect, test } from "./fixtures.ts";
import { hostLink, openHostPanel } from "./ui/host-steps.ts";
import { knowEachOther, type Person } from "./person.ts";
import { button, savedObjects } from "./ui/controls.ts";

test("HOST-38 a host takes a vandal back: the fill goes, the removed stroke returns, a bystander draws on, and the vandal is offered nothing", async ({
  visit,
  product,
}) => {
  const host = await visit({ url: await hostLink(product) });
  const ann = await visit();
  const vandal = await visit({
    prepare: (page) => page.addInitScript(() => localStorage.setItem("inkpool:name", "Vandal")),
  });
  await knowEachOther(host, ann, vandal);
  await ann.stroke([300, 300], [500, 300]);
  await expect.poll(() => vandal.colorAt([400, 300])).toBe("#000000");
  await vandal.tool("Select");
  await vandal.click([400, 300]);
  await expect(vandal.page.getByRole("toolbar", { name: "Selection" })).toBeVisible();
  await vandal.page.keyboard.press("Delete");
  await vandal.color("Red");
  await vandal.tool("Draw");
  for (const y of [150, 200, 250, 350, 400, 450]) await vandal.stroke([600, y], [700, y]);
  await ann.stroke([300, 400], [500, 400]);
  for (const point of [
    [650, 450],
    [400, 400],
  ] as const)
    await expect.poll(() => host.colorAt(point)).not.toBe("#ffffff");
  await expect.poll(() => host.colorAt([400, 300])).toBe("#ffffff");

  const expectTakenBack = async (person: Person): Promise<void> => {
    await expect.poll(() => person.colorAt([650, 450])).toBe("#ffffff");
    await expect.poll(() => person.colorAt([400, 300])).toBe("#000000");
    await expect.poll(() => person.colorAt([400, 400])).toBe("#000000");
  };
  await button(host.page, "3 users online").click();
  const people = host.page.getByRole("dialog", { name: "People" });
  await people.getByRole("listitem").filter({ hasText: "Vandal" }).getByText("Take back").click();
  await expect(people.getByRole("radio", { name: "10 minutes" })).toBeFocused();
  await expect(people.getByRole("status")).toHaveText(
    "Removes 6 objects and brings 1 back as before.",
  );
  // Notices disappear by themselves, so everybody's are awaited at the same time.
  await Promise.all([
    expect(host.toast("Took back what Vandal did: 6 objects removed")).toBeVisible(),
    expect(ann.toast(/removed \d objects/)).toBeVisible(),
    expect(vandal.toast("The host has taken back what you did")).toBeVisible(),
    people.getByRole("button", { name: "Take back" }).press("Enter"),
  ]);
  for (const person of [host, ann, vandal]) await expectTakenBack(person);
  await expect(vandal.toast(/removed/)).toHaveCount(0);

  // It is undone, and repeated in the other panel, by keys.
  await host.page.locator("header").getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => ann.colorAt([650, 450])).toBe("#ff0000");
  await button(host.page, "Menu").click();
  await host.page.getByRole("menuitem", { name: "Who drew what" }).click();
  const authors = host.page.getByRole("dialog", { name: "Who drew what" });
  await authors.getByRole("listitem").filter({ hasText: "Vandal" }).getByText("Take back").focus();
  // A key that is held asks, and does not answer.
  await host.page.keyboard.down("Enter");
  await expect(authors.getByRole("radio", { name: "10 minutes" })).toBeFocused();
  const effect = "Removes 6 objects and brings 1 back as before.";
  await expect(authors.getByRole("status")).toHaveText(effect);
  await host.page.keyboard.down("Enter");
  await host.page.keyboard.up("Enter");
  await host.page.keyboard.press("ArrowUp");
  await expect(authors.getByRole("radio", { name: "All" })).toBeChecked();
  await expect(authors.getByRole("status")).toHaveText(effect);
  // Nor does one that is held to answer ask again.
  await host.page.keyboard.down("Enter");
  await expect(authors.getByRole("button", { name: "Take back" }).first()).toBeFocused();
  await host.page.keyboard.down("Enter");
  await host.page.keyboard.up("Enter");
  await expect(authors.getByRole("radio")).toHaveCount(0);
  for (const person of [host, ann, vandal]) await expectTakenBack(person);
});

test("HOST-59 a host pauses a visitor, whose page says so and keeps new strokes, and ends the pause; in Who drew what as well, as long as they are online", async ({
  visit,
  product,
}) => {
  const teacher = await visit({ url: await hostLink(product) });
  const pupil = await visit();
  pupil.allow(/status of 403/, /The canvas was not saved: The host has paused/);
  const { page } = teacher;
  await page.getByRole("button", { name: "2 users online" }).click();
  const people = page.getByRole("dialog", { name: "People" });
  await people.getByRole("button", { name: /^Pause this visitor: / }).focus();
  // A key that is held asks, and does not answer.
  for (let repeats = 0; repeats < 3; repeats++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await expect(people.getByRole("button", { name: "Pause", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(people.getByText("Paused for an hour.")).toBeVisible();
  await expect(people.getByRole("button", { name: /^Pause this visitor: / })).toBeFocused();
  await pupil.stroke([300, 300], [500, 300]);
  await expect(pupil.toast("The host has paused your drawing")).toBeVisible();
  await expect(pupil.saving).toHaveText("1 change not saved yet");
  expect(await teacher.colorAt([400, 300])).toBe("#ffffff");
  expect(await savedObjects(product)).toHaveLength(0);

  await page.keyboard.press("Escape");
  await openHostPanel(page);
  const end = page.getByRole("button", { name: /^End pause: / });
  teacher.allow(/ERR_FAILED/);
  await page.route("**/host/v1/pauses", (route) => route.abort());
  await end.press("Enter");
  await expect(page.getByText("The server did not answer. Try again.")).toBeVisible();
  await expect(end).toBeFocused();
  await page.unroute("**/host/v1/pauses");
  await end.press("Enter");
  await expect(page.getByRole("list", { name: "Paused visitors" })).toHaveCount(0);
  await expect(page.getByRole("dialog", { name: "Host" })).toBeFocused();
  await pupil.stroke([300, 400], [500, 400]);
  await expect(pupil.saving).toHaveText("Saved");
  await expect.poll(() => teacher.colorAt([400, 300])).toBe("#000000");

  await teacher.stroke([300, 200], [500, 200]);
  await button(page, "Menu").click();
  await page.getByRole("menuitem", { name: "Who drew what" }).click();
  const authors = page.getByRole("dialog", { name: "Who drew what" });
  await expect(authors.getByRole("listitem")).toHaveCount(2);
  const pause = authors.getByRole("button", { name: /^Pause this visitor: / });
  await pause.click();
  await authors.getByRole("button", { name: "Pause", exact: true }).click();
  await expect(authors.getByText("Paused for an hour.")).toBeVisible();
  await pupil.stroke([300, 500], [500, 500]);
  await expect(pupil.saving).toHaveText("1 change not saved yet");
  expect(await teacher.colorAt([400, 500])).toBe("#ffffff");
  await pupil.page.close();
  await expect(pause).toHaveCount(0);
  await expect(authors.getByRole("button", { name: "Take back" })).toHaveCount(1);
});

test("HOST-35 a host who takes back two visitors in a row gets a notice of each, with Undo and the number of then", async ({
  visit,
  product,
}) => {
  const host = await visit({ url: await hostLink(product) });
  const visitors: Person[] = [];
  for (const [name, y] of [
    ["Ann", 200],
    ["Ben", 300],
  ] as const) {
    const visitor = await visit({
      prepare: (page) =>
        page.addInitScript((own) => localStorage.setItem("inkpool:name", own), name),
    });
    visitors.push(visitor);
    await visitor.stroke([300, y], [500, y]);
    await expect.poll(() => host.colorAt([400, y])).toBe("#000000");
  }
  await button(host.page, "3 users online").click();
  const people = host.page.getByRole("dialog", { name: "People" });
  for (const name of ["Ann", "Ben"]) {
    await people.getByRole("listitem").filter({ hasText: name }).getByText("Take back").click();
    await expect(people.getByRole("status")).toHaveText(/^Removes 1 object /);
    if (name === "Ben") {
      await visitors[1]?.stroke([300, 400], [500, 400]);
      await expect.poll(() => host.colorAt([400, 400])).toBe("#000000");
    }
    await people.getByRole("button", { name: "Take back" }).press("Enter");
    await expect(host.toast(`Took back what ${name} did`)).toBeVisible();
  }
  await expect(host.toast("Took back what Ann did")).toHaveCount(0);
  await host
    .toast("Took back what Ben did: 2 objects removed")
    .getByRole("button", { name: "Undo" })
    .click();
  await expect.poll(() => host.colorAt([400, 300])).toBe("#000000");
  expect(await host.colorAt([400, 200])).toBe("#ffffff");
});
