import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Action,
  type GestureState,
  IDLE,
  type PointerInputEvent,
  recognize,
} from "./gestures.ts";

type Step = Partial<PointerInputEvent> & Pick<PointerInputEvent, "kind">;

/** Plays events; returns the state, the events that the tools got, and their meanings. */
function play(steps: readonly Step[], from: GestureState = IDLE) {
  let state = from;
  const passed: boolean[] = [];
  const actions: Action[] = [];
  for (const step of steps) {
    const event = { id: 1, type: "touch", button: 0, at: { x: 0, y: 0 }, time: 0, space: false };
    const outcome = recognize(state, { ...event, ...step });
    state = outcome.state;
    passed.push(outcome.pass);
    actions.push(...outcome.actions);
  }
  return { state, passed, actions, kinds: actions.map(({ kind }) => kind) };
}

const at = (x: number, y = 0) => ({ at: { x, y } });

describe("CAN-42 pointers of a mouse", () => {
  const mouse = { type: "mouse" };

  test("the left button is the tool, the middle one and Space pan", () => {
    const left = play([
      { kind: "move", ...mouse },
      { kind: "down", ...mouse },
      { kind: "move", ...mouse, ...at(5) },
      { kind: "up", ...mouse },
    ]);
    expect(left).toMatchObject({ passed: [true, true, true, true], actions: [] });
    for (const how of [{ button: 1 }, { space: true }]) {
      const { passed, actions, state } = play([
        { kind: "down", ...mouse, ...how, ...at(10) },
        { kind: "move", ...mouse, ...at(15, 5) },
        { kind: "up", ...mouse },
      ]);
      expect(passed).toEqual([false, false, false]);
      expect(actions).toEqual([{ kind: "move", from: [{ x: 10, y: 0 }], to: [{ x: 15, y: 5 }] }]);
      expect(state.mode.kind).toBe("idle");
    }
  });

  test("another button is the browser's, also while the tool is pressed", () => {
    expect(play([{ kind: "down", ...mouse, button: 2 }]).state.mode.kind).toBe("idle");
  });
});

describe("CAN-21 fingers", () => {
  test("one is the tool; a second one within 12 px gives it up, and both move the view", () => {
    const { passed, actions, state } = play([
      { kind: "down", ...at(100) },
      { kind: "move", ...at(108) },
      { kind: "down", id: 2, ...at(200) },
      { kind: "move", id: 2, ...at(220) },
      { kind: "move", id: 1, ...at(90) },
    ]);
    expect(passed).toEqual([true, true, false, false, false]);
    expect(actions).toEqual([
      { kind: "abandon" },
      {
        kind: "move",
        from: [
          { x: 108, y: 0 },
          { x: 200, y: 0 },
        ],
        to: [
          { x: 108, y: 0 },
          { x: 220, y: 0 },
        ],
      },
      {
        kind: "move",
        from: [
          { x: 108, y: 0 },
          { x: 220, y: 0 },
        ],
        to: [
          { x: 90, y: 0 },
          { x: 220, y: 0 },
        ],
      },
    ]);
    // The first finger's release belongs to the tool that got its press; the other finger goes on.
    const after = play(
      [
        { kind: "up", id: 1 },
        { kind: "move", id: 2, ...at(230) },
      ],
      state,
    );
    expect(after.passed).toEqual([true, false]);
    expect(after.actions).toEqual([
      { kind: "move", from: [{ x: 220, y: 0 }], to: [{ x: 230, y: 0 }] },
    ]);
    // A third one pinches again, and nothing draws until all are up.
    const again = play(
      [
        { kind: "down", id: 3 },
        { kind: "up", id: 3 },
        { kind: "up", id: 2 },
        { kind: "down", id: 4 },
      ],
      after.state,
    );
    expect(again.passed).toEqual([false, false, false, true]);
  });

  test("a second finger after 12 px is ignored, and so is any further one until all are up", () => {
    const { passed, actions } = play([
      { kind: "down" },
      { kind: "move", ...at(7) },
      { kind: "move", ...at(0) },
      { kind: "down", id: 2 },
      { kind: "move", id: 2, ...at(50) },
      { kind: "move", ...at(20) },
      { kind: "up" },
      { kind: "down", id: 3 },
      { kind: "up", id: 3 },
      { kind: "up", id: 2 },
      { kind: "down", id: 4 },
    ]);
    expect(actions).toEqual([]);
    const T = true;
    expect(passed).toEqual([T, T, T, false, false, T, T, false, false, false, T]);
  });
});

describe("CAN-21 a pen", () => {
  const pen = { type: "pen", id: 9 };

  test("takes the tool from a finger, and the palm does nothing for a second", () => {
    const { passed, kinds, state } = play([
      { kind: "down" },
      { kind: "down", ...pen, time: 100 },
      { kind: "move", ...at(50), time: 110 },
      { kind: "up", ...pen, time: 200 },
      { kind: "up", time: 300 },
      { kind: "down", id: 2, time: 1100 },
      { kind: "move", id: 2, time: 1200, ...at(30) },
      { kind: "up", id: 2, time: 1200 },
    ]);
    expect(passed).toEqual([true, true, false, true, false, false, false, false]);
    expect(kinds).toEqual(["abandon"]);
    expect(state).toMatchObject({ fingerPans: true, mode: { kind: "idle" } });
    // After a pen was used, one finger pans until the visitor switches back.
    const afterTouch: readonly Step[] = [
      { kind: "down", id: 2, time: 1300 },
      { kind: "move", id: 2, time: 1300, ...at(9) },
    ];
    expect(play(afterTouch, state)).toMatchObject({ passed: [false, false], kinds: ["move"] });
    const drawing = { ...state, fingerPans: false };
    expect(play(afterTouch, drawing)).toMatchObject({ passed: [true, true], kinds: [] });
    // A pen that is used again does not switch again.
    expect(play([{ kind: "down", ...pen, time: 5000 }], drawing).state.fingerPans).toBe(false);
  });

  test("its eraser end erases; its other buttons are no tool", () => {
    expect(play([{ kind: "down", ...pen, button: 5 }])).toMatchObject({
      kinds: ["erase"],
      passed: [true],
    });
    expect(play([{ kind: "down", ...pen, button: 2 }]).state.mode.kind).toBe("idle");
  });
});

test("CAN-41 after any events, when all pointers are up, nothing is pressed and the next finger draws", () => {
  const ids = fc.integer({ min: 1, max: 4 });
  const events = fc.record({
    kind: fc.constantFrom("down" as const, "move" as const, "up" as const),
    id: ids,
    at: fc.record({ x: fc.integer({ min: 0, max: 30 }), y: fc.integer({ min: 0, max: 30 }) }),
  });
  fc.assert(
    fc.property(fc.array(events, { maxLength: 40 }), (random) => {
      const down = new Set<number>();
      // A finger that is down cannot be pressed again, and only fingers that are down move.
      const real = random.filter(({ kind, id }) => {
        if (kind === "down") return !down.has(id) && down.add(id);
        return kind === "move" ? down.has(id) : down.delete(id);
      });
      const ups = [...down].map((id) => ({ kind: "up" as const, id }));
      const { state } = play([...real, ...ups]);
      expect(state).toMatchObject({ mode: { kind: "idle" }, passed: null });
      expect(play([{ kind: "down", id: 7 }], state).passed).toEqual([true]);
    }),
  );
});
