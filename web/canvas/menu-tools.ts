/** What a menu at the pointer and the printer ask of the canvas. */

import type { ObjectId } from "../../board/drawing.ts";
import { containsPoint } from "./geometry/box.ts";
import { type HitTest, inStackOrder } from "./scene/hit.ts";
import type { HostLayers } from "./view/host.ts";
import type { Point } from "./geometry/matrix.ts";
import type { Pen } from "./input/pen.ts";
import { isPainted, paintNow } from "./export/picture.ts";
import type { CanvasTools } from "./port.ts";
import type { Scene } from "./scene/scene.ts";
import type { Selection } from "./selection/selection.ts";

export interface CanvasToolsParts {
  readonly layers: HostLayers;
  readonly scene: Scene;
  readonly pen: Pen;
  readonly hits: HitTest;
  /** Undefined before anything was selected. */
  readonly selection: () => Selection | undefined;
  readonly does: {
    /** Ends what the pointer began, as if it had not been pressed. */
    abandonPress(): void;
    select(ids: readonly ObjectId[]): void;
    clear(): void;
    addText(at: Point): void;
  };
}

export function createCanvasTools(parts: CanvasToolsParts): CanvasTools {
  const { layers, scene, pen, hits, does } = parts;
  return {
    pointOf: (event) => layers.toScene(event),
    isTaken: ({ x, y }, reach) => hits.at(x, y, reach) !== undefined,
    take({ x, y }, reach) {
      pen.abandon();
      does.abandonPress();
      const id = hits.at(x, y, reach)?.object.id;
      const selection = parts.selection();
      if (id !== undefined) {
        if (!selection?.has(id)) does.select([id]);
        return;
      }
      const box = selection?.box();
      if (!box || !containsPoint(box, x, y)) does.clear();
    },
    isShown: (id) => scene.get(id) !== undefined,
    select: (ids) => does.select(ids),
    addText: (at) => does.addText(at),
    picture: (background) => paintNow(inStackOrder(scene.all(), isPainted), background),
  };
}
