/** Milliseconds in which the copy fades. */
const FADE = 250;

/**
 * Covers the canvas with a copy of its picture. The returned function fades the copy out, or removes it where nothing
 * should move.
 */
export function coverCanvas(): () => void {
  const host = document.querySelector<HTMLElement>(".canvas");
  const base = host?.querySelector("canvas");
  if (!host || !base || base.width === 0) return () => undefined;
  const copy = document.createElement("canvas");
  copy.width = base.width;
  copy.height = base.height;
  copy.getContext("2d")?.drawImage(base, 0, 0);
  copy.style.cssText = `position:absolute;inset:0;width:100%;height:100%;pointer-events:none`;
  host.append(copy);
  const remove = (): void => {
    copy.remove();
    // Its memory is freed immediately.
    copy.width = copy.height = 0;
  };
  return () => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return remove();
    copy
      .animate({ opacity: [1, 0] }, { duration: FADE, easing: "ease-out" })
      .finished.then(remove, remove);
  };
}
