export const e = true;
