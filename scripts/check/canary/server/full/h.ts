export const h = true;
