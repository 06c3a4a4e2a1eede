import { describe, expect, test } from "vitest";
import { pictureBox } from "./picture.ts";

const VIEW = { width: 800, height: 500 };

function boxed(left: number, top: number, right: number, bottom: number) {
  return { box: { left, top, right, bottom } };
}

describe("the area of a drawing's picture", () => {
  test("the view, when nothing lies beyond it", () => {
    const view = { left: 0, top: 0, right: 800, bottom: 500 };
    expect(pictureBox([], VIEW)).toEqual(view);
    expect(pictureBox([boxed(10, 10, 20, 20)], VIEW)).toEqual(view);
  });

  test("the objects around the view as well", () => {
    expect(pictureBox([boxed(700, -40, 1200, 80)], VIEW)).toEqual({
      left: 0,
      top: -40,
      right: 1200,
      bottom: 500,
    });
  });

  test("never more than three views in a row, however far away or large an object is", () => {
    const far = [boxed(5e6, 0, 5e6 + 10, 10), boxed(-1e9, -1e9, 1e9, 1e9)];
    expect(pictureBox(far, VIEW)).toEqual({ left: -800, top: -500, right: 1600, bottom: 1000 });
  });
});
