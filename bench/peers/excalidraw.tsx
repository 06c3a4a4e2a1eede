/** Excalidraw as a subject: the editor of the npm package, elements replaced by reconciled lists. */

import { Excalidraw, restoreElements } from "@excalidraw/excalidraw";
import "@excalidraw/excalidraw/index.css";
import { createRoot } from "react-dom/client";
import { connect, painted, type BenchStroke } from "./subject.ts";

function toElement(stroke: BenchStroke) {
  const [x, y] = stroke.points as [number, number];
  const points: [number, number][] = [];
  for (let index = 0; index + 1 < stroke.points.length; index += 2) {
    points.push([(stroke.points[index] ?? 0) - x, (stroke.points[index + 1] ?? 0) - y]);
  }
  return {
    type: "freedraw" as const,
    id: stroke.id,
    x,
    y,
    strokeColor: stroke.color,
    strokeWidth: 1,
    points,
    pressures: [],
    simulatePressure: true,
  };
}

function restore(strokes: readonly BenchStroke[]) {
  const elements = strokes.map(toElement);
  return restoreElements(elements, null, { refreshDimensions: false });
}

createRoot(document.getElementById("root") as HTMLElement).render(
  <div style={{ position: "fixed", inset: 0 }}>
    <Excalidraw
      excalidrawAPI={(api) => {
        connect({
          load: async (strokes) => {
            api.updateScene({ elements: restore(strokes) });
            await painted();
          },
          remoteStroke: (stroke) => {
            api.updateScene({
              elements: [...api.getSceneElementsIncludingDeleted(), ...restore([stroke])],
            });
          },
          setTool: (tool) => {
            api.setActiveTool({ type: tool === "draw" ? "freedraw" : "selection" });
          },
        });
      }}
    />
  </div>,
);
