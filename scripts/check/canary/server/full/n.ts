export const n = true;
