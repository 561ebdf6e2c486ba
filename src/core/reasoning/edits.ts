/** Which files the edit tools of a session changed. What a shell command changed is not here: git knows, and is asked first. */
import { filesChangedBy } from '../transcript/changed-files.ts';
import type { StoryStep } from '../transcript/story.ts';

export interface EditedFile {
  /** As git would name it, where the session's folder is known. */
  readonly path: string;
  /** The steps that changed it, in order. */
  readonly refs: readonly number[];
  readonly deleted: boolean;
}

export function editsIn(
  steps: readonly StoryStep[],
  folderOf: (session: number) => string | null = () => null,
): EditedFile[] {
  const edited = new Map<string, { refs: number[]; deleted: boolean }>();
  for (const step of steps) {
    if (step.aside === 'rewritten' || step.calls === undefined) continue;
    for (const call of step.calls) {
      const result = step.results?.find((each) => each.call === call.id);
      if (result === undefined || result.failed) continue;
      for (const { path, deleted } of filesChangedBy(call)) {
        const name = relative(path, folderOf(step.session));
        const known = edited.get(name) ?? { refs: [], deleted };
        if (known.refs.at(-1) !== step.ref) known.refs.push(step.ref);
        known.deleted = deleted;
        edited.set(name, known);
      }
    }
  }
  return [...edited]
    .map(([path, { refs, deleted }]) => ({ path, refs, deleted }))
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function relative(path: string, folder: string | null): string {
  const plain = path.replaceAll('\\', '/').replace(/^\.\//, '');
  const root = folder?.replaceAll('\\', '/').replace(/\/+$/, '');
  return root !== undefined && root !== '' && plain.startsWith(`${root}/`)
    ? plain.slice(root.length + 1)
    : plain;
}
