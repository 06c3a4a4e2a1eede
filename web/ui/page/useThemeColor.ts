import { useEffect } from "react";

/** Sets the colour of the browser's own bars to the page's: index.html has one for light and one for dark. */
export function useThemeColor(): void {
  useEffect(() => {
    const { documentElement: root } = document;
    const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')];
    const media = metas.map((meta) => meta.media);
    const follow = (): void => {
      const choice = root.style.colorScheme;
      for (const [at, meta] of metas.entries()) {
        const own = media[at] ?? "";
        meta.media = choice === "" ? own : own.includes(choice) ? "all" : "not all";
      }
    };
    const observer = new MutationObserver(follow);
    observer.observe(root, { attributeFilter: ["style"] });
    follow();
    return () => {
      observer.disconnect();
      for (const [at, meta] of metas.entries()) meta.media = media[at] ?? "";
    };
  }, []);
}
