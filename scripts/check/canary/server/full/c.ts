export const c = true;
