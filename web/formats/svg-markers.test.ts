import { expect, test } from "vitest";
import { readDrawing } from "./read-drawing.ts";
import { svg } from "./reading-bed.case.ts";

test("UI-152 the markers of a line of an SVG file, such as the heads of an arrow, are objects at its points", () => {
  const result = readDrawing(
    svg(`<marker id="head" viewBox="0 -5 10 10" refX="10" markerWidth="5" markerHeight="5" orient="auto">
        <path d="M0 -5L10 0L0 5z" fill="context-stroke"/></marker>
      <marker id="dot" markerUnits="userSpaceOnUse" orient="90"><circle r="2" cx="4" fill="context-fill"/></marker>
      <marker id="back" orient="auto-start-reverse"><path d="M0 0h3" stroke="currentColor" color="teal"/></marker>
      <g stroke="red" fill="none" stroke-width="2" transform="translate(100 0)">
        <line x2="50" marker-end="url(#head)"/>
        <polyline points="0,10 10,10 10,20" style="marker: url(#dot)" fill="#123"/>
        <path d="M0 30C0 30 0 20 0 50" marker-start="url(#back)" marker-end="url(#none)"/></g>`),
  );
  expect(result).toMatchObject({ ok: true, leftOut: {} });
  expect(result.ok && result.objects).toMatchObject([
    { type: "Path", stroke: "red" },
    // The head is as long as five widths of the line, and its tip is at the end.
    { type: "Path", path: "M0-5l10 5-10 5z", left: 145, fill: "red", strokeWidth: 0 },
    { type: "Path", fill: "#123" },
    ...[
      { left: 100, top: 14 },
      { left: 110, top: 14 },
      { left: 110, top: 24 },
    ].map((at) => ({ type: "Circle", ...at, radius: 2, fill: "#123", angle: 90 })),
    { type: "Path" },
    // Three units long, two pixels each, and back from the beginning of a line that goes up first.
    { type: "Path", left: 100, top: 33, angle: 90, stroke: "teal" },
  ]);
});

test("UI-28 markers count as often as they are drawn, and none is inside itself without an end", () => {
  const points = "0,0 1,1 ".repeat(2_000);
  const marked = (inner: string): string =>
    svg(`<marker id="m">${inner}</marker><polyline points="${points}" marker-mid="url(#m)"/>`);
  const read = readDrawing(marked(`<path d="M0 0h1" class="${"x".repeat(1_000)}"/>`));
  expect(read.ok && read.objects.length).toBe(3_999);
  expect(readDrawing(marked(`<path d="M0 0h1" class="${"x".repeat(9_000)}"/>`))).toEqual({
    ok: false,
    reason: "it is larger than 20 MB with what it repeats",
  });
  const endless = `<marker id="a"><path d="M0 0h1" marker-end="url(#a)"/></marker>`;
  expect(readDrawing(svg(`${endless}<path d="M0 0h9" marker-end="url(#a)"/>`))).toMatchObject({
    leftOut: { reference: 1 },
  });
});

test("UI-152 a marker without an extent, one on a line without a width, and one of a circle are not drawn", () => {
  const lines = `<marker id="none" markerWidth="0"><path d="M0 0h1"/></marker>
    <marker id="m"><path d="M0 0h1"/></marker><g stroke="red" fill="none">
    <path d="M0 0h9" marker-end="url(#none)"/><path d="M0 0h9" stroke-width="0" marker-end="url(#m)"/>
    <path d="M0 0h9" marker="none"/><circle r="1" marker-end="url(#m)"/></g>`;
  const read = readDrawing(svg(lines));
  expect(read).toMatchObject({ leftOut: {} });
  expect(read.ok && read.objects.map(({ type }) => type)).toEqual(["Path", "Path", "Circle"]);
});
