/** Whether the page is read from right to left: `dir` of `<html>`, which is set before the first render and stays. */
export const isRightToLeft = (): boolean => document.documentElement.dir === "rtl";
