export const o = true;
