/**
 * Where the rows of a long list begin. Each is as high as it was last seen to be, or as rows usually are. Sums are kept and made again from
 * the first row that changed, so that a look is a binary search and a change costs what is below it.
 */
export class Heights {
  #count = 0;
  #usual: number;
  readonly #seen = new Map<number, number>();
  #tops = new Float64Array(1);
  #sumsTo = 0;

  constructor(usual: number) {
    this.#usual = usual;
  }

  get count(): number {
    return this.#count;
  }

  get total(): number {
    return this.top(this.#count);
  }

  resize(count: number): void {
    if (count === this.#count) return;
    if (count + 1 > this.#tops.length) {
      const more = new Float64Array((count + 1) * 2);
      more.set(this.#tops);
      this.#tops = more;
    }
    this.#count = count;
    this.#sumsTo = Math.min(this.#sumsTo, count);
  }

  /** By how much it is higher than it was thought to be. The first that is seen says how high rows usually are. */
  see(row: number, height: number): number {
    const before = this.#seen.get(row) ?? this.#usual;
    if (this.#seen.size === 0) {
      this.#usual = height;
      this.#sumsTo = 0;
    }
    this.#seen.set(row, height);
    if (height !== before) this.#sumsTo = Math.min(this.#sumsTo, row);
    return height - before;
  }

  /** Rows are others now: what was seen of them means nothing. */
  forget(): void {
    this.#seen.clear();
    this.#sumsTo = 0;
  }

  top(row: number): number {
    const wanted = Math.min(row, this.#count);
    for (let n = this.#sumsTo; n < wanted; n += 1)
      this.#tops[n + 1] = (this.#tops[n] ?? 0) + (this.#seen.get(n) ?? this.#usual);
    this.#sumsTo = Math.max(this.#sumsTo, wanted);
    return this.#tops[wanted] ?? 0;
  }

  /** The row at this distance from the top of all. */
  rowAt(y: number): number {
    this.top(this.#count);
    let low = 0;
    let high = Math.max(0, this.#count - 1);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#tops[middle] ?? 0) <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
