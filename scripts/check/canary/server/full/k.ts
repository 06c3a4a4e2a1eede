export const k = true;
