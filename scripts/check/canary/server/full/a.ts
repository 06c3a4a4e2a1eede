export const a = true;
