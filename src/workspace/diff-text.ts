/** One unified diff of everything: git's for what it tracks, ours for what it does not. Ends early at the limit and says so. */
import { isStaffettaError } from '../core/base/error.ts';
import { limits } from '../core/base/limits.ts';
import type { CapturedDiff, StoreContent } from '../ports/workspace.ts';
import { diffTracked, type DiffStat, type HashedPlace, type TrackedDiff } from './git/diff.ts';
import type { GitItem } from './git/item.ts';
import { patchOfNewFile, type NewFile } from './patch-text.ts';

export class DiffText {
  readonly #wanted: boolean;
  readonly #texts: Buffer[] = [];
  readonly #files: DiffStat[] = [];
  #bytes = 0;
  #tracked: { readonly asked: Asked; readonly answer: Promise<TrackedDiff | undefined> } | undefined;

  constructor(options: { readonly wanted: boolean }) {
    this.#wanted = options.wanted;
  }

  /** Git works on its part while files are read. */
  begin(asked: Asked): void {
    if (this.#wanted) this.#tracked = { asked, answer: askForDiff(asked) };
  }

  async #settle(
    tracked: { readonly asked: Asked; readonly answer: Promise<TrackedDiff | undefined> },
    unread: ReadonlySet<string>,
  ): Promise<TrackedDiff | undefined> {
    const answer = await tracked.answer;
    if (answer !== undefined || unread.size === 0) return answer;
    const items = tracked.asked.items.filter(({ path }) => !unread.has(path));
    return await askForDiff({ ...tracked.asked, items });
  }

  add(file: NewFile): void {
    if (!this.#wanted || this.#bytes > limits.diffBytesMax) return;
    const { text, lines } = patchOfNewFile(file);
    this.#texts.push(text);
    this.#bytes += text.length;
    this.#files.push({
      path: file.path,
      added: file.binary ? null : lines,
      removed: file.binary ? null : 0,
    });
  }

  /** `unread`: paths that could not be read; git stops at the first of them. */
  async finish(
    store: StoreContent,
    unread: ReadonlySet<string>,
  ): Promise<{ readonly captured: CapturedDiff | null; readonly missing: boolean }> {
    if (!this.#wanted) return { captured: null, missing: false };
    const known = this.#tracked === undefined ? nothing : await this.#settle(this.#tracked, unread);
    if (known === undefined) return { captured: null, missing: true };
    const whole = Buffer.concat([known.text, ...this.#texts]);
    const text = whole.subarray(0, limits.diffBytesMax);
    const files = [...known.files, ...this.#files];
    const answer = await store(text, { kind: 'diff' });
    const stored = typeof answer === 'string' ? answer : (answer?.stored ?? null);
    if (stored === null) return { captured: null, missing: true };
    return {
      missing: false,
      captured: {
        stored,
        bytes: text.length,
        cut: known.cut || text.length < whole.length,
        added: files.reduce((sum, { added }) => sum + (added ?? 0), 0),
        removed: files.reduce((sum, { removed }) => sum + (removed ?? 0), 0),
        files,
      },
    };
  }
}

interface Asked {
  readonly place: HashedPlace;
  readonly head: string | null;
  readonly items: readonly GitItem[];
}

/** Undefined if there is none to be had; a diff is for people, and its lack fails nothing. */
async function askForDiff({ place, head, items }: Asked): Promise<TrackedDiff | undefined> {
  try {
    return await diffTracked(place, head, { items, bytesMax: limits.diffBytesMax });
  } catch (error) {
    if (isStaffettaError(error, 'git-failed')) return undefined;
    throw error;
  }
}

const nothing: TrackedDiff = { text: Buffer.alloc(0), cut: false, files: [] };
