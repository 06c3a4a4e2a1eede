export function open(): void {}
