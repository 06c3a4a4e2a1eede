/** The peers' pointers: an arrow and a name each. They are elements above the picture, so that none costs a repaint. */

import { applyMatrix, type Matrix, type Point } from "../geometry/matrix.ts";
import { makePositioned } from "../view/positioned.ts";
import type { NamedPeer } from "../view/named-peer.ts";

const SVG = "http://www.w3.org/2000/svg";

interface ShownPointer {
  readonly element: HTMLElement;
  readonly arrow: SVGElement;
  readonly label: HTMLElement;
  text: string;
  color: string;
  /** The CSS transform that positions the element. */
  position: string;
}

export class PeerPointers {
  readonly element = makePositioned("div", {
    ...{ right: "0", bottom: "0", overflow: "hidden", pointerEvents: "none" },
  });
  private readonly shown = new Map<string, ShownPointer>();

  constructor() {
    this.element.setAttribute("aria-hidden", "true");
  }

  /** Shows the pointers of these peers and removes all others. `viewport` maps canvas pixels to CSS pixels. */
  show(peers: readonly NamedPeer[], viewport: Matrix): void {
    const present = new Set<string>();
    for (const peer of peers) {
      if (!peer.pointer) continue;
      present.add(peer.clientId);
      let one = this.shown.get(peer.clientId);
      if (!one) {
        one = makePointer();
        this.shown.set(peer.clientId, one);
        this.element.append(one.element);
      }
      update(one, peer, applyMatrix(viewport, peer.pointer.x, peer.pointer.y));
    }
    for (const [clientId, one] of this.shown)
      if (!present.has(clientId)) {
        one.element.remove();
        this.shown.delete(clientId);
      }
  }
}

/** Sets only properties that differ: an attribute that is set again costs a style computation. */
function update(one: ShownPointer, peer: NamedPeer, at: Point): void {
  const position = `translate(${Math.round(at.x * 10) / 10}px, ${Math.round(at.y * 10) / 10}px)`;
  if (one.position !== position) one.element.style.transform = one.position = position;
  if (one.text !== peer.label) one.label.textContent = one.text = peer.label;
  if (one.color !== peer.color) {
    one.color = peer.color;
    one.arrow.setAttribute("fill", peer.color);
    one.label.style.borderColor = peer.color;
  }
}

function makePointer(): ShownPointer {
  const element = makePositioned("div", { willChange: "transform" });
  element.dataset["peer"] = "";
  const svg = document.createElementNS(SVG, "svg");
  for (const [name, value] of [
    ["width", "18"],
    ["height", "20"],
    ["viewBox", "0 0 18 20"],
  ] as const)
    svg.setAttribute(name, value);
  svg.style.display = "block";
  const arrow = document.createElementNS(SVG, "path");
  arrow.setAttribute("d", "M1 1l5.2 16 3-6.4L16 8z");
  arrow.setAttribute("stroke", "white");
  arrow.setAttribute("stroke-width", "1.5");
  arrow.setAttribute("stroke-linejoin", "round");
  svg.append(arrow);
  const label = document.createElement("span");
  // A name is written in the direction of its own letters.
  label.dir = "auto";
  Object.assign(label.style, {
    position: "absolute",
    left: "14px",
    top: "16px",
    maxWidth: "140px",
    overflow: "hidden",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
    padding: "1px 6px",
    borderRadius: "8px",
    border: "2px solid",
    background: "white",
    color: "#1f2937",
    font: "500 11px/1.4 system-ui, sans-serif",
  });
  element.append(svg, label);
  return { element, arrow, label, text: "", color: "", position: "" };
}
