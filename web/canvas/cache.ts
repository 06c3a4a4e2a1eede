/** A map that forgets what was not used for longest. */
export class RecentMap<K, V> {
  private readonly map = new Map<K, V>();
  private readonly most: number;

  /** `most` is the number of entries that are kept. */
  constructor(most: number) {
    this.most = most;
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
    if (this.map.size <= this.most) return;
    for (const oldest of this.map.keys()) {
      this.map.delete(oldest);
      return;
    }
  }

  clear(): void {
    this.map.clear();
  }
}
