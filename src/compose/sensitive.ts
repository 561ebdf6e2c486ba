/** Which changed paths act by themselves: the list by which a restore holds them back, and what acts once it is pushed. */
import type { Committed, Manifest, WorkspaceFacts } from '../core/tree/workspace.ts';
import { heldWithin, reviewReason } from '../workspace/restore/held.ts';
import { bringsLifecycle, isPackageManifest } from '../workspace/restore/lifecycle.ts';

export interface SensitivePath {
  readonly path: string;
  readonly reason: string;
}

type Named = { readonly path: string; readonly type: string; readonly from?: string | undefined };

/** In order of path. `contentOf` is asked for package manifests only. */
export async function sensitivePaths(
  facts: WorkspaceFacts | undefined,
  manifest: Manifest | null,
  contentOf: (entry: Manifest['entries'][number]) => Promise<Uint8Array | undefined>,
): Promise<SensitivePath[]> {
  const found = new Map<string, string>();
  const judge = (path: string, type: string): void => {
    const reason = reviewReason(path) ?? (type === 'link' ? heldWithin(path) : undefined);
    if (reason !== undefined) found.set(path, reason);
  };
  for (const { path, type, from } of touched(facts)) {
    judge(path, type);
    if (from !== undefined) judge(from, 'absent');
  }
  for (const entry of manifest?.entries ?? []) {
    const { path, worktree } = entry;
    judge(path, worktree?.type ?? 'absent');
    if (found.has(path) || !isPackageManifest(path)) continue;
    const content = await contentOf(entry);
    if (content !== undefined && bringsLifecycle(path, undefined, content)) found.set(path, lifecycle);
  }
  return [...found]
    .map(([path, reason]) => ({ path, reason }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Nobody kept how it was before, so what it holds may have been there. */
const lifecycle = 'holds a command that a package install or a commit runs by itself, or cannot be read';

function touched(facts: WorkspaceFacts | undefined): readonly Named[] {
  const committed: Committed['files'] = facts?.committed?.files ?? [];
  return [...(facts?.changes ?? []), ...committed];
}
