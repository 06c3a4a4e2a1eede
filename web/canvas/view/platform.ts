/** True on systems of Apple, where Ctrl and a press open the context menu and Alt and an arrow move by words. */
export const isApple = navigator.userAgent.includes("Mac");
