/** Fabric's canvas and what stands on it: the selection and the text being edited. */

import type { ObjectId } from "../../board/drawing.ts";
import type { InteractionParts } from "./interaction.ts";
import type { Item } from "./item.ts";
import type { Point } from "./matrix.ts";
import { Selection } from "./selection.ts";
import { type Press, Surface } from "./surface.ts";
import { TextEditing } from "./text.ts";

export interface Stage {
  readonly surface: Surface;
  readonly selection: Selection;
  readonly editing: TextEditing;
}

/** What the stage asks of whoever opened it. */
export interface StageEvents {
  /** A press that is not on a control. */
  press(at: Point, event: PointerEvent, insideHandle: boolean): Press;
  /** True when something can be selected there. */
  hover(at: Point): boolean;
  /** A rubber band was drawn around these. */
  band(found: readonly ObjectId[]): void;
  /** The selection became empty, or is there, or is elsewhere. */
  activate(active: boolean): void;
}

/** Made when something is selected for the first time: Fabric's canvases cost memory. */
export function openStage(parts: InteractionParts, events: StageEvents): Stage {
  const element = document.createElement("canvas");
  parts.layer.append(element);
  const surface: Surface = new Surface(element, {
    toScene: (event) => parts.toScene(event as PointerEvent),
    press: (at, event, inside) => events.press(at, event as PointerEvent, inside),
    hover: (at) => events.hover(at),
    band: (box) => events.band(parts.hits.within(box).map((item) => item.object.id)),
    paintHeld: (context) => selection.paintHeld(context),
    transforming: () => {
      selection.hold();
      selection.announce();
    },
    transformed: () => selection.release(),
    wake: parts.wake,
  });
  const lift = (item: Item, lifted: boolean): void => parts.content.lift(item, lifted);
  const selection = new Selection({
    editor: parts.editor,
    live: parts.live,
    handle: surface.handle,
    lift,
    find: (id) => parts.scene.get(id),
    paint: (context, item, matrix) => parts.painter.paint(context, item, matrix),
    activate: (active) => events.activate(active),
    changed: (count) => parts.onSelection(count),
  });
  const editing = new TextEditing({
    host: parts.host,
    surface,
    editor: parts.editor,
    lift,
    done: (item) => {
      if (parts.scene.get(item.object.id)) selection.set([item.object.id]);
    },
  });
  const { width, height } = parts.size();
  surface.setDimensions({ width, height });
  surface.setViewportTransform([...parts.viewport()]);
  return { surface, selection, editing };
}
