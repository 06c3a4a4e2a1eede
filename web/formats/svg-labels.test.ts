import { expect, test } from "vitest";
import { readDrawing } from "./read-drawing.ts";
import { expectSound, svg } from "./reading-bed.case.ts";

const div = (style: string, inner: string): string =>
  `<div xmlns="http://www.w3.org/1999/xhtml" style="${style}">${inner}</div>`;

const page = (inner: string, more = ""): string =>
  `<foreignObject width="100" height="24" ${more}>${inner}</foreignObject>`;

test("UI-152 a label of Mermaid is a text in the middle of its box, in its colours and with its lines", () => {
  const css = `.edge{background-color:#eee} .node{color:#333} .edge p{background-color:#ddd} .clear{background-color:transparent}`;
  const cell = "display: table-cell; white-space: nowrap; line-height: 1.5; text-align: center;";
  const result = readDrawing(
    svg(`<style>${css}</style><g fill="red" stroke="red" transform="translate(50 8)">
      ${page(div(cell, `<span class="node"><p>Is it<br/>working?</p></span>`))}
      ${page(div(cell, `<span class="edge"><p>Yes</p></span>`))}
      ${page(div(cell, `<span class="edge">No</span>`))}
      ${page(div("background-color: #abc", `<span class="edge"><div class="clear"><b>bold</b> x</div></span>`))}
      ${page(div(cell, `<span class="edge"></span>`))}</g>`),
  );
  const label = { type: "IText", left: 100, top: 11, textAlign: "center" };
  expect(result).toMatchObject({
    // A part of the last one is bold.
    leftOut: { look: 1 },
    objects: [
      { ...label, text: "Is it\nworking?", fill: "#333", lineHeight: 1.327 },
      { ...label, text: "Yes", fill: "black", textBackgroundColor: "#ddd" },
      { ...label, text: "No", textBackgroundColor: "#eee" },
      { left: 50, text: "bold x", fontWeight: "bold", textBackgroundColor: "#abc" },
    ],
  });
  expectSound(result);
});

test("UI-152 a label of draw.io is where its flexible box is, wrapped at its width, and stands for the text beside it", () => {
  const flex = (across: string, down: string, box: string): string =>
    `display: flex; align-items: unsafe ${down}; justify-content: unsafe ${across}; ${box}`;
  const inner = (words: string, more = ""): string =>
    div(
      "font-size: 0; text-align: center",
      div(`font-size: 12px; line-height: 1.2; color: rgb(0, 0, 9); ${more}`, words),
    );
  const label = (style: string, words: string): string =>
    `<switch><foreignObject width="100%" height="100%">${div(style, words)}</foreignObject>
     <text>A label that is...</text></switch>`;
  const box = "width: 98px; height: 1px; padding-top: 30px; margin-left: 1px;";
  const long = "A label that is longer than its box";
  const result = readDrawing(`<svg viewBox="0 0 300 200">
    ${label(flex("center", "center", box), inner(long))}
    ${label(flex("flex-end", "flex-end", box), inner("end<div>two</div>"))}
    ${label(flex("flex-start", "flex-start", box), inner(long, "white-space: nowrap"))}</svg>`);
  expect(result).toMatchObject({
    leftOut: {},
    objects: [
      { type: "Textbox", text: long, left: 50, top: 30.5, width: 98 },
      { type: "IText", text: "end\ntwo", left: 99, originX: "right", originY: "bottom" },
      { type: "IText", text: long, left: 1, originX: "left", textAlign: "center" },
    ],
  });
  expect(result).toMatchObject({ objects: [{ fontSize: 12, fill: "rgb(0, 0, 9)" }, {}, {}] });
  expectSound(result);
});

test("UI-152 lines, spaces and hidden words of a label are as in a browser", () => {
  const words = `<h2>Title</h2>
    <ul><li>one</li><li><i>two  and <s>three</s></i></li></ul><div><br/></div>
    <span style="display: none">hidden</span><span style="display: block">last</span><br/>`;
  expect(readDrawing(svg(page(words)))).toMatchObject({
    objects: [{ text: "Title\none\ntwo and three\n\nlast" }],
  });
  const copied = `<p>one<br>two<br></br>&nbsp;three</p>`;
  expect(readDrawing(svg(page(copied)))).toMatchObject({ objects: [{ text: "one\ntwo\nthree" }] });
  const preserved = `<pre style="white-space: pre">a\n\nb</pre>`;
  expect(readDrawing(svg(page(preserved)))).toMatchObject({ objects: [{ text: "a\n\nb" }] });
  const many = `<pre style="white-space: pre">${"\n".repeat(1_000_000)}x</pre>`;
  expect(readDrawing(svg(page(many)))).toMatchObject({
    objects: [],
    leftOut: { value: 1 },
  });
});

test("UI-54 a page with more than words is left out, one that is hidden or has no size is not missed", () => {
  const more = ["<img/>", "<input/>", "<table><tr/></table>", "<p>x<iframe/></p>", "<style/>"];
  expect(readDrawing(svg(more.map((one) => page(one)).join("")))).toMatchObject({
    objects: [],
    leftOut: { page: more.length },
  });
  const hidden = [
    page("<p>x</p>", 'style="display: none"'),
    page("<p>x</p>", 'style="visibility: hidden"'),
    `<foreignObject width="9"><p>x</p></foreignObject>`,
    page("<p> </p>"),
  ];
  expect(readDrawing(svg(hidden.join("")))).toMatchObject({ objects: [], leftOut: {} });
});
