import type { Workspace } from '../../ports/workspace.ts';

/** `here` is where the work is done; `there` began as the same place and was left alone, for restoring into. */
export type Side = 'here' | 'there';

/** Two places of their own for one case, equal at first: clones of a repository with one commit, or empty folders. */
export interface WorkspaceScratch {
  readonly kind: 'git' | 'folder';
  readonly open: (side: Side) => Promise<Workspace>;
  readonly write: (
    side: Side,
    path: string,
    content: string | Uint8Array,
    options?: { readonly executable?: boolean },
  ) => void;
  readonly link: (side: Side, path: string, target: string) => void;
  readonly remove: (side: Side, path: string) => void;
  /** Every path with its content, executable bit or link target, without what belongs to git. */
  readonly tree: (side: Side) => Readonly<Record<string, string>>;
  /** Bytes and times of everything, also of what belongs to git: equal only if nobody touched it. */
  readonly imprint: (side: Side) => unknown;
  /** Whether a path beside the two places exists, relative to `there`. */
  readonly existsBeside: (path: string) => boolean;
  /** Only where there is git. */
  readonly git?: {
    readonly stage: (path: string) => void;
    /** Adds a line to the repository's own list of exclusions. */
    readonly exclude: (pattern: string) => void;
    /** Of all that is changed. */
    readonly commit: () => void;
    /** Has the repository name a program wherever it can. Whether one was started since. */
    readonly trap: () => () => boolean;
  };
  readonly dispose: () => void;
}

export type OpenWorkspaceScratch = () => Promise<WorkspaceScratch>;
