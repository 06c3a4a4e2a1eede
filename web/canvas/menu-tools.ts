/** The tools for the menu at the pointer, and for the printer. */

import type { LiveSink } from "../../board/live.ts";
import { containsPoint } from "./geometry/box.ts";
import { type HitTest, inStackOrder } from "./scene/hit.ts";
import type { Point } from "./geometry/matrix.ts";
import type { Pen } from "./input/pen.ts";
import { isPainted, paintNow } from "./export/picture.ts";
import { frameLine } from "./pictures/shape.ts";
import type { MenuTools } from "./port.ts";
import type { Scene } from "./scene/scene.ts";
import type { BoardSelection } from "./selection/commands.ts";

export interface MenuToolsDependencies {
  readonly scene: Scene;
  readonly pen: Pen;
  readonly hits: HitTest;
  readonly selection: BoardSelection;
  readonly live: LiveSink;
  readonly addText: (at: Point) => void;
  /** Takes back what the pointer or a key began. */
  readonly letGo: () => void;
}

export function createMenuTools(deps: MenuToolsDependencies): MenuTools {
  const { scene, pen, hits, selection, live, addText } = deps;
  const isActing = (): boolean => pen.drawing || selection.pressing;
  return {
    get isActing() {
      return isActing();
    },
    cancel() {
      if (!isActing()) return false;
      deps.letGo();
      return true;
    },
    isTaken: ({ x, y }, reach) => hits.at(x, y, reach) !== undefined,
    take({ x, y }, reach) {
      const id = hits.at(x, y, reach)?.object.id;
      pen.finish();
      selection.abandonPress();
      if (id !== undefined) {
        if (!selection.has(id)) selection.select([id]);
        return;
      }
      const box = selection.box();
      if (!box || !containsPoint(box, x, y)) selection.clear();
    },
    isShown: (id) => scene.get(id) !== undefined,
    addText,
    announce: (frame, id) => live.line(frame && frameLine(frame), id),
    picture: (background) => paintNow(inStackOrder(scene.all(), isPainted), background),
  };
}
