/** Returns how much of the canvas the dock, or on a phone the sheet of a panel, covers from the bottom, in CSS pixels. */
export function dockCover(): number {
  const [dock, panel] = document.querySelectorAll(".dock, .panel");
  const isPhone = innerWidth < 600 && innerHeight >= 420;
  const box = ((isPhone && panel) || dock)?.getBoundingClientRect();
  return box?.height ? Math.round(innerHeight - box.top) : 0;
}
