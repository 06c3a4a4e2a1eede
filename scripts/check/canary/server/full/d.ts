export const d = true;
