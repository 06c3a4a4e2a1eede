export const j = true;
