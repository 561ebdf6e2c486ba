import { appendFileSync, existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenWorkspaceScratch, Side } from '../../src/conformance/index.ts';
import type { Workspace } from '../../src/ports/index.ts';
import { openWorkspace } from '../../src/workspace/open.ts';
import { commit, env, fresh, git, init, link, write } from './sandbox.ts';
import { imprint, treeOf } from './tree.ts';

export interface Places {
  readonly here: string;
  readonly there: string;
}

export type Opened = (workspace: Workspace, places: Places) => Workspace;

/** Scratch places of one kind; what is opened there may be spoiled on the way. */
export function workspaceScratch(
  kind: 'git' | 'folder',
  opened: Opened = (workspace) => workspace,
): OpenWorkspaceScratch {
  return async () => {
    const top = fresh('scratch');
    mkdirSync(top);
    const places: Places = { here: join(realpathSync(top), 'here'), there: join(realpathSync(top), 'there') };
    if (kind === 'git') begin(places);
    else for (const side of [places.here, places.there]) mkdirSync(side);
    const place = (side: Side): string => places[side];
    return {
      kind,
      open: async (side) => opened(await openWorkspace(place(side), { env }), places),
      write: (side, path, content, options = {}) =>
        write(place(side), path, content, options.executable === true ? 0o755 : 0o644),
      link: (side, path, target) => link(place(side), path, target),
      remove: (side, path) => rmSync(join(place(side), path)),
      tree: (side) => treeOf(place(side)),
      imprint: (side) => imprint(place(side)),
      existsBeside: (path) => existsSync(join(places.there, path)),
      ...(kind === 'folder'
        ? {}
        : {
            git: {
              stage: (path: string) => void git(places.here, 'add', path),
              exclude: (pattern: string) => {
                mkdirSync(join(places.here, '.git/info'), { recursive: true });
                appendFileSync(join(places.here, '.git/info/exclude'), `${pattern}\n`);
              },
              commit: () => {
                for (const folder of [places.here, places.there]) commit(folder);
              },
              trap: () => trap(places.here),
            },
          }),
      dispose: () => rmSync(top, { recursive: true, force: true }),
    };
  };
}

function begin({ here, there }: Places): void {
  const origin = init();
  write(origin, 'a.txt', 'one\n');
  write(origin, 'src/b.ts', 'b\n');
  commit(origin);
  for (const folder of [here, there]) git(origin, 'clone', '-q', origin, folder);
}

function trap(folder: string): () => boolean {
  const program = join(folder, '.git', 'trap');
  const trace = join(folder, '.git', 'sprung');
  write(folder, '.git/trap', `#!/bin/sh\ntouch ${trace}\ncat\n`, 0o755);
  git(folder, 'config', 'filter.trap.clean', program);
  git(folder, 'config', 'diff.external', program);
  write(folder, '.git/info/attributes', '*.txt filter=trap diff=trap\n');
  git(folder, 'config', 'core.fsmonitor', program);
  rmSync(trace, { force: true });
  return () => existsSync(trace);
}
