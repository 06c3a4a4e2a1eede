export function ring(): void {}
