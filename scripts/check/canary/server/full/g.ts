export const g = true;
