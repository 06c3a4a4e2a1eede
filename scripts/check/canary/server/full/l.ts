export const l = true;
