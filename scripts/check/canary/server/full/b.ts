export const b = true;
