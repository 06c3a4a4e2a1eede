export const i = true;
