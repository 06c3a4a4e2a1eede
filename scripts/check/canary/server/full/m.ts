export const m = true;
