export const f = true;
