/**
 * The physical limit of a view: one prepared picture of the board, drawn under the new transform for each frame, and one
 * segment for each pointer event.
 */

import { fetchBoard, HEIGHT, present, WIDTH } from "./subject.ts";

const host = document.querySelector("#host") as HTMLElement;

function makeCanvas(): CanvasRenderingContext2D {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  context.lineCap = context.lineJoin = "round";
  context.lineWidth = 3;
  return context;
}

const picture = makeCanvas();
const shown = makeCanvas();
shown.canvas.style.cssText = "position:absolute;left:0;top:0;touch-action:none";
host.append(shown.canvas);
let [x, y, zoom] = [0, 0, 1];
let requested = false;

function draw(): void {
  requested = false;
  shown.setTransform(1, 0, 0, 1, 0, 0);
  shown.fillStyle = "white";
  shown.fillRect(0, 0, WIDTH, HEIGHT);
  shown.setTransform(zoom, 0, 0, zoom, x, y);
  shown.drawImage(picture.canvas, 0, 0);
}

host.addEventListener(
  "wheel",
  (event) => {
    event.preventDefault();
    if (event.ctrlKey) {
      const factor = Math.exp(-event.deltaY / 100);
      x = event.clientX - (event.clientX - x) * factor;
      y = event.clientY - (event.clientY - y) * factor;
      zoom *= factor;
    } else {
      x -= event.deltaX;
      y -= event.deltaY;
    }
    if (requested) return;
    requested = true;
    requestAnimationFrame(draw);
  },
  { passive: false },
);

let last: { readonly x: number; readonly y: number } | undefined;
host.addEventListener("pointerdown", ({ offsetX, offsetY }) => {
  last = { x: offsetX, y: offsetY };
});
host.addEventListener("pointermove", ({ offsetX, offsetY }) => {
  if (!last) return;
  shown.setTransform(zoom, 0, 0, zoom, x, y);
  shown.beginPath();
  shown.moveTo((last.x - x) / zoom, (last.y - y) / zoom);
  shown.lineTo((offsetX - x) / zoom, (offsetY - y) / zoom);
  shown.stroke();
  last = { x: offsetX, y: offsetY };
});
host.addEventListener("pointerup", () => {
  last = undefined;
});

async function start(): Promise<void> {
  picture.fillStyle = "white";
  picture.fillRect(0, 0, WIDTH, HEIGHT);
  for (const object of await fetchBoard()) {
    picture.strokeStyle = object["stroke"] as string;
    picture.stroke(new Path2D(object["path"] as string));
  }
  draw();
}

present({
  ready: start(),
  choose() {},
  remote() {},
  show(view) {
    ({ x, y, zoom } = view);
    draw();
  },
});
