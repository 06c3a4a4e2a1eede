export function print(): void {}
