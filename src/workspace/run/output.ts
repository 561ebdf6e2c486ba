/** The beginning and the end of a stream of any length; what lies between is counted and dropped. */
export class BoundedOutput {
  readonly #headMax: number;
  readonly #tailMax: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #total = 0;

  constructor(bytesMax: number) {
    // Failures are told at the end more often than at the beginning.
    this.#headMax = Math.floor(bytesMax / 4);
    this.#tailMax = bytesMax - this.#headMax;
  }

  get total(): number {
    return this.#total;
  }

  get dropped(): number {
    return Math.max(0, this.#total - this.#headMax - this.#tailMax);
  }

  push(bytes: Buffer): void {
    this.#total += bytes.length;
    const room = this.#headMax - this.#headBytes;
    const first = bytes.subarray(0, room);
    if (first.length > 0) {
      this.#head.push(first);
      this.#headBytes += first.length;
    }
    const rest = bytes.subarray(first.length);
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    // Twice as much before it is cut, so that a flood is not copied at every piece.
    if (this.#tailBytes > 2 * this.#tailMax) this.#trim();
  }

  #trim(): void {
    const joined = Buffer.concat(this.#tail);
    const kept = this.#tailMax === 0 ? Buffer.alloc(0) : Buffer.from(joined.subarray(-this.#tailMax));
    this.#tail = [kept];
    this.#tailBytes = kept.length;
  }

  /** With a line in the gap that says how much is missing. */
  bytes(): Buffer {
    if (this.#tailBytes > this.#tailMax) this.#trim();
    if (this.dropped === 0) return Buffer.concat([...this.#head, ...this.#tail]);
    const gap = Buffer.from(`\n[… ${this.dropped} bytes left out …]\n`);
    return Buffer.concat([...this.#head, gap, ...this.#tail]);
  }
}
