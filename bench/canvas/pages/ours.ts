/** The product's canvas. The board behind it only assigns ids: the cost of synchronization is measured elsewhere. */

import type { BoardEditor, BoardObject, NewObject, ObjectId } from "../../../board/drawing.ts";
import { createBoardCanvas } from "../../../web/canvas/board-canvas.ts";
import { inspectCanvas } from "../../../testing/canvas-page/inspect.ts";
import { fetchBoard, HEIGHT, present, WIDTH } from "./subject.ts";

const host = document.querySelector("#host") as HTMLElement;
const objects = new Map<ObjectId, BoardObject>();
const nothing = { added: [], changed: [], removed: [] };
let z = 1e6;

const editor: BoardEditor = {
  accepts: () => true,
  add(made: readonly NewObject[]) {
    const added = made.map((object) => {
      z++;
      return { ...object, id: `zzzme-${z}` as ObjectId, z } as BoardObject;
    });
    for (const object of added) objects.set(object.id, object);
    canvas.apply({ ...nothing, added });
    return added;
  },
  addChanged(object, props) {
    const [added] = editor.add([object]);
    if (added) editor.change([{ id: added.id, props }]);
    return added && objects.get(added.id);
  },
  change(changes) {
    const changed: BoardObject[] = [];
    for (const { id, props } of changes) {
      const before = objects.get(id);
      if (!before) continue;
      const after = { ...before, ...props } as BoardObject;
      objects.set(id, after);
      changed.push(after);
    }
    canvas.apply({ ...nothing, changed });
  },
  remove() {},
};

const live = {
  pointer() {},
  inkStart() {},
  inkPoints() {},
  inkEnd() {},
  line() {},
  drag() {},
  select() {},
};

const canvas = createBoardCanvas({
  surface: { host, width: WIDTH, height: HEIGHT },
  editor,
  live,
  events: {
    onSelection() {},
    onSelectionFrame() {},
    onView() {},
    onAction() {},
    onFault() {},
  },
  covered: () => 0,
  pressure: () => false,
  fetchAhead: (fetch) => fetch(),
});

async function start(): Promise<void> {
  const board = await fetchBoard();
  for (const object of board) objects.set(object.id, object);
  await canvas.load(board, "white");
}

present({
  ready: start(),
  choose: (tool) => canvas.tools.choose(tool),
  settled: () => inspectCanvas(canvas).settled,
  show: (view) => inspectCanvas(canvas).setView(view),
  remote(object) {
    z++;
    const added = { ...object, id: `${object.id}${z}` as ObjectId, z };
    objects.set(added.id, added);
    canvas.apply({ ...nothing, added: [added] });
  },
});
