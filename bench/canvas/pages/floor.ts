/** The physical limit: a bare canvas that draws one segment for each pointer event and nothing else. */

import { fetchBoard, HEIGHT, present, WIDTH } from "./subject.ts";

const host = document.querySelector("#host") as HTMLElement;

function layer(): CanvasRenderingContext2D {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH * devicePixelRatio;
  canvas.height = HEIGHT * devicePixelRatio;
  canvas.style.cssText = `position:absolute;left:0;top:0;width:${WIDTH}px;touch-action:none`;
  host.append(canvas);
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  context.lineCap = context.lineJoin = "round";
  context.lineWidth = 3;
  context.scale(devicePixelRatio, devicePixelRatio);
  return context;
}

const base = layer();
const top = layer();
let tool = "draw";
let last: { x: number; y: number } | undefined;
let held: Path2D | undefined;
const paths: Path2D[] = [];

function paint(context: CanvasRenderingContext2D, path: Path2D, color: string): void {
  context.strokeStyle = color;
  context.stroke(path);
}

host.addEventListener("pointerdown", (event) => {
  last = { x: event.offsetX, y: event.offsetY };
  held = paths[0];
});
host.addEventListener("pointermove", (event) => {
  if (!last) return;
  const { offsetX: x, offsetY: y } = event;
  if (tool === "draw") {
    base.strokeStyle = "black";
    base.beginPath();
    base.moveTo(last.x, last.y);
    base.lineTo(x, y);
    base.stroke();
    last = { x, y };
  } else if (held) {
    top.clearRect(0, 0, WIDTH, HEIGHT);
    top.save();
    top.translate(x - last.x, y - last.y);
    paint(top, held, "black");
    top.restore();
  }
});
host.addEventListener("pointerup", () => {
  last = undefined;
});

async function start(): Promise<void> {
  base.fillStyle = "white";
  base.fillRect(0, 0, WIDTH, HEIGHT);
  for (const object of await fetchBoard()) {
    const path = new Path2D(object["path"] as string);
    paint(base, path, object["stroke"] as string);
    if (paths.length === 0) paths.push(path);
  }
}

present({
  ready: start(),
  choose(next) {
    tool = next;
  },
  remote(object) {
    paint(base, new Path2D(object["path"] as string), object["stroke"] as string);
  },
});
