/** What the parts of one shown diff share: where the reader is, what is folded, which remark is being written. */
import { batch, signal, type Signal } from '@preact/signals';
import { isAt, spotOf, type Commenting, type Spot } from './comment.ts';
import { isLine, nextFile, walked, type Cursor } from './cursor.ts';
import type { FileDiff } from '../../../src/core/diff/parse.ts';
import { beginsChange, lineOf, rowsOf, type Row, type Side } from './rows.ts';
import { changeLook, look, markViewed, viewedOf } from './viewed.ts';

export class Desk {
  readonly files: readonly FileDiff[];
  readonly packet: string;
  readonly cursor: Signal<Cursor | undefined> = signal(undefined);
  /** Files by their place; those that were viewed before begin folded. */
  readonly folded: Signal<ReadonlySet<number>>;
  readonly editing: Signal<Spot | undefined> = signal(undefined);
  commenting: Commenting | undefined;
  #rows = new Map<number, readonly Row[]>();
  #split = look.peek().split;

  constructor(files: readonly FileDiff[], packet: string) {
    this.files = files;
    this.packet = packet;
    const viewed = viewedOf(packet).peek();
    this.folded = signal(new Set(files.flatMap(({ path }, at) => (viewed.has(path) ? [at] : []))));
  }

  rowsOf(file: number): readonly Row[] {
    const { split } = look.peek();
    if (split !== this.#split) {
      this.#split = split;
      this.#rows.clear();
    }
    const known = this.#rows.get(file);
    if (known !== undefined) return known;
    const diff = this.files[file];
    const rows = diff === undefined ? [] : rowsOf(diff, split);
    this.#rows.set(file, rows);
    return rows;
  }

  step(by: 1 | -1, to: 'line' | 'change'): void {
    const rows = (file: number): readonly Row[] => (this.folded.peek().has(file) ? [] : this.rowsOf(file));
    this.go(
      walked(
        { count: this.files.length, rows },
        this.cursor.peek(),
        by,
        to === 'line' ? isLine : beginsChange,
      ),
    );
  }

  stepFile(by: 1 | -1): void {
    this.go(nextFile(this.files.length, this.cursor.peek(), by));
  }

  /** Always another value, so that going to the same place again shows it again. */
  go(cursor: Cursor | undefined): void {
    this.cursor.value = cursor === undefined ? undefined : { ...cursor };
  }

  fold(file: number, on: boolean = !this.folded.peek().has(file)): void {
    const next = new Set(this.folded.peek());
    if (on) next.add(file);
    else next.delete(file);
    batch(() => {
      this.folded.value = next;
      if (on && this.cursor.peek()?.file === file) this.go({ file, row: -1 });
    });
  }

  view(file: number, on?: boolean): void {
    const path = this.files[file]?.path;
    if (path === undefined) return;
    const is = on ?? !viewedOf(this.packet).peek().has(path);
    markViewed(this.packet, path, is);
    this.fold(file, is);
  }

  /** Rows are others then: the reader stands at the head of the file. */
  turn(split: boolean): void {
    const at = this.cursor.peek();
    batch(() => {
      this.editing.value = undefined;
      if (at !== undefined) this.go({ file: at.file, row: -1 });
      changeLook({ split });
    });
  }

  spotAt({ file, row }: Cursor, side?: Side): Spot | undefined {
    const path = this.files[file]?.path;
    const found = lineOf(this.rowsOf(file)[row], side);
    return path === undefined || found === undefined ? undefined : spotOf(path, found.side, found.line);
  }

  /** Begins a remark where the reader is, or on the first change. */
  comment(side?: Side): void {
    if (this.commenting === undefined) return;
    if ((this.cursor.peek()?.row ?? -1) < 0) this.step(1, 'change');
    const at = this.cursor.peek();
    const spot = at === undefined ? undefined : this.spotAt(at, side);
    if (spot !== undefined) this.editing.value = spot;
  }

  isEditing(spot: Spot | undefined): boolean {
    const { value } = this.editing;
    return value !== undefined && spot !== undefined && isAt(value, spot);
  }

  stopEditing(): void {
    this.editing.value = undefined;
    this.go(this.cursor.peek());
  }
}
