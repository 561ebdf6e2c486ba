/** One unified diff of everything: git's for what it tracks, ours for what it does not. Ends early at the limit and says so. */
import { defined, filled } from '../core/base/defined.ts';
import { isStaffettaError } from '../core/base/error.ts';
import { limits } from '../core/base/limits.ts';
import type { CapturedDiff, StoreContent } from '../ports/workspace.ts';
import type { CommittedWork } from './git/committed.ts';
import { diffPart, type DiffPart, type DiffStat, type HashedPlace, type TrackedDiff } from './git/diff.ts';
import { isEncrypting } from './git/filters.ts';
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
        ...defined({ committed: known.committed }),
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
  /** What commits did since the work began. */
  readonly work: Promise<CommittedWork | undefined> | undefined;
}

/** Undefined if there is none to be had; a diff is for people, and its lack fails nothing. */
async function askForDiff(asked: Asked): Promise<TrackedDiff | undefined> {
  const { place, head, items } = asked;
  const tracked = items.filter(({ untracked, index }) => untracked === undefined || index === null);
  // What is kept encrypted would be shown in the clear: the filter is not run.
  const plain = tracked.filter(({ filter = '' }) => !isEncrypting(filter));
  const sinceHead: DiffPart = {
    from: head,
    paths: plain.map(({ path }) => path),
    isAll: plain.length === tracked.length,
  };
  try {
    const work = await asked.work;
    if (work !== undefined && work.files.length > 0) {
      const diff = await diffOfParts(place, partsOf(work, sinceHead));
      if (diff !== undefined) return { ...diff, cut: diff.cut || work.unnamed > 0, committed: true };
      // Some content is not here, as in a partial clone: what is not committed may be.
    }
    return await diffPart(place, sinceHead, limits.diffBytesMax);
  } catch (error) {
    if (isStaffettaError(error, 'git-failed')) return undefined;
    throw error;
  }
}

/** Commits and what is not committed as one change: what was not touched since is compared as HEAD has it, the rest as it lies there. */
function partsOf(work: CommittedWork, sinceHead: DiffPart): readonly DiffPart[] {
  const { from: head, paths: changed, isAll } = sinceHead;
  const again = new Set(changed);
  const isAgain = ({ path, from }: CommittedWork['files'][number]): boolean =>
    again.has(path) || (from !== undefined && again.has(from));
  const both = namesOf(work.files.filter(isAgain));
  const known = new Set(both);
  const left = work.files.filter((file) => !isAgain(file));
  return [
    {
      from: work.from,
      ...filled({ to: head }),
      paths: namesOf(left),
      isAll: work.isAll && both.length === 0,
    },
    { from: work.from, paths: both, isAll: false },
    { from: head, paths: changed.filter((path) => !known.has(path)), isAll: isAll && both.length === 0 },
  ];
}

function namesOf(files: CommittedWork['files']): string[] {
  return files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
}

async function diffOfParts(place: HashedPlace, parts: readonly DiffPart[]): Promise<TrackedDiff | undefined> {
  const diffs = await Promise.all(
    parts.map(async (part) => await diffPart(place, part, limits.diffBytesMax)),
  );
  const found = diffs.filter((diff) => diff !== undefined);
  if (found.length < parts.length) return undefined;
  return {
    text: Buffer.concat(found.map(({ text }) => text)),
    cut: found.some(({ cut }) => cut),
    files: found.flatMap(({ files }) => files),
  };
}

const nothing: TrackedDiff = { text: Buffer.alloc(0), cut: false, files: [] };
