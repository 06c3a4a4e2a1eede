export const examined = true;
