/** tldraw as a subject: the editor of the npm package, remote strokes put into its store as remote changes. */

import { createShapeId, Tldraw, b64Vecs, type Editor, type TLShapePartial } from "tldraw";
import "tldraw/tldraw.css";
import { createRoot } from "react-dom/client";
import { connect, painted, type BenchStroke } from "./subject.ts";

function toShape(stroke: BenchStroke): TLShapePartial {
  const [x, y] = stroke.points as [number, number];
  const points: { x: number; y: number; z: number }[] = [];
  for (let index = 0; index + 1 < stroke.points.length; index += 2) {
    points.push({
      x: (stroke.points[index] ?? 0) - x,
      y: (stroke.points[index + 1] ?? 0) - y,
      z: 0.5,
    });
  }
  return {
    id: createShapeId(stroke.id),
    type: "draw",
    x,
    y,
    props: {
      segments: [{ type: "free", path: b64Vecs.encodePoints(points) }],
      isComplete: true,
      // The ink of the visitor is dark, and the measurement searches for that.
      color: "light-blue",
      size: "s",
    },
  };
}

function subjectOf(editor: Editor): void {
  connect({
    load: async (strokes) => {
      // tldraw refuses more than 4,000 shapes on a page unless it is told otherwise (`options` below).
      editor.createShapes(strokes.map(toShape));
      await painted();
    },
    remoteStroke: (stroke) => {
      editor.store.mergeRemoteChanges(() => {
        editor.createShapes([toShape(stroke)]);
      });
    },
    setTool: (tool) => {
      editor.setCurrentTool(tool);
    },
  });
}

createRoot(document.getElementById("root") as HTMLElement).render(
  <div style={{ position: "fixed", inset: 0 }}>
    <Tldraw hideUi onMount={subjectOf} options={{ maxShapesPerPage: 200_000 }} />
  </div>,
);
