/**
 * Two commits, merged to a tree without a checkout and without an index. Git takes attributes such as `-merge` from the files of a working
 * tree, so it gets one that has nothing but those of the head; in the user's it would go by what is not committed.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StaffettaError } from '../../core/base/error.ts';
import { pathFault } from '../../core/tree/paths.ts';
import type { Repository } from '../git/locate.ts';
import { askGit, git, records, RecordStream, type GitPlace } from '../git/spawn.ts';

export type Merged = { readonly tree: string } | { readonly files: readonly string[] };

/** Exit code of git for options that it does not know. */
const usage = 129;

export class Merger {
  readonly #place: GitPlace;
  readonly #folder: string;

  private constructor(place: GitPlace, folder: string) {
    this.#place = place;
    this.#folder = folder;
  }

  static async open(repository: Repository, head: string): Promise<Merger> {
    const folder = mkdtempSync(join(tmpdir(), 'staffetta-merge-'));
    for (const { path, oid } of await attributeFiles(repository, head)) {
      const { stdout } = await git(repository, ['cat-file', 'blob', oid]);
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), stdout);
    }
    const env = { ...repository.env, GIT_DIR: repository.commonFolder, GIT_WORK_TREE: folder };
    return new Merger({ ...repository, cwd: folder, env }, folder);
  }

  async merge(ours: string, theirs: string): Promise<Merged> {
    const asked = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs];
    const answer = await askGit(this.#place, asked);
    if (answer.code === usage) {
      throw new StaffettaError('git-missing', 'This git is too old to merge without a checkout.', {
        hint: 'Install git 2.38 or newer.',
        details: { program: this.#place.program },
      });
    }
    const [tree = '', ...files] = [...records(answer.stdout)].map((record) => record.toString('utf8'));
    if (answer.code === 0) return { tree };
    if (answer.code === 1) return { files: [...new Set(files.filter((file) => file !== ''))].sort() };
    throw new StaffettaError('git-failed', `Git could not merge ${theirs}.`, {
      details: { stderr: answer.stderr.slice(0, 2000) },
    });
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function attributeFiles(
  repository: Repository,
  commit: string,
): Promise<{ readonly path: string; readonly oid: string }[]> {
  const found: { path: string; oid: string }[] = [];
  const stream = new RecordStream((record) => {
    if (!record.subarray(-14).equals(Buffer.from('.gitattributes'))) return;
    const [, oid, path] =
      /^100\d{3} blob ([0-9a-f]+)\t((?:[^]*\/)?\.gitattributes)$/.exec(record.toString('utf8')) ?? [];
    if (oid !== undefined && path !== undefined && pathFault(path) === undefined) found.push({ path, oid });
  });
  await git(repository, ['ls-tree', '-r', '-z', '--full-tree', commit], {
    take: (bytes) => stream.push(bytes),
  });
  return found;
}
