/** A map of limited size that forgets the least recently used entry. */
export class RecentMap<K, V> {
  private readonly map = new Map<K, V>();
  private readonly max: number;

  /** Makes an empty map of at most `max` entries. */
  constructor(max: number) {
    this.max = max;
  }

  get(key: K): V | undefined {
    const value = this.map.get(key);
    if (value !== undefined) {
      this.map.delete(key);
      this.map.set(key, value);
    }
    return value;
  }

  set(key: K, value: V): void {
    this.map.delete(key);
    this.map.set(key, value);
    if (this.map.size <= this.max) return;
    for (const oldest of this.map.keys()) {
      this.map.delete(oldest);
      return;
    }
  }

  clear(): void {
    this.map.clear();
  }
}
