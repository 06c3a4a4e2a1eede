/**
 * A quick page with Fabric: the whole drawing is written out after every change, and a remote change is a whole
 * drawing that is loaded again.
 */

import { Canvas, PencilBrush } from "fabric";
import type { BoardObject } from "../../../board/drawing.ts";
import { fetchBoard, HEIGHT, present, WIDTH } from "./subject.ts";

const element = document.createElement("canvas");
document.querySelector("#host")?.append(element);
const canvas = new Canvas(element, {
  width: WIDTH,
  height: HEIGHT,
  backgroundColor: "white",
  isDrawingMode: true,
  enablePointerEvents: true,
});
canvas.freeDrawingBrush = new PencilBrush(canvas);
canvas.freeDrawingBrush.width = 3;
let written = "";
const write = (): void => {
  written = JSON.stringify(canvas.toJSON());
};
canvas.on("object:modified", write);

async function start(): Promise<void> {
  await canvas.loadFromJSON({ objects: await fetchBoard(), background: "white" });
  canvas.renderAll();
  canvas.on("object:added", write);
}

present({
  ready: start(),
  choose(tool) {
    canvas.isDrawingMode = tool === "draw";
  },
  remote(object: BoardObject) {
    if (written === "") write();
    const drawing = JSON.parse(written) as { objects: unknown[] };
    drawing.objects.push(object);
    canvas.off("object:added", write);
    void canvas.loadFromJSON(drawing).then(() => {
      canvas.requestRenderAll();
      canvas.on("object:added", write);
      write();
    });
  },
});
