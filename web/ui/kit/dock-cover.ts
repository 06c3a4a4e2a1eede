/** Returns how much of the canvas the dock covers from the bottom, in CSS pixels. */
export function dockCover(): number {
  const dock = document.querySelector(".dock")?.getBoundingClientRect();
  return dock && dock.height > 0 ? Math.max(0, Math.round(window.innerHeight - dock.top)) : 0;
}
